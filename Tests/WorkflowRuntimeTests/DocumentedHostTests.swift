import Synchronization
import Testing
import WorkflowRuntime

/// Compiles and runs the examples about running and observing workflows.
@Suite struct DocumentedHostTests {
  private typealias Stepper = DocumentedWorkflowTests.Stepper
  private typealias Counter = DocumentedWorkflowTests.Counter

  struct Inbox: Workflow {
    enum Output: Equatable { case quit }
    enum Event: Equatable {
      case key(Character)
      case close
    }
    enum Action: WorkflowAction {
      case received(Event)
      typealias WorkflowType = Inbox
      func apply(toState state: inout String) -> Output? {
        switch self {
        case .received(.key(let key)):
          state.append(key)
          return nil
        case .received(.close): return .quit
        }
      }
    }
    func makeInitialState() -> String { "" }
    func render(
      state: String, context: RenderContext<Inbox>
    ) -> (text: String, sink: Sink<Action>) { (state, context.makeSink()) }
  }

  @Test func batchAndOutputs() {
    let host = WorkflowHost(workflow: Inbox())
    let sink = host.rendering.sink
    let waiting: [Inbox.Event] = [.key("a"), .key("b"), .close]
    var isRunning = true
    host.batch {
      for event in waiting { sink.send(.received(event)) }
    }
    #expect(host.rendering.text == "ab")
    #expect(host.renderCount == 2)
    if host.drainOutputs().contains(.quit) { isRunning = false }
    #expect(!isRunning)
  }

  @Test func callbacks() {
    final class Screen {
      var shown: [Int] = []
      func show(_ count: Int) { shown.append(count) }
    }
    let screen = Screen()
    let host = WorkflowHost(workflow: Counter())
    host.onRendering = { [unowned screen] rendering in screen.show(rendering.count) }
    host.rendering.onTap()
    #expect(screen.shown == [1])
  }

  @Test func outputCallback() {
    var log: [Inbox.Output] = []
    let host = WorkflowHost(workflow: Inbox())
    host.onOutput = { output in log.append(output) }
    host.rendering.sink.send(.received(.close))
    #expect(log == [.quit])
  }

  @Test func workerEffectsCallback() {
    let received = Mutex<[WorkerID]>([])
    let runner = WorkerRunner { output in received.withLock { $0.append(output.workerID) } }
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Cached()) { _ in AnyWorkflowAction<Made<Int, Int>>.noAction }
        return state
      })
    host.onWorkerEffects = { effects in runner.perform(effects) }
    #expect(received.withLock { $0 } == [WorkerID(number: 1)])
  }

  @Test func endSaysWhichWorkersToStop() {
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Made<Int, Int>>.noAction }
        return state
      })
    var tasks: [WorkerID: Task<Void, Never>] = [:]
    for case .start(let task) in host.drainWorkerEffects() {
      tasks[task.id] = Task { await task.run { _ in } }
    }
    for case .stop(let id) in host.end() { tasks.removeValue(forKey: id)?.cancel() }
    #expect(tasks.isEmpty)
  }

  @Test func handingOver() {
    nonisolated(unsafe) let host = WorkflowHost(workflow: Counter())
    onAnotherThread {
      host.adoptCurrentThread()  // first thing in the new thread
      host.rendering.onTap()
    }
    #expect(host.rendering.count == 1)
  }

  @Test func snapshotOfOneNode() {
    let draft = TreeSnapshot.Node(parent: nil, workflow: Draft.self, state: Array("new".utf8))
    let snapshot = TreeSnapshot(nodes: [draft])
    #expect(WorkflowHost(workflow: Draft(), restoring: snapshot).rendering.text == "new")
  }

  @Test func update() {
    let host = WorkflowHost(workflow: Stepper(step: 1))
    host.update(workflow: Stepper(step: 10))
    host.rendering.sink.send(.init())
    #expect(host.rendering.count == 10)
  }

  @Test func savedStates() {
    let host = WorkflowHost(workflow: Draft())
    host.rendering.sink.send { $0 = "text" }
    let saved = host.snapshot()
    let again = WorkflowHost(workflow: Draft(), restoring: saved)
    #expect(again.rendering.text == "text")
  }

  @Test func observerAndDebugSnapshot() {
    struct ActionLog: WorkflowObserver {
      func workflowDidReceiveAction<Action: WorkflowAction>(
        _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
      ) {
        print("\(session.workflowName)#\(session.id): \(action)")  // Counter#1: tap
      }
    }
    let host = WorkflowHost(workflow: Counter(), observers: [ActionLog()])
    host.rendering.onTap()
    print(host.debugSnapshot())  // Counter state=1
    #expect(printed.withLock { $0 } == ["Counter#1: tap", "Counter state=1"])
  }
}

private struct Cached: Worker, Equatable {
  func run() async -> Int { 1 }
  func immediateResult() -> Int? { 1 }
}

private struct Draft: Workflow {
  func makeInitialState() -> String { "" }
  func render(
    state: String, context: RenderContext<Draft>
  ) -> (text: String, sink: StateMutationSink<Draft>) {
    (state, context.makeStateMutationSink())
  }
}

extension Draft: StateSavingWorkflow {
  func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }
  func restoredState(from bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self)
  }
}

private let printed = Mutex<[String]>([])

/// Records the output of the examples.
private func print(_ value: Any) {
  printed.withLock { $0.append("\(value)") }
}
