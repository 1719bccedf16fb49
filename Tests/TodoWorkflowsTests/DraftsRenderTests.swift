import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of a choice between drafts")
struct DraftsRenderTests {
  private func workflow() throws -> DraftsWorkflow {
    let drafts = [(7, "Buy oat milk"), (3, "Buy")].map { number, text in
      StoredDraft(
        number: number,
        draft: Draft(
          base: EditBase(list: .local, id: TodoID("t1"), version: 1), edit: .merged(text)),
        typedAt: Timestamp(milliseconds: 1_795_452_120_000), title: "Buy milk")
    }
    return DraftsWorkflow(choice: try #require(DraftChoice(drafts)))
  }

  private func output(of action: String, item: String? = nil) throws -> DraftsWorkflow.Output? {
    try workflow().renderTester()
      .render { $0.act(ActionCall(action: action, items: item.map { [$0] } ?? [])) }
      .outputs.first
  }

  @Test("The newest draft is the first row")
  func rows() throws {
    try workflow().renderTester().render { screen in
      let shown = screen.describe()
      #expect(shown.subject == "Buy milk")
      guard case .list(let list) = shown.body else {
        Issue.record("no list: \(shown.body)")
        return
      }
      #expect(list.items.all.map(\.id) == ["7", "3"])
      #expect(list.items.all.first?.detail == "2026-11-23 16:42 UTC: Buy oat milk")
    }
  }

  @Test("A row is opened or discarded")
  func rowActions() throws {
    #expect(try output(of: "open", item: "3") == .open(number: 3, nil))
    #expect(try output(of: "discard", item: "7") == .discard(number: 7, nil))
    #expect(try output(of: "discard", item: "no number") == nil)
    #expect(try output(of: "back") == .back)
  }
}
