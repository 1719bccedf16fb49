import SQLiteDatabase
import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests merges of items from a source into a list with local changes.
@Suite struct LoadingTests {
  let store: SQLiteStore
  let list = TodoListKey.source

  init() throws {
    store = try SQLiteStore(at: .memory, environment: .counting())
  }

  private func load(_ issues: Issue...) throws {
    try store.load(issues, to: list)
  }

  private func todo(_ number: Int64) throws -> Todo? {
    try store.todos(TodoQuery(), in: list).elements.first { $0.origin?.number == number }
  }

  @Test func deliveredTodosAreSynced() throws {
    try load(.sample(2, body: "two"), .sample(1, isClosed: true))
    let todos = try store.todos(TodoQuery(), in: list).elements
    #expect(todos.map(\.content.title) == ["Issue 2", "Issue 1"])
    #expect(todos.map(\.content.note) == ["two", ""])
    #expect(todos.map(\.content.isDone) == [false, true])
    #expect(todos.map(\.sync) == [.synced, .synced])
    #expect(todos[0].origin == TodoOrigin(url: "https://example.org/issues/2", number: 2))
    #expect(todos[0].createdAt == Timestamp(milliseconds: 2))
  }

  /// The time of a load must not grow with the square of the list's length.
  @Test func unlistedTodosAreFoundInOneScan() throws {
    let plan = try store.withConnection { connection throws(TodoError) in
      try Statement("EXPLAIN QUERY PLAN " + RemoteTable.selectUnlisted, on: connection).all {
        row in row.text(3)
      }
    }
    #expect(!plan.contains { $0.contains("CORRELATED") }, "\(plan)")
  }

  @Test func unchangedItemIsNotWritten() throws {
    try load(.sample(2), .sample(1))
    let before = try store.totalChanges
    var later = Issue.sample(2)
    later.updatedAt = Timestamp(milliseconds: 99)
    try store.mergeRemote([later, .sample(1)], to: list)
    #expect(try store.totalChanges == before)
  }

  @Test func itemChangedAtTheSourceIsReplaced() throws {
    try load(.sample(1))
    try load(.sample(1, title: "New", body: "note", isClosed: true))
    let todo = try #require(try todo(1))
    #expect(todo.content == TodoContent(title: "New", note: "note", isDone: true))
    #expect(todo.version == 2)
    #expect(todo.sync == .synced)
  }

  @Test func itemDeletedAtTheSourceLeavesTheList() throws {
    try load(.sample(3), .sample(2), .sample(1))
    try load(.sample(3), .sample(1))
    #expect(try store.rows(TodoQuery(), in: list).elements.map(\.number) == [3, 1])
  }

  @Test func aLoadFollowsTheOrderOfTheSource() throws {
    try load(.sample(1), .sample(2))
    _ = try store.add(NewTodo(title: "Mine"), to: list)
    try load(.sample(3), .sample(2), .sample(1))
    #expect(try store.rows(TodoQuery(), in: list).elements.map(\.number) == [nil, 3, 2, 1])
  }

  @Test func anEditIsPendingAndSurvivesALoad() throws {
    try load(.sample(1))
    let id = try #require(try todo(1)).id
    #expect(try store.edit(id, TodoEdit(title: "Mine"), in: list).sync == .pending)
    try load(.sample(1))
    try load()
    let todo = try store.todo(id, in: list)
    #expect(todo.content.title == "Mine")
    #expect(todo.sync == .pending)
  }

  @Test func anEditBackToTheLoadedTextIsSynced() throws {
    try load(.sample(1, body: "note"))
    let id = try #require(try todo(1)).id
    _ = try store.edit(id, TodoEdit(title: "Mine", note: "mine"), in: list)
    let todo = try store.edit(id, TodoEdit(title: "Issue 1", note: "note"), in: list)
    #expect(todo.sync == .synced)
    #expect(todo.version == 3)
  }

