import Testing
import WorkflowRuntime

@Suite struct ObserverTests {
  final class Scribe: WorkflowObserver {
    let log: Log
    let name: String

    init(_ log: Log, _ name: String = "") {
      self.log = log
      self.name = name
    }

    private func add(_ line: String) { log.add(name + line) }

    func sessionDidBegin(_ session: WorkflowSession) {
      add("begin \(session.workflowName) \(session.id) in \(session.parentID ?? 0)")
    }
    func sessionDidEnd(_ session: WorkflowSession) { add("end \(session.id)") }
    func workflowDidMakeInitialState<W: Workflow>(
      _ workflow: W, initialState: W.State, session: WorkflowSession
    ) { add("state \(initialState) of \(session.id)") }
    func workflowWillRender<W: Workflow>(
      _ workflow: W, state: W.State, session: WorkflowSession
    ) -> ((W.Rendering) -> Void)? {
      add("will render \(session.id)")
      return { [self] _ in add("did render \(session.id)") }
    }
    func workflowDidChange<W: Workflow>(
      from previous: W, to workflow: W, state: W.State, session: WorkflowSession
    ) { add("changed \(session.id)") }
    func workflowDidReceiveAction<Action: WorkflowAction>(
      _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
    ) { add("received at \(session.id)") }
    func workflowWillApplyAction<Action: WorkflowAction>(
      _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
      session: WorkflowSession
    ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)? {
      add("will apply at \(session.id), state \(state)")
      return { [self] state, output in
        add(
          "did apply at \(session.id), state \(state), output \(output.map { "\($0)" } ?? "none")")
      }
    }
    func workerDidStart(_ id: WorkerID, name: String, _ session: WorkflowSession) {
      add("start \(name) \(id) of \(session.id)")
    }
    func workerDidStop(_ id: WorkerID, _ session: WorkflowSession) { add("stop \(id)") }
    func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession) {
      add("output of \(output.workerID)")
    }
    func workerOutputWasDropped(_ output: WorkerOutput) { add("dropped of \(output.workerID)") }
  }

  struct Parent: Workflow {
    typealias Output = String
    enum Action: WorkflowAction {
      case reported(Int)
      case hide
      typealias WorkflowType = Parent
      func apply(toState state: inout Bool) -> String? {
        switch self {
        case .reported(let count): return "got \(count)"
        case .hide:
          state = false
          return nil
        }
      }
    }
    func makeInitialState() -> Bool { true }
    func render(
      state: Bool, context: RenderContext<Parent>
    ) -> (Counter.Rendering?, Sink<Action>) {
      guard state else { return (nil, context.makeSink()) }
      context.awaitResult(for: Job()) { Action.reported($0) }
      return (
        Counter().mapOutput { Action.reported($0) }.rendered(with: context), context.makeSink()
      )
    }
  }

  @Test func creationGoesFromParentToChild() {
    let log = Log()
    let host = WorkflowHost(workflow: Parent(), observers: [Scribe(log)])
    #expect(
      log.drain() == [
        "begin Parent 1 in 0", "state true of 1", "will render 1", "start Job #1 of 1",
        "begin Counter 2 in 1", "state 0 of 2", "will render 2", "did render 2", "did render 1",
      ])
    withExtendedLifetime(host) {}
  }

  @Test func actionIsReceivedOnceAndAppliedAllTheWayUp() {
    let log = Log()
    let host = WorkflowHost(workflow: Parent(), observers: [Scribe(log)])
    _ = log.drain()
    host.rendering.0?.sink.send(.tapAndReport)
    #expect(
      log.drain() == [
        "received at 2", "will apply at 2, state 0", "did apply at 2, state 1, output 1",
        "will apply at 1, state true", "did apply at 1, state true, output got 1",
        "will render 1", "changed 2", "will render 2", "did render 2", "did render 1",
      ])
  }

  @Test func sessionsAndWorkersEndOnce() {
    let log = Log()
    do {
      let host = WorkflowHost(workflow: Parent(), observers: [Scribe(log)])
      _ = log.drain()
      host.rendering.1.send(.hide)
      #expect(
        log.drain().filter { $0.hasPrefix("end") || $0.hasPrefix("stop") } == ["end 2", "stop #1"])
    }
    #expect(log.drain() == ["end 1"])
  }

  @Test func workerOutputsAreObserved() {
    let log = Log()
    let host = WorkflowHost(workflow: Parent(), observers: [Scribe(log)])
    _ = log.drain()
    host.deliver(WorkerOutput(workerID: WorkerID(number: 1), value: 3))
    #expect(
      log.drain().prefix(3) == ["output of #1", "received at 1", "will apply at 1, state true"])
    host.deliver(WorkerOutput(workerID: WorkerID(number: 1), value: 3))
    #expect(log.drain() == ["dropped of #1"])
  }

  @Test func severalObserversAreCalledInOrderAndCompletionsInReverse() {
    let log = Log()
    let host = WorkflowHost(
      workflow: Counter(), observers: [Scribe(log, "a "), Scribe(log, "b ")])
    _ = log.drain()
    host.rendering.sink.send(.nothing)
    #expect(
      log.drain() == [
        "a received at 1", "b received at 1",
        "a will apply at 1, state 0", "b will apply at 1, state 0",
        "b did apply at 1, state 0, output none", "a did apply at 1, state 0, output none",
      ])
  }

  @Test func sessionsHaveUniqueIDsParentsAndKeys() {
    final class Sessions: WorkflowObserver {
      var all: [WorkflowSession] = []
      func sessionDidBegin(_ session: WorkflowSession) { all.append(session) }
    }
    let sessions = Sessions()
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        for key in ["a", "b"] {
          _ = Counter().ignoringOutput().rendered(with: context, key: key)
        }
        return state
      }, observers: [sessions])
    #expect(sessions.all.map(\.id) == [1, 2, 3])
    #expect(sessions.all.map(\.parentID) == [nil, 1, 1])
    #expect(sessions.all.map(\.key) == ["", "a", "b"])
    #expect(sessions.all.map(\.workflowName) == ["Made<Int, Int>", "Counter", "Counter"])
    withExtendedLifetime(host) {}
  }

  @Test func changeIsReportedForExistingChildren() {
    let log = Log()
    var show: StateMutationSink<Made<Int, Int>>?
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 1) { state, context in
        show = context.makeStateMutationSink()
        for key in 0..<state {
          _ = Counter(step: state).ignoringOutput().rendered(with: context, key: "\(key)")
        }
        return state
      }, observers: [Scribe(log)])
    #expect(!log.drain().contains { $0.hasPrefix("changed") })
    show?.send { $0 = 2 }
    #expect(log.drain().filter { $0.hasPrefix("changed") } == ["changed 2"])
    withExtendedLifetime(host) {}
  }

  @Test func nodeRenderedAgainHasAnotherSession() {
    let log = Log()
    var show: StateMutationSink<Made<Bool, Int>>?
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { state, context in
        show = context.makeStateMutationSink()
        return state ? Counter().ignoringOutput().rendered(with: context).count : 0
      }, observers: [Scribe(log)])
    show?.send { $0 = false }
    show?.send { $0 = true }
    #expect(
      log.drain().filter { $0.hasPrefix("begin Counter") || $0.hasPrefix("end") } == [
        "begin Counter 2 in 1", "end 2", "begin Counter 3 in 1",
      ])
    withExtendedLifetime(host) {}
  }

  @Test func actionSentByAnObserverIsAppliedAfterwards() {
    final class Echo: WorkflowObserver {
      var sink: Sink<Counter.Action>?
      func workflowDidReceiveAction<Action: WorkflowAction>(
        _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
      ) {
        if action as? Counter.Action == .tapAndReport { sink?.send(.tap) }
      }
    }
    let echo = Echo()
    let host = WorkflowHost(workflow: Counter(), observers: [echo])
    echo.sink = host.rendering.sink
    host.rendering.sink.send(.tapAndReport)
    #expect(host.drainOutputs() == [1])
    #expect(host.rendering.count == 2)
    #expect(host.renderCount == 2)
  }
}
