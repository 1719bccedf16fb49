import ScreenModel
import TestSupport
import Testing
import TodoModel

@testable import TodoWorkflows

/// Tests the rows of todos with drafts.
@Suite struct DraftRowsTests {
  private func row(_ id: String, _ sync: SyncState = .local) -> TodoRow {
    TodoRow(id: TodoID(id), title: id, isDone: false, sync: sync, number: nil)
  }

  private func drafted(_ id: String, isGone: Bool = false) -> DraftedTodo {
    DraftedTodo(
      id: TodoID(id), draftCount: 1, typedAt: Timestamp(milliseconds: 1_795_452_120_000), title: id,
      isGone: isGone)
  }

  private func badges(_ rows: TodoRows) -> [String?] { rows.items.all.map(\.badge) }

  @Test func draftReplacesEveryOtherBadge() {
    var rows = TodoRows([
      row("a"), row("b", .pending), row("c", .conflict), row("d", .failed), row("e"),
    ])
    rows.mark(["a", "b", "c", "d", "x"].map { drafted($0) })
    #expect(badges(rows) == ["draft", "draft", "draft", "draft", nil])
    #expect(rows.items.all.map(\.tone) == [.notice, .notice, .alert, .alert, nil])
  }

  @Test func draftBadgeIsKeptWhenTheTodoChanges() {
    var list = ListContents()
    _ = list.apply(TodoRows([row("a"), row("t1")]), readBy: list.reading)
    var isShown = list.show([drafted("t1")])
    #expect(isShown)
    isShown = list.show(.changed(Sample.todo("t1")))
    #expect(isShown)
    #expect(badges(list.rows) == [nil, "draft"])
    isShown = list.show([drafted("t1"), drafted("a")])
    #expect(isShown)
    #expect(badges(list.rows) == ["draft", "draft"])
    // Only the store knows the badge that the row has without a draft.
    isShown = list.show([drafted("a")])
    #expect(!isShown)
  }

  @Test func messageAboutDraftsEndsWithTheLastDraft() {
    var list = ListContents()
    _ = list.show([drafted("t1"), drafted("a")])
    list.notify(.info, "2 unsaved texts were recovered.", about: .drafts)
    _ = list.show([drafted("a")])
    #expect(list.message != nil)
    _ = list.show([])
    #expect(list.message == nil)
    list.notify(.info, "Loading was stopped.")
    _ = list.show([])
    #expect(list.message != nil)
  }

  /// A removed todo with a draft has a row only in the unfiltered list, at the top.
  @Test(arguments: [("", 0, ["gone", "a"], 7, 0), ("", 5, ["a"], 7, 6), ("word", 0, ["a"], 6, 0)])
  func removedTodoWithADraftHasARow(
    filter: String, offset: Int, items: [String], total: Int, shownOffset: Int
  ) {
    let screen = TodoListScreen.sample(
      rows: TodoRows([row("a")], total: 6, offset: offset),
      removedWithDraft: [drafted("gone", isGone: true)], filter: filter)
    guard case .list(let list) = screen.contents.body else {
      Testing.Issue.record("The screen is not a list.")
      return
    }
    #expect(list.items.all.map(\.id) == items)
    let isGone = list.items.all.map { $0.id == "gone" }
    #expect(list.items.all.map(\.isReadOnly) == isGone, "only open is possible")
    #expect((list.total, list.offset) == (total, shownOffset))
    if items.count == 2 { #expect(list.items[0]?.detail == "2026-11-23 16:42 UTC") }
  }

  @Test(arguments: [
    (ListWindow(offset: 0, limit: 2), ["gone", "lost"], 0),
    (ListWindow(offset: 1, limit: 2), ["lost", "a"], 1),
    (ListWindow(offset: 2, limit: 2), ["a", "b"], 2),
    (ListWindow(offset: 3, limit: 2), ["b", "c"], 3),
    (ListWindow(offset: 0, limit: 0), [], 0),
  ])
  func windowCountsTheRowsOfRemovedTodosWithDrafts(
    window: ListWindow, items: [String], offset: Int
  ) {
    var list = ListContents()
    _ = list.show([drafted("gone", isGone: true), drafted("lost", isGone: true)])
    list.turn(to: window)
    let stored = [row("a"), row("b"), row("c"), row("d")]
    let rows = stored.dropFirst(list.window.offset).prefix(window.limit ?? 0)
    _ = list.apply(
      TodoRows(Array(rows), total: 4, offset: list.window.offset, window: list.window),
      readBy: list.rowsAtOffset)
    var screen = TodoListScreen.sample(
      rows: list.rows, removedWithDraft: list.removedWithDraft)
    screen.draftRowsAbove = list.draftRowsAbove
    guard case .list(let shown) = screen.contents.body else {
      Testing.Issue.record("The screen is not a list.")
      return
    }
    #expect(shown.items.all.map(\.id) == items)
    #expect((shown.total, shown.offset) == (6, offset))
  }

  @Test func addedRowIsShownBesideRowsOfRemovedTodos() {
    var list = ListContents(window: ListWindow(limit: 2))
    _ = list.show([drafted("gone", isGone: true), drafted("lost", isGone: true)])
    list.reveal(TodoID("a"))
    _ = list.apply(TodoRows([row("a")], window: list.window), readBy: list.reading)
    #expect(list.draftRowsAbove == 2)
    // The user then scrolls up.
    list.turn(to: ListWindow(limit: 2))
    _ = list.apply(TodoRows([row("a")], window: list.window), readBy: list.rowsAtOffset)
    #expect(list.draftRowsAbove == 0)
  }

  @Test func restoredTodoWithADraftHasOneRow() {
    var list = ListContents()
    _ = list.apply(TodoRows([row("a")]), readBy: list.reading)
    _ = list.show([drafted("t1", isGone: true)])
    #expect(list.removedWithDraft.map(\.id.text) == ["t1"])
    let restored = Sample.todo("t1")
    #expect(list.changesDraftRow(.reappeared(restored)))
    #expect(!list.changesDraftRow(.removed(TodoID("a"))))
    // Another server may have restored it, so the rows can be newer than the drafts.
    _ = list.apply(TodoRows([row("a"), row("t1")]), readBy: list.reading)
    #expect(list.removedWithDraft.isEmpty)
  }

  @Test func excerptIsOneShortLine() {
    func excerpt(_ text: String) -> String {
      StoredDraft(
        number: 1,
        draft: Draft(
          base: EditBase(list: .local, id: TodoID("t1"), version: 1), edit: .merged(text)),
        typedAt: Timestamp(milliseconds: 0), title: ""
      ).excerpt
    }
    #expect(excerpt("Milk\r\n\r\n\tTwo litres\n") == "Milk Two litres")
    #expect(excerpt("") == "")
    #expect(excerpt(String(repeating: "a", count: 60)).count == 60)
    #expect(excerpt(String(repeating: "a", count: 61)) == String(repeating: "a", count: 60) + "…")
    #expect(excerpt(String(repeating: "a ", count: 1_000)).utf8.count < 130)
  }
}
