import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests removed todos: which of them are listed, and the effects of restoring and forgetting one.
@Suite struct RemovedTests {
  private let list = TodoListKey.local
  private let store: SQLiteStore

  init() throws { store = try SQLiteStore(at: .memory, environment: .counting()) }

  private func add(_ title: String, note: String = "") throws -> TodoID {
    try store.add(NewTodo(title: title, note: note), to: list).id
  }

  private func remove(_ id: TodoID) throws {
    try store.remove(id, expectedVersion: nil, in: list)
  }

  private func titles(_ store: SQLiteStore) throws -> [String] {
    try store.removedTodos(in: list).map(\.title)
  }

  private func number(_ sql: String) throws -> Int64 {
    try store.withConnection { connection throws(TodoError) in try connection.number(sql) }
  }

  private func expectFailure(
    _ kind: ErrorKind, _ body: () throws(TodoError) -> Void
  ) {
    let error = #expect(throws: TodoError.self) { try body() }
    #expect(error?.kind == kind)
  }

  @Test func newestRemovalIsListedFirst() throws {
    let ids = try ["a", "b", "c"].map { try add($0) }
    for id in [ids[1], ids[0], ids[2]] { try remove(id) }
    #expect(try titles(store) == ["c", "a", "b"])
    _ = try store.restore(ids[1], in: list)
    try remove(ids[1])
    #expect(try titles(store) == ["b", "c", "a"], "each is listed once, by its last removal")
  }

  @Test func actorIsListed() throws {
    for (author, title) in [(ChangeAuthor.local, "a"), (.assistant, "b")] {
      let other = SQLiteStore(
        over: store.database, environment: .counting(idsFrom: author == .local ? 50 : 60),
        author: author)
      let id = try other.add(NewTodo(title: title), to: list).id
      try other.remove(id, expectedVersion: nil, in: list)
    }
    let removed = try store.removedTodos(in: list)
    #expect(Set(removed.map { "\($0.title) \($0.author)" }) == ["a local", "b assistant"])
    #expect(removed.allSatisfy { $0.reason == .removed })
  }

  @Test func restoredTodoHasItsIDNoteHistoryAndPlace() throws {
    let ids = try ["a", "b", "c"].map { try add($0, note: "note of \($0)") }
    _ = try store.edit(ids[1], TodoEdit(title: "B"), in: list)
    try remove(ids[1])
    let todo = try store.restore(ids[1], in: list)
    #expect(todo.id == ids[1])
    #expect(todo.content == TodoContent(title: "B", note: "note of b"))
    #expect(todo.version == 4)
    #expect(try store.todos(TodoQuery(), in: list).elements.map(\.id) == ids.reversed())
    #expect(try titles(store) == [])
    // The version before the removal is still available as a base.
    var edit = try TodoEdit(title: "X")
    edit.expectedVersion = 1
    let error = #expect(throws: TodoError.self) { try store.edit(ids[1], edit, in: list) }
    #expect(error?.conflict?.base?.title == "b")
  }

  @Test func lastVersionOfARemovedTodoIsReadUntilItIsForgotten() throws {
    let id = try add("a", note: "note of a")
    try remove(id)
    let removed = try store.lastVersion(ofRemoved: id, in: list)
    #expect(removed?.content == TodoContent(title: "a", note: "note of a"))
    #expect(try removed.map { try store.restore(id, in: list).version > $0.version } == true)
    try remove(id)
    let other = TodoListKey(profile: "bob", source: "")
    #expect(try store.lastVersion(ofRemoved: id, in: other) == nil)
    try store.forget(id, in: list)
    #expect(try store.lastVersion(ofRemoved: id, in: list) == nil)
  }

  @Test func restorationIsUndoneInOneStep() throws {
    let id = try add("a")
    try remove(id)
    _ = try store.restore(id, in: list)
    let undone = try store.undo(in: list)
    #expect(undone.change == .restore && undone.todo == nil)
    #expect(try titles(store) == ["a"])
    let redone = try store.redo(in: list)
    #expect(redone.change == .restore && redone.todo?.id == id)
    #expect(try titles(store) == [])
  }

  @Test func anotherProgramRestores() throws {
    let id = try add("a")
    try remove(id)
    let other = SQLiteStore(over: store.database, environment: .counting(idsFrom: 50))
    #expect(try other.restore(id, in: list).id == id)
    #expect(throws: TodoError.self) { try store.restore(id, in: list) }
  }