  /// A change that was made only at the source is applied, and gives the todo a new version.
  @Test(
    arguments: [
      ("Theirs", "note", SyncState.conflict, 2), ("Issue 1", "theirs", .pending, 3),
      ("Mine", "note", .synced, 2), ("Issue 1", "note", .pending, 2),
    ] as [(String, String, SyncState, Int64)])
  func aLaterDeliveryMeetsAnEdit(
    title: String, note: String, sync: SyncState, version: Int64
  ) throws {
    try load(.sample(1, body: "note"))
    let id = try #require(try todo(1)).id
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try load(.sample(1, title: title, body: note))
    let todo = try store.todo(id, in: list)
    #expect(todo.content.title == "Mine")
    #expect(todo.content.note == (sync == .conflict ? "note" : note))
    #expect(todo.sync == sync)
    #expect(todo.version == version)
  }

  @Test func theThreeSidesOfAConflictAreStored() throws {
    try load(.sample(1, body: "note"))
    let id = try #require(try todo(1)).id
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try load(.sample(1, title: "Theirs", body: "note"))
    let stored = try store.withConnection { connection throws(TodoError) in
      let tables = connection.tables
      return try tables.todos.stored(id, in: tables.lists.number(of: list))
    }
    #expect(stored?.base == TodoContent(title: "Issue 1", note: "note", isDone: false))
    #expect(stored?.theirs == TodoContent(title: "Theirs", note: "note", isDone: false))
    // An edit to their value resolves the conflict.
    #expect(try store.edit(id, TodoEdit(title: "Theirs"), in: list).sync == .synced)
  }

  @Test func aRemovedTodoStaysRemoved() throws {
    try load(.sample(2), .sample(1))
    let id = try #require(try todo(1)).id
    try store.remove(id, expectedVersion: nil, in: list)
    try load(.sample(2), .sample(1, title: "Changed"))
    try load(.sample(2))
    try load(.sample(2), .sample(1))
    #expect(try store.rows(TodoQuery(), in: list).elements.map(\.number) == [2])
    #expect(try store.rows(TodoQuery(text: "changed"), in: list).total == 0)
    #expect(throws: TodoError.todoNotFound) { try store.todo(id, in: list) }
  }

  @Test func aTodoAddedHereWaitsForTheSource() throws {
    let todo = try store.add(NewTodo(title: "Mine"), to: list)
    #expect(todo.sync == .pending)
    try load(.sample(1))
    #expect(try store.rows(TodoQuery(), in: list).total == 2)
    #expect(try store.edit(todo.id, TodoEdit(isDone: true), in: list).sync == .pending)
    try store.remove(todo.id, expectedVersion: nil, in: list)
    #expect(try store.rows(TodoQuery(), in: list).total == 1)
  }

  @Test func textsOfASourceAreStoredByteForByte() throws {
    let title = "  \u{0}\t\r\n" + String(repeating: "x", count: 2_000)
    let note = "CRLF\r\nLF\n\u{FEFF}e\u{301} 👩‍👩‍👧\u{0}"
    try load(.sample(1, title: title, body: note))
    let todo = try #require(try todo(1))
    #expect(Array(todo.content.title.utf8) == Array(title.utf8))
    #expect(Array(todo.content.note.utf8) == Array(note.utf8))
    // U+0000 can be removed from the search index, too.
    try load(.sample(1, title: "\u{0}b", body: "c\u{0}d"))
    try load()
    try store.withConnection { connection throws(TodoError) in
      try connection.execute(
        "INSERT INTO todo_text (todo_text, rank) VALUES ('integrity-check', 1)")
    }
  }

  @Test func aConflictHasTheLoadedVersionAsItsBase() throws {
    try load(.sample(1, title: "Old", body: "note"))
    let id = try #require(try todo(1)).id
    try load(.sample(1, title: "New", body: "note"))
    let edit = try TodoEdit(title: "Mine", expectedVersion: 1)
    let error = #expect(throws: TodoError.self) { try store.edit(id, edit, in: list) }
    #expect(
      error?.conflict
        == TodoConflict(
          base: TodoContent(title: "Old", note: "note", isDone: false),
          mine: TodoContent(title: "Mine", note: "note", isDone: false),
          theirs: TodoContent(title: "New", note: "note", isDone: false), theirVersion: 2))
  }
}

extension SQLiteStore {
  /// The number of rows that this connection has ever written.
  var totalChanges: Int64 {
    get throws(TodoError) {
      try withConnection { connection throws(TodoError) in
        try connection.number("SELECT total_changes()")
      }
    }
  }
}
