import Testing
import WorkflowRuntime

/// Tests actions that are sent while the host is busy.
@Suite struct ReentrancyTests {
  @Test func sendsFromRenderingCallbackAreAppliedInOrderAndDrawnTogether() {
    let host = WorkflowHost(workflow: Counter())
    var counts: [Int] = []
    host.onRendering = { rendering in
      counts.append(rendering.count)
      guard rendering.count == 1 else { return }
      rendering.sink.send(.tap)
      rendering.sink.send(.tapAndReport)
    }
    host.rendering.sink.send(.tap)
    #expect(counts == [1, 3])
    #expect(host.drainOutputs() == [3])
  }

  @Test func sendFromOutputCallbackIsApplied() {
    let host = WorkflowHost(workflow: Counter())
    host.onOutput = { [unowned host] output in
      if output < 3 { host.rendering.sink.send(.tapAndReport) }
    }
    host.rendering.sink.send(.tapAndReport)
    #expect(host.rendering.count == 3)
  }

  @Test func sendInsideApplyIsAppliedAfterwards() {
    struct Loop: Workflow {
      final class Box { var sink: Sink<Add>? }
      let box = Box()
      struct Add: WorkflowAction {
        let text: String
        let box: Box
        typealias WorkflowType = Loop
        func apply(toState state: inout [String]) -> Never? {
          if text == "a" {
            box.sink?.send(Add(text: "b", box: box))
            box.sink?.send(Add(text: "c", box: box))
          }
          state.append(text)
          return nil
        }
      }
      func makeInitialState() -> [String] { [] }
      func render(state: [String], context: RenderContext<Loop>) -> [String] {
        box.sink = context.makeSink()
        return state
      }
    }
    let workflow = Loop()
    let host = WorkflowHost(workflow: workflow)
    workflow.box.sink?.send(Loop.Add(text: "a", box: workflow.box))
    #expect(host.rendering == ["a", "b", "c"])
    #expect(host.renderCount == 2)
  }

  @Test func sendInsideRenderIsAppliedAfterThePass() {
    let workflow = Made<Int, Int>(initial: 0) { state, context in
      if state < 2 { context.makeStateMutationSink().send { $0 += 1 } }
      return state
    }
    let host = WorkflowHost(workflow: workflow)
    #expect(host.rendering == 2)
    #expect(host.renderCount == 3)
  }

  @Test func secondEventOfAnOldRenderingIsAppliedToo() {
    let host = WorkflowHost(workflow: Counter())
    let old = host.rendering
    old.sink.send(.tap)
    old.sink.send(.tap)
    #expect(host.rendering.count == 2)
  }

  @Test func sinkOfAnOldRenderingIsEqualToTheNewOne() {
    let host = WorkflowHost(workflow: Counter())
    let old = host.rendering.sink
    old.send(.tap)
    #expect(old == host.rendering.sink)
    #expect(old != WorkflowHost(workflow: Counter()).rendering.sink)
  }

  @Test func updateAndBatchFromACallback() {
    let host = WorkflowHost(workflow: Counter())
    host.onRendering = { [unowned host] rendering in
      guard rendering.count == 1 else { return }
      host.update(workflow: Counter(step: 2))
      host.batch { rendering.sink.send(.tap) }
      host.renderIfNeeded()
    }
    host.rendering.sink.send(.tap)
    #expect(host.rendering.count == 2)
  }

  @Test func staleSinkIsDroppedAndObserved() {
    final class Dropped: WorkflowObserver {
      var actions: [Any] = []
      func actionWasDropped(_ action: Any) { actions.append(action) }
    }
    let observer = Dropped()
    var hide: StateMutationSink<Made<Bool, Counter.Rendering?>>?
    let hiding = Made<Bool, Counter.Rendering?>(initial: true) { state, context in
      hide = context.makeStateMutationSink()
      return state ? Counter().ignoringOutput().rendered(with: context) : nil
    }
    let host = WorkflowHost(workflow: hiding, observers: [observer])
    let sink = host.rendering?.sink
    hide?.send { $0 = false }
    sink?.send(.tap)
    #expect(host.rendering == nil)
    #expect(observer.actions.count == 1)
    #expect(observer.actions.first as? Counter.Action == .tap)
  }
}
