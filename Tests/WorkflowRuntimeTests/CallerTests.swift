import Testing
import WorkflowRuntime

/// Tests which threads may call a host, and when.
@Suite struct CallerTests {
  // MARK: When

  enum Reading: String, Codable, CaseIterable {
    case debugSnapshot, snapshot
  }

  enum Moment: String, Codable, CaseIterable {
    case action, render, change
  }

  /// Reads the host at the wrong moment.
  private struct Curious: Workflow {
    final class Box { var read: (() -> Void)? }
    let box: Box
    let moment: Moment

    struct Look: WorkflowAction {
      typealias WorkflowType = Curious
      let box: Box
      func apply(toState state: inout [String]) -> Never? {
        state = ["half"]
        box.read?()
        state.append("whole")
        return nil
      }
    }

    func makeInitialState() -> [String] { [] }
    func workflowDidChange(from previousWorkflow: Curious, state: inout [String]) {
      if moment == .change { box.read?() }
    }
    func render(state: [String], context: RenderContext<Curious>) -> Sink<Look> {
      if moment == .render { box.read?() }
      return context.makeSink()
    }
  }

  @Test(arguments: Reading.allCases, Moment.allCases)
  func snapshotDuringAChangeEndsTheProcess(reading: Reading, moment: Moment) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [reading = reading as Reading, moment = moment as Moment] in
      let box = Curious.Box()
      let host = WorkflowHost(workflow: Curious(box: box, moment: moment))
      box.read = {
        switch reading {
        case .debugSnapshot: _ = host.debugSnapshot()
        case .snapshot: _ = host.snapshot()
        }
      }
      if moment == .action { host.rendering.send(.init(box: box)) }
      host.update(workflow: Curious(box: box, moment: moment))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("\(reading)() was called while an action was applied"), "\(text)")
    #expect(text.contains("from onRendering"), "\(text)")
  }

  @Test func actionSentByADescriptionIsAppliedAfterTheSnapshot() {
    final class Box { var sink: Sink<Counter.Action>? }
    struct Spoken: CustomStringConvertible {
      let box: Box
      var description: String {
        box.sink?.send(.tap)
        return "spoken"
      }
    }
    let box = Box()
    let host = WorkflowHost(
      workflow: Made<Spoken, Int>(initial: Spoken(box: box)) { _, context in
        let counter = Counter().ignoringOutput().rendered(with: context)
        box.sink = counter.sink
        return counter.count
      })
    #expect(host.debugSnapshot().nodes.map(\.state) == ["spoken", "0"])
    #expect(host.rendering == 1)
  }

  @Test func workersRequestedDuringARenderStartAfterThePass() {
    final class Box { var ask: (() -> [WorkerEffect])? }
    let box = Box()
    var counts: [Int] = []
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Made<Int, Int>>.noAction }
        if let ask = box.ask { counts.append(ask().count) }
        return state
      })
    box.ask = { [unowned host] in host.drainWorkerEffects() }
    host.update(
      workflow: Made(initial: 0) { state, context in
        context.awaitResult(for: Job(number: 1)) { _ in AnyWorkflowAction<Made<Int, Int>>.noAction }
        if let ask = box.ask { counts.append(ask().count) }
        return state
      })
    #expect(counts == [0])
    #expect(host.drainWorkerEffects().count == 1)
  }

  // MARK: Who

  enum Call: String, Codable, CaseIterable {
    case rendering, renderCount, onRendering, onOutput, onWorkerEffects, update, batch
    case renderIfNeeded, drainOutputs, drainWorkerEffects, deliver, end, debugSnapshot, snapshot,
      send

    func make(on host: WorkflowHost<Counter>, _ sink: Sink<Counter.Action>) {
      switch self {
      case .rendering: _ = host.rendering
      case .renderCount: _ = host.renderCount
      case .onRendering: host.onRendering = { _ in }
      case .onOutput: host.onOutput = { _ in }
      case .onWorkerEffects: host.onWorkerEffects = { _ in }
      case .update: host.update(workflow: Counter())
      case .batch: host.batch {}
      case .renderIfNeeded: host.renderIfNeeded()
      case .drainOutputs: _ = host.drainOutputs()
      case .drainWorkerEffects: _ = host.drainWorkerEffects()
      case .deliver: host.deliver(WorkerOutput(workerID: WorkerID(number: 1), value: 1))
      case .end: host.end()
      case .debugSnapshot: _ = host.debugSnapshot()
      case .snapshot: _ = host.snapshot()
      case .send: sink.send(.tap)
      }
    }
  }

  @Test(arguments: Call.allCases)
  func callFromAnotherThreadEndsTheProcess(call: Call) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [call = call as Call] in
      nonisolated(unsafe) let host = WorkflowHost(workflow: Counter())
      nonisolated(unsafe) let sink = host.rendering.sink
      onAnotherThread { call.make(on: host, sink) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("thread that is not its own"), "\(text)")
  }

  @Test(arguments: Call.allCases)
  func threadThatAdoptedTheHostMayCall(call: Call) {
    nonisolated(unsafe) let host = WorkflowHost(workflow: Counter())
    nonisolated(unsafe) let sink = host.rendering.sink
    onAnotherThread {
      host.adoptCurrentThread()
      call.make(on: host, sink)
    }
    #expect(host.renderCount >= 1)
  }

  @Test func adoptingAHostDuringACallEndsTheProcess() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      nonisolated(unsafe) let host = WorkflowHost(workflow: Counter())
      host.batch { onAnotherThread { host.adoptCurrentThread() } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("while it is not in use"), "\(text)")
  }

  // MARK: Actors

  private actor Screen {
    private let host: WorkflowHost<Counter>
    init() { host = WorkflowHost(workflow: Counter()) }
    func tap() -> Int {
      host.rendering.sink.send(.tap)
      return host.rendering.count
    }
    func adopt() { host.adoptCurrentThread() }
  }

  /// Returns a screen that is created outside of any task, as at the top level of a main.swift
  /// without `await`.
  private func makeScreen() -> Screen {
    nonisolated(unsafe) var screen: Screen?
    onAnotherThread { screen = Screen() }
    return screen ?? Screen()
  }

  @Test func actorMayUseAHostCreatedOutsideOfATask() async {
    let screen = makeScreen()
    for count in 1...20 {
      let seen = await Task.detached { await screen.tap() }.value
      #expect(seen == count)
    }
  }

  @Test func actorMayChangeThreadsAfterAdoptingOne() async {
    let screen = makeScreen()
    await screen.adopt()
    for count in 1...20 {
      let seen = await Task.detached { await screen.tap() }.value
      #expect(seen == count)
    }
  }

  @Test func threadMayNotCallAHostUsedByTasks() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      nonisolated(unsafe) let host = WorkflowHost(workflow: Counter())
      await Task.detached { host.rendering.sink.send(.tap) }.value
      onAnotherThread { host.rendering.sink.send(.tap) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("thread that is not its own"), "\(text)")
  }
}
