import Testing
import WorkflowRuntime

@Suite struct HostTests {
  @Test func rendersSimpleWorkflow() {
    let host = WorkflowHost(workflow: Counter())
    #expect(host.rendering.count == 0)
    #expect(host.renderCount == 1)
  }

  @Test func renderingIsNewWhenSendReturns() {
    let host = WorkflowHost(workflow: Counter())
    host.rendering.sink.send(.tap)
    #expect(host.rendering.count == 1)
    host.rendering.sink.send(.tap)
    #expect(host.rendering.count == 2)
    #expect(host.renderCount == 3)
  }

  @Test func updateRendersWithTheNewValue() {
    struct Title: Workflow {
      let title: String
      func render(state: Void, context: RenderContext<Title>) -> String { title }
    }
    let host = WorkflowHost(workflow: Title(title: "a"))
    host.update(workflow: Title(title: "b"))
    #expect(host.rendering == "b")
  }

  @Test func updateAlwaysRendersTheRoot() {
    struct Same: Workflow, Equatable {
      let log: Log
      static func == (left: Same, right: Same) -> Bool { true }
      func workflowDidChange(from previousWorkflow: Same, state: inout Void) { log.add("changed") }
      func render(state: Void, context: RenderContext<Same>) { log.add("render") }
    }
    let log = Log()
    let host = WorkflowHost(workflow: Same(log: log))
    host.update(workflow: Same(log: log))
    #expect(log.lines == ["render", "render"])
    #expect(host.renderCount == 2)
  }

  @Test func outputsWaitUntilTaken() {
    let host = WorkflowHost(workflow: Counter())
    host.rendering.sink.send(.report)
    host.rendering.sink.send(.tapAndReport)
    #expect(host.drainOutputs() == [0, 1])
    #expect(host.drainOutputs() == [])
  }

  @Test func outputComesAfterItsRendering() {
    let host = WorkflowHost(workflow: Counter())
    let log = Log()
    host.onRendering = { log.add("rendering \($0.count)") }
    host.onOutput = { [unowned host] in log.add("output \($0) at \(host.rendering.count)") }
    host.rendering.sink.send(.tapAndReport)
    #expect(log.lines == ["rendering 1", "output 1 at 1"])
    #expect(host.drainOutputs() == [])
  }

  @Test func batchAppliesInOrderAndDrawsOnce() {
    let host = WorkflowHost(workflow: Counter())
    let sink = host.rendering.sink
    let result = host.batch {
      sink.send(.tap)
      sink.send(.tapAndReport)
      #expect(host.rendering.count == 0)
      return "done"
    }
    #expect(result == "done")
    #expect(host.rendering.count == 2)
    #expect(host.renderCount == 2)
    #expect(host.drainOutputs() == [2])
  }

  @Test func nestedBatchesJoin() {
    let host = WorkflowHost(workflow: Counter())
    host.batch {
      host.batch { host.rendering.sink.send(.tap) }
      #expect(host.renderCount == 1)
      host.rendering.sink.send(.tap)
    }
    #expect(host.rendering.count == 2)
    #expect(host.renderCount == 2)
  }

  @Test func renderIfNeededDrawsInABatch() {
    let host = WorkflowHost(workflow: Counter())
    host.batch {
      host.rendering.sink.send(.tap)
      host.renderIfNeeded()
      #expect(host.rendering.count == 1)
      host.renderIfNeeded()
    }
    #expect(host.renderCount == 2)
  }

  @Test func batchRendersBeforeItRethrows() throws {
    struct Broken: Error {}
    let host = WorkflowHost(workflow: Counter())
    #expect(throws: Broken.self) {
      try host.batch {
        host.rendering.sink.send(.tap)
        throw Broken()
      }
    }
    #expect(host.rendering.count == 1)
  }

  @Test func hostIsFreedWithItsTree() {
    final class Marker {}
    weak var marker: Marker?
    do {
      let kept = Marker()
      marker = kept
      let host = WorkflowHost(
        workflow: Made<Int, Sink<AnyWorkflowAction<Made<Int, Int>>>?>(initial: 0) { _, context in
          _ = kept
          _ = context.makeOutputSink()
          return nil
        })
      withExtendedLifetime(host) {}
    }
    #expect(marker == nil)
  }

  @Test func callbackMayReleaseTheHost() {
    final class Holder { var host: WorkflowHost<Counter>? }
    let holder = Holder()
    holder.host = WorkflowHost(workflow: Counter())
    holder.host?.onRendering = { [unowned holder] _ in holder.host = nil }
    let sink = holder.host?.rendering.sink
    sink?.send(.tap)
    #expect(holder.host == nil)
    sink?.send(.tap)
  }

  @Test func allOutputsOfABatchReachTheCallback() {
    let host = WorkflowHost(workflow: Counter())
    var outputs: [Int] = []
    host.onOutput = { outputs.append($0) }
    host.batch {
      host.rendering.sink.send(.tapAndReport)
      host.rendering.sink.send(.tapAndReport)
    }
    #expect(outputs == [1, 2])
    #expect(host.renderCount == 2)
  }

  @Test func stateIsCreatedOncePerNode() {
    struct Costly: Workflow {
      let log: Log
      func makeInitialState() -> Int {
        log.add("made")
        return 0
      }
      func render(
        state: Int, context: RenderContext<Costly>
      ) -> StateMutationSink<Costly> { context.makeStateMutationSink() }
    }
    let log = Log()
    let host = WorkflowHost(workflow: Costly(log: log))
    host.rendering.send { $0 = 1 }
    host.update(workflow: Costly(log: log))
    #expect(log.lines == ["made"])
  }
}
