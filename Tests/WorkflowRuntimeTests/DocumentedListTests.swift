import Testing
import WorkflowRuntime

/// Compiles and runs the example of the article on large lists.
@Suite struct DocumentedListTests {
  struct Row: Workflow, Equatable {
    let number: Int

    struct Rendering {
      var text: String
      var sink: StateMutationSink<Row>
    }

    func makeInitialState() -> String { "row \(number)" }
    func render(state: String, context: RenderContext<Row>) -> Rendering {
      Rendering(text: state, sink: context.makeStateMutationSink())
    }
  }

  indirect enum Tree<Leaf> {
    case leaves([Leaf])
    case groups([Tree])

    var all: [Leaf] {
      switch self {
      case .leaves(let leaves): leaves
      case .groups(let groups): groups.flatMap(\.all)
      }
    }
  }

  struct Rows: Workflow, Equatable {
    let span: Range<Int>

    func render(state: Void, context: RenderContext<Rows>) -> Tree<Row.Rendering> {
      guard span.count > 32 else {
        return .leaves(span.map { Row(number: $0).rendered(with: context, key: "\($0)") })
      }
      return .groups(
        spans(of: span, atMost: 32).map {
          Rows(span: $0).rendered(with: context, key: "\($0.lowerBound)")
        })
    }
  }

  private final class Renders: WorkflowObserver {
    var count = 0
    func workflowWillRender<W: Workflow>(
      _ workflow: W, state: W.State, session: WorkflowSession
    ) -> ((W.Rendering) -> Void)? {
      count += 1
      return nil
    }
  }

  @Test func changedRowRendersOnlyItsGroups() {
    let renders = Renders()
    let host = WorkflowHost(workflow: Rows(span: 0..<10_000), observers: [renders])
    #expect(host.rendering.all.count == 10_000)
    renders.count = 0
    host.rendering.all[5_000].sink.send { $0 = "changed" }
    #expect(host.rendering.all[5_000].text == "changed")
    #expect(renders.count == 4)
  }
}

/// Returns the parts of a span: at most `width` parts, all of the same size, except that the last
/// one can be smaller.
private func spans(of span: Range<Int>, atMost width: Int) -> [Range<Int>] {
  var step = width
  while step * width < span.count { step *= width }
  return stride(from: span.lowerBound, to: span.upperBound, by: step).map {
    $0..<min($0 + step, span.upperBound)
  }
}