  @Test func onlyRemovedTodosOfTheListAreRestoredOrForgotten() throws {
    let id = try add("a")
    let removed = try add("b")
    try remove(removed)
    let other = TodoListKey(profile: "bob", source: "")
    let changes = try number("SELECT count(*) FROM change")
    expectFailure(.validation) { () throws(TodoError) in _ = try store.restore(id, in: list) }
    expectFailure(.validation) { () throws(TodoError) in try store.forget(id, in: list) }
    expectFailure(.notFound) { () throws(TodoError) in _ = try store.restore(removed, in: other) }
    expectFailure(.notFound) { () throws(TodoError) in try store.forget(removed, in: other) }
    _ = try store.add(NewTodo(title: "bob's"), to: other)
    expectFailure(.notFound) { () throws(TodoError) in _ = try store.restore(removed, in: other) }
    expectFailure(.notFound) { () throws(TodoError) in
      _ = try store.restore(TodoID("x"), in: list)
    }
    #expect(try number("SELECT count(*) FROM change") == changes + 1)
    #expect(try titles(store) == ["b"])
  }

  /// A removed todo can be restored while the log contains its removal, even if neither undo nor
  /// redo can bring it back any more.
  @Test func removedTodoStaysForAsLongAsTheLogHasItsRemoval() throws {
    let id = try add("a")
    _ = try store.undo(in: list)
    _ = try add("b")
    #expect(try titles(store) == ["a"])
    #expect(try store.restore(id, in: list).content.title == "a")
    try remove(id)
    try store.limitLog { $0.bytesMax = 1 }
    _ = try add("c")
    #expect(try titles(store) == [])
    expectFailure(.notFound) { () throws(TodoError) in _ = try store.restore(id, in: list) }
  }

  @Test func removalsOfThirtyDaysAreListed() throws {
    let id = try add("a")
    try remove(id)
    let removedAt = try #require(try store.removedTodos(in: list).first).removedAt
    for (days, isListed) in [(29, true), (31, false)] as [(Int64, Bool)] {
      var environment = Environment.counting(idsFrom: 50)
      environment.now = { Timestamp(milliseconds: removedAt.milliseconds + days * 86_400_000) }
      let later = SQLiteStore(over: store.database, environment: environment)
      #expect(try titles(later) == (isListed ? ["a"] : []))
    }
  }

  @Test func aThousandRemovalsAreListed() throws {
    for index in 0..<1_010 { try remove(try add("\(index)")) }
    let titles = try titles(store)
    #expect(titles.count == RemovedTodo.countMax)
    #expect(titles.first == "1009" && titles.last == "10")
    let page = RemovedPage(try store.removedTodos(in: list), offset: 990, limit: 20)
    #expect(page.todos.count == 10 && page.total == 1_000 && page.offset == 990)
  }

  @Test func listIsFoundByItsIndex() throws {
    for index in 0..<20 { try remove(try add("\(index)")) }
    let plan = try store.withConnection { connection throws(TodoError) in
      try Statement("EXPLAIN QUERY PLAN " + RemovedTable.newestRemovals, on: connection).all {
        row in row.text(3)
      }
    }
    #expect(plan.first?.contains("USING INDEX change_removal") == true, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test func forgottenTodoLeavesNoText() throws {
    let id = try add("a", note: "Unforgettable")
    _ = try store.edit(id, TodoEdit(note: "Unforgettable, too"), in: list)
    let draft = Draft(
      base: EditBase(list: list, id: id, version: 1), edit: .merged("Unforgettable draft"))
    try store.addDraft(
      UnsavedText(draft, title: "a", restored: []), at: Timestamp(milliseconds: 1))
    try remove(id)
    try store.forget(id, in: list)
    for table in ["todo", "note", "draft", "change"] {
      let columns = try store.withConnection { connection throws(TodoError) in
        try connection.texts("SELECT name FROM pragma_table_info('\(table)')")
      }
      let text = columns.map { "coalesce(\($0), '')" }.joined(separator: " || ")
      let count = try number("SELECT count(*) FROM \(table) WHERE \(text) LIKE '%nforgettable%'")
      #expect(count == 0, "\(table)")
    }
    #expect(try titles(store) == [])
    expectFailure(.notFound) { () throws(TodoError) in _ = try store.restore(id, in: list) }
    expectFailure(.nothingToUndo) { () throws(TodoError) in _ = try store.undo(in: list) }
  }

  /// A client that watches the log would miss a change whose number was used before.
  @Test func positionInTheLogIsNeverUsedAgain() throws {
    let id = try add("a")
    try remove(id)
    let end = try store.endPosition()
    try store.forget(id, in: list)
    _ = try add("b")
    #expect(try store.changes(after: end, limit: 9).map(\.kind) == [.add])
  }
}
