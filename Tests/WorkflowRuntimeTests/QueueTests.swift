import Testing
import WorkflowRuntime

/// Tests that the action queue of a turn may be long, but not endless.
@Suite struct QueueTests {
  @Test func hundredThousandSendsFromACallbackAreApplied() {
    let host = WorkflowHost(workflow: Counter())
    host.onRendering = { rendering in
      if rendering.count < 100_000 { rendering.sink.send(.tap) }
    }
    host.rendering.sink.send(.tap)
    #expect(host.rendering.count == 100_000)
  }

  @Test func hundredThousandQueuedSendsAreApplied() {
    let host = WorkflowHost(workflow: Counter())
    host.onRendering = { rendering in
      guard rendering.count == 1 else { return }
      for _ in 0..<100_000 { rendering.sink.send(.tap) }
    }
    host.rendering.sink.send(.tap)
    #expect(host.rendering.count == 100_001)
    #expect(host.renderCount == 3)
  }

  @Test func sendLimitAppliesToEachTurn() {
    let host = WorkflowHost(workflow: Counter())
    host.onRendering = { rendering in
      guard rendering.count % 100_001 == 1 else { return }
      for _ in 0..<100_000 { rendering.sink.send(.nothing) }
    }
    for _ in 0..<6 { host.update(workflow: Counter()) }
    host.rendering.sink.send(.tap)
    #expect(host.rendering.count == 1)
  }

  @Test(arguments: [1, 2])
  func anActionThatSendsItselfEndsWithAMessage(times: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [times = times as Int] in
      struct Again: Workflow {
        final class Box { var sink: Sink<Send>? }
        let box: Box
        struct Send: WorkflowAction {
          let box: Box
          let times: Int
          typealias WorkflowType = Again
          func apply(toState state: inout Int) -> Never? {
            for _ in 0..<times { box.sink?.send(self) }
            return nil
          }
        }
        func makeInitialState() -> Int { 0 }
        func render(state: Int, context: RenderContext<Again>) -> Sink<Send> {
          context.makeSink()
        }
      }
      let box = Again.Box()
      let host = WorkflowHost(workflow: Again(box: box))
      box.sink = host.rendering
      host.rendering.send(.init(box: box, times: times))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("actions were queued in one turn"), "\(text)")
    #expect(text.contains("Again"), "\(text)")
  }
}
