import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of the removed todos")
struct RemovedRenderTests {
  private static let time = Timestamp(milliseconds: 1_795_452_120_000)

  private func todo(
    _ id: String, _ reason: RemovalReason = .removed, by author: ChangeAuthor = .local
  ) -> RemovedTodo {
    RemovedTodo(
      id: TodoID(id), title: "Todo \(id)", reason: reason, author: author, removedAt: Self.time)
  }

  private func workflow(
    _ todos: [RemovedTodo], _ window: ListWindow = .whole
  ) -> RemovedWorkflow {
    RemovedWorkflow(list: RemovedList(todos, in: .local, window: window))
  }

  private func list(_ workflow: RemovedWorkflow) throws -> ScreenList {
    var list: ScreenList?
    workflow.renderTester().render { screen in
      if case .list(let shown) = screen.describe().body { list = shown }
    }
    return try #require(list)
  }

  private func question(_ todos: [RemovedTodo]) -> String? {
    var question: String?
    workflow(todos).renderTester().render { screen in
      question = screen.describe().actions.first { $0.name == "restore" }?.confirm
    }
    return question
  }

  @Test("A row names the reason, the actor and the time")
  func details() throws {
    let todos = [
      todo("a"), todo("b", by: .document), todo("c", by: .assistant),
      todo("d", .closed, by: .source), todo("e", .deleted, by: .source),
    ]
    #expect(
      try list(workflow(todos)).items.all.compactMap(\.detail) == [
        "removed by you, 2026-11-23 16:42 UTC", "removed in a document, 2026-11-23 16:42 UTC",
        "removed by an assistant, 2026-11-23 16:42 UTC",
        "closed at the source, 2026-11-23 16:42 UTC",
        "deleted at the source, 2026-11-23 16:42 UTC",
      ])
  }

  @Test("Only restoring a closed item asks a question")
  func questions() {
    #expect(question([todo("a"), todo("b", .deleted, by: .source)]) == nil)
    #expect(
      question([todo("a"), todo("b", .closed, by: .source)])?.contains("opened there") == true)
  }

  @Test("A window contains a part of the rows, and one beyond the end shows the end")
  func windows() throws {
    let todos = (0..<5).map { todo("\($0)") }
    var shown = workflow(todos, ListWindow(offset: 3, limit: 2))
    #expect(try list(shown).items.all.map(\.id) == ["0", "1"], "it opens at the newest")
    shown.list.window = ListWindow(offset: 2, limit: 2)
    #expect(try list(shown).items.all.map(\.id) == ["2", "3"])
    #expect(try list(shown).offset == 2)
    shown.list.window = ListWindow(offset: 9, limit: 2)
    #expect(try list(shown).items.all.map(\.id) == ["3", "4"])
    #expect(try list(shown).total == 5)
    shown.list.follow([])
    #expect(try list(shown).offset == 0)
  }

  @Test("A row is restored or forgotten")
  func rowActions() {
    func output(_ action: String) -> RemovedWorkflow.Output? {
      workflow([todo("a")]).renderTester()
        .render { $0.act(ActionCall(action: action, items: ["a"])) }
        .outputs.first
    }
    #expect(output("restore") == .restore(TodoID("a"), nil))
    #expect(output("forget") == .forget(TodoID("a"), nil))
    #expect(output("back") == .back)
  }
}
