import Testing
import WorkflowRuntime

/// Tests explicit ends of a host, and handlers that are set late.
@Suite struct EndTests {
  /// A page with a worker, a side effect, a counter, and an output per tap.
  private struct Page: Workflow {
    typealias Output = Int
    let log: Log

    enum Action: WorkflowAction {
      case tap, answered
      typealias WorkflowType = Page
      func apply(toState state: inout Int) -> Int? {
        state += 1
        return state
      }
    }

    func makeInitialState() -> Int { 0 }
    func render(state: Int, context: RenderContext<Page>) -> (count: Int, sink: Sink<Action>) {
      context.awaitResult(for: Job()) { _ in Action.answered }
      context.runSideEffect(key: "watch") { [log] lifetime in
        lifetime.onEnded { log.add("watch ended") }
      }
      return (state, context.makeSink())
    }
  }

  private static func ids(_ effects: [WorkerEffect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .start(let task): "start \(task.id)"
      case .stop(let id): "stop \(id)"
      }
    }
  }

  // MARK: The end

  @Test func endSaysWhichWorkersToStopAndEndsSideEffects() {
    let log = Log()
    let host = WorkflowHost(workflow: Page(log: log))
    #expect(Self.ids(host.drainWorkerEffects()) == ["start #1"])
    #expect(Self.ids(host.end()) == ["stop #1"])
    #expect(log.drain() == ["watch ended"])
    #expect(host.end().isEmpty)
  }

  @Test func workerThatWasNeverStartedNeedsNoStop() {
    let host = WorkflowHost(workflow: Page(log: Log()))
    #expect(host.end().isEmpty)
    #expect(host.drainWorkerEffects().isEmpty)
  }

  @Test func handlerIsCalledWithTheStopsOnce() {
    var heard: [String] = []
    do {
      let host = WorkflowHost(workflow: Page(log: Log()))
      host.onWorkerEffects = { heard += Self.ids($0) }
      #expect(host.end().isEmpty)
    }
    #expect(heard == ["start #1", "stop #1"])
  }

  @Test func endedHostIgnoresActionsAndOutputs() {
    final class Drops: WorkflowObserver {
      var dropped: [String] = []
      func actionWasDropped(_ action: Any) { dropped.append("\(action)") }
      func workerOutputWasDropped(_ output: WorkerOutput) { dropped.append("\(output.workerID)") }
    }
    let drops = Drops()
    let host = WorkflowHost(workflow: Page(log: Log()), observers: [drops])
    let sink = host.rendering.sink
    sink.send(.tap)
    host.end()
    sink.send(.tap)
    host.deliver(WorkerOutput(workerID: WorkerID(number: 1), value: 1))
    host.update(workflow: Page(log: Log()))
    host.renderIfNeeded()
    #expect(host.batch { 7 } == 7)
    #expect(host.rendering.count == 1)
    #expect(host.renderCount == 2)
    #expect(host.drainOutputs() == [1])
    #expect(host.debugSnapshot().nodes.isEmpty)
    #expect(host.snapshot().nodes.isEmpty)
    #expect(drops.dropped == ["tap", "#1"])
  }

  @Test func endInACallbackComesWhenThatHasReturned() {
    let log = Log()
    let host = WorkflowHost(workflow: Page(log: log))
    _ = host.drainWorkerEffects()
    let sink = host.rendering.sink
    host.onOutput = { [unowned host] output in
      sink.send(.tap)
      #expect(host.end().isEmpty)
      log.add("output \(output)")
    }
    sink.send(.tap)
    #expect(log.drain() == ["output 1", "watch ended"])
    #expect(Self.ids(host.drainWorkerEffects()) == ["stop #1"])
  }

  @Test func afterAnEndInAnActionNothingIsDrawn() {
    final class Box { var end: (() -> Void)? }
    let box = Box()
    let host = WorkflowHost(
      workflow: Made<Int, (count: Int, sink: StateMutationSink<Made<Int, Int>>?)>(initial: 0) {
        state, context in
        let sink = context.makeStateMutationSink()
        context.runSideEffect(key: 1) { _ in
          sink.send {
            $0 = 5
            box.end?()
          }
        }
        return (state, nil)
      })
    #expect(host.rendering.count == 5)
    box.end = { host.end() }
    host.update(
      workflow: Made(initial: 0) { state, context in
        let sink = context.makeStateMutationSink()
        context.runSideEffect(key: 2) { _ in
          sink.send {
            $0 = 6
            box.end?()
          }
        }
        return (state, nil)
      })
    #expect(host.rendering.count == 5)
    #expect(host.renderCount == 3)
    #expect(host.debugSnapshot().nodes.isEmpty)
    box.end = nil
  }

  // MARK: Handlers that are set late

  @Test func lateOutputHandlerGetsPendingOutputs() {
    let host = WorkflowHost(workflow: Page(log: Log()))
    host.rendering.sink.send(.tap)
    host.rendering.sink.send(.tap)
    var got: [Int] = []
    host.onOutput = { got.append($0) }
    #expect(got == [1, 2])
    #expect(host.drainOutputs().isEmpty)
    host.rendering.sink.send(.tap)
    #expect(got == [1, 2, 3])
  }

  @Test func handlersSetInABatchGetPendingValuesAtItsEnd() {
    let host = WorkflowHost(workflow: Page(log: Log()))
    var got: [String] = []
    host.batch {
      host.rendering.sink.send(.tap)
      host.onOutput = { got.append("output \($0)") }
      host.onWorkerEffects = { got += Self.ids($0) }
      #expect(got.isEmpty)
      #expect(host.renderCount == 1)
      #expect(host.drainOutputs().isEmpty)
      #expect(host.drainWorkerEffects().isEmpty)
    }
    #expect(got == ["output 1", "start #1"])
  }

  @Test func handlersSetInACallbackGetPendingValuesAtTheEndOfTheTurn() {
    let host = WorkflowHost(workflow: Page(log: Log()))
    var got: [String] = []
    host.onRendering = { [unowned host] _ in
      host.onOutput = { got.append("output \($0)") }
      host.onWorkerEffects = { got += Self.ids($0) }
      got.append("set")
    }
    host.rendering.sink.send(.tap)
    #expect(got == ["set", "output 1", "start #1"])
  }

  @Test func drainOutputsReturnsNothingWhileAHandlerIsSet() {
    let host = WorkflowHost(workflow: Page(log: Log()))
    var got: [Int] = []
    host.onRendering = { [unowned host] _ in #expect(host.drainOutputs().isEmpty) }
    host.onOutput = { got.append($0) }
    host.rendering.sink.send(.tap)
    #expect(got == [1])
    host.onOutput = nil
    host.onRendering = nil
    host.rendering.sink.send(.tap)
    #expect(got == [1])
    #expect(host.drainOutputs() == [2])
  }
}
