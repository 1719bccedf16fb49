import ScreenModel
import TestSupport
import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("The rows of the agenda")
struct AgendaRowsTests {
  private static let other = TodoListKey(profile: "ann", source: "github:octo/a")

  private func rows(_ titles: [String], in list: TodoListKey = other) -> AgendaRows {
    var agenda = Agenda()
    for (number, title) in titles.enumerated() {
      let row = TodoRow(
        id: TodoID("t\(number)"), title: title, isDone: false,
        due: .init(.sample), sync: .local, number: nil)
      agenda.rows.append(Agenda.Row(.today, .todo(row, in: list)))
    }
    agenda.rows.append(Agenda.Row(.later, .rest(7)))
    agenda.total = agenda.rows.count
    return AgendaRows(agenda, on: .sample)
  }

  @Test("Items name their list, and lead to their todos")
  func items() {
    let rows = rows(["milk"])
    #expect(rows.items.all.map(\.id) == ["github:octo/a/t0", "rest/later"])
    #expect(rows.items[0]?.detail == "due \(CivilDay.sample) · github:octo/a")
    #expect(rows.items.all.map(\.section) == ["Today", "Later"])
    #expect(rows.items[1]?.title == "7 more")
    #expect(rows.todo("github:octo/a/t0")?.list == Self.other)
    #expect(rows.todo("github:octo/a/t0")?.id == TodoID("t0"))
    #expect(rows.todo("rest/later") == nil && rows.todo("local/t0") == nil)
  }

  @Test("Only the todos with drafts are marked, each in its list")
  func drafts() {
    let rows = rows(["milk", "bread"])
    let drafted = DraftedTodo(
      id: TodoID("t1"), draftCount: 1, typedAt: Timestamp(milliseconds: 1), title: "bread",
      isGone: false)
    #expect(rows.items(marking: [.local: [drafted]], []) == rows.items)
    let marked = rows.items(marking: [Self.other: [drafted]], [])
    #expect(marked.all.map(\.badge) == [nil, "draft", nil])
  }

  @Test("After an edit, only the edited item has changed")
  func update() {
    let before = rows(["milk", "bread"])
    var after = before
    after.update(to: rows(["milk", "rolls"]))
    #expect(after.items.all.map(\.title) == ["milk", "rolls", "7 more"])
    let changes = after.items.changes(since: before.items)
    #expect(changes?.count == 1)
    after.update(to: rows(["rolls"]))
    #expect(after.items.all.map(\.title) == ["rolls", "7 more"])
    #expect(after.total == 2 && after.todo("github:octo/a/t1") == nil)
  }
}
