import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests todos in a file: several stores on one file, a full disk, and the log of changes.
@Suite struct SQLiteStoreTests {
  let folder = TemporaryFolder()
  let list = TodoListKey.local

  private func open(_ name: String = "todos.sqlite") throws -> SQLiteStore {
    try SQLiteStore(at: .file(folder.path(name)), environment: .counting())
  }

  @Test func aChangeIsStoredAfterReopening() throws {
    let id = try open().add(NewTodo(title: "t", note: "n"), to: list).id
    _ = try open().edit(id, TodoEdit(isDone: true), in: list)
    let todo = try open().todo(id, in: list)
    #expect(todo.content == TodoContent(title: "t", note: "n", isDone: true))
    #expect(todo.version == 2)
  }

  @Test func twoStoresOnOneFileSeeEachOther() throws {
    let (one, two) = (try open(), try open())
    let todo = try one.add(NewTodo(title: "t"), to: list)
    _ = try two.edit(todo.id, TodoEdit(title: "u"), in: list)
    #expect(try one.todo(todo.id, in: list).content.title == "u")
    let stale = try TodoEdit(title: "v", expectedVersion: 1)
    let error = #expect(throws: TodoError.self) { try one.edit(todo.id, stale, in: list) }
    #expect(error?.conflict?.base?.title == "t")
  }

  /// The stored text equals the base of the edit again, but its user has not seen the change.
  @Test(arguments: [ContentField.title, .note, .due, .priority])
  func editOfATextThatWasChangedBackConflicts(_ field: ContentField) throws {
    let values = ["high", "low", "medium"].map { ($0, "2026-12-0\($0.utf8.count)") }
      .map { field == .due ? $0.1 : $0.0 }
    func edit(_ text: String, _ version: Int64? = nil) throws -> TodoEdit {
      var changes = FieldChanges()
      changes.type(text, into: field)
      return try TodoEdit(checking: changes, expectedVersion: version).resolved(on: .first)
    }
    let store = try open()
    let todo = try store.add(NewTodo(title: "t"), to: list)
    for value in [values[0], values[1], values[0]] {
      _ = try store.edit(todo.id, edit(value), in: list)
    }
    let stored = try store.todo(todo.id, in: list)
    let error = #expect(throws: TodoError.self) {
      try store.edit(todo.id, edit(values[2], 2), in: list)
    }
    #expect(error?.conflict?.changedBack == [field])
    #expect(error?.conflict?.base == stored.content)
    #expect(try store.todo(todo.id, in: list) == stored)
    let unchanged = try store.edit(todo.id, edit(values[0], 2), in: list)
    #expect(unchanged.content == stored.content)
    let done = try store.edit(
      todo.id, TodoEdit(isDone: true, expectedVersion: 2), in: list)
    #expect(done.content.isDone)
  }

  @Test func labelsThatWereChangedBackAreKept() throws {
    let store = try open()
    func edit(_ labels: [String], _ version: Int64? = nil) -> TodoEdit {
      let content = TodoContent(labels: LabelSet(labels))
      return TodoEdit(
        unchecked: FieldChanges(content, fields: [.labels]), expectedVersion: version)
    }
    let todo = try store.add(NewTodo(title: "t"), to: list)
    for labels in [["home"], [], ["home"]] {
      _ = try store.edit(todo.id, edit(labels), in: list)
    }
    let merged = try store.edit(todo.id, edit(["work"], 2), in: list)
    #expect(merged.content.labels == LabelSet(["home", "work"]))
  }

  /// The conflict shows the whole text of the edit, and keeps labels that were changed back.
  @Test func conflictWithAChangedBackFieldHasTheWholeEdit() throws {
    let store = try open()
    func edit(_ title: String, _ labels: [String], _ version: Int64? = nil) -> TodoEdit {
      let content = TodoContent(title: title, labels: LabelSet(labels))
      return TodoEdit(
        unchecked: FieldChanges(content, fields: [.title, .labels]), expectedVersion: version)
    }
    let todo = try store.add(NewTodo(title: "a"), to: list)
    for (title, labels) in [("a", ["home", "work"]), ("b", ["work"]), ("a", ["home"])] {
      _ = try store.edit(todo.id, edit(title, labels), in: list)
    }
    let error = #expect(throws: TodoError.self) {
      try store.edit(todo.id, edit("c", ["home", "work", "shop"], 2), in: list)
    }
    let conflict = try #require(error?.conflict)
    #expect(conflict.mine.labels == LabelSet(["home", "work", "shop"]))
    #expect(conflict.changedBack == [.title])
  }

  /// A connection remembers that a list has no headings, until another store adds one.
  @Test func twoStoresOnOneFileSeeTheSameHeadings() throws {
    let (one, two) = (try open(), try open())
    let todo = try one.add(NewTodo(title: "t"), to: list)
    func change(_ body: (TodoTables, Int64) throws(TodoError) -> Void) throws {
      try two.database.change { connection throws(TodoError) in
        try body(connection.tables, connection.tables.lists.number(of: list))
      }
    }
    func section() throws -> String? { try one.todo(todo.id, in: list).section }
    #expect(try section() == nil)
    for round in 0..<3 {
      var line: Int64 = 0
      try change { (tables, list) throws(TodoError) in
        line = try tables.plainLines.add(["# Home \(round)"], .first, to: list)[0]
      }
      #expect(try section() == "Home \(round)")
      #expect(try section() == "Home \(round)")
      // The headings of one list are not those of another one.
      let other = TodoListKey(profile: "bea", source: "")
      let added = try one.add(NewTodo(title: "u"), to: other)
      #expect(try one.todo(added.id, in: other).section == nil)
      #expect(try section() == "Home \(round)")
      try change { (tables, list) throws(TodoError) in
        try tables.plainLines.remove(line, from: list)
      }
      #expect(try section() == nil)
      #expect(try section() == nil)
    }
  }

  @Test func manyOpenAndWriteAtOnce() async throws {
    let path = folder.path("todos.sqlite")
    let list = list
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          let store = try SQLiteStore(at: .file(path), environment: .counting())
          for index in 0..<25 {
            let key = TodoListKey(profile: "p\(writer)", source: "")
            _ = try store.add(NewTodo(title: "\(index)"), to: key)
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try open()
    for writer in 0..<4 {
      let key = TodoListKey(profile: "p\(writer)", source: "")
      #expect(try store.rows(TodoQuery(), in: key).total == 25)
    }
    #expect(try store.rows(TodoQuery(), in: list).total == 0)
  }

  @Test func aFullDiskLosesNothing() throws {
    let store = try open()
    let todo = try store.add(NewTodo(title: "before"), to: list)
    try store.withConnection { connection throws(TodoError) in
      try connection.execute("PRAGMA max_page_count = 1")
    }
    let large = String(repeating: "x", count: 500_000)
    let edit = try TodoEdit(title: "after", note: large)
    let error = #expect(throws: TodoError.self) { try store.edit(todo.id, edit, in: list) }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains("disk is full") == true)
    #expect(try store.todo(todo.id, in: list) == todo)
    try store.withConnection { connection throws(TodoError) in
      try connection.execute("PRAGMA max_page_count = 1000000")
    }
    #expect(try store.edit(todo.id, edit, in: list).content.note == large)
  }

  @Test func rowsReadNoNotes() throws {
    let store = try open()
    let plan = try store.withConnection { connection throws(TodoError) in
      try Statement(
        """
        EXPLAIN QUERY PLAN SELECT \(PageReader.Part.row.columns) FROM todo
        WHERE todo.list = ? AND todo.is_removed = 0 ORDER BY todo.place, todo.id LIMIT 50
        """, on: connection
      ).all(.integer(1)) { row in row.text(3) }
    }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("USING INDEX todo_order") == true)
  }

  @Test func earlierVersionsAreLimited() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting(seconds: 36_000))
    try store.limitLog { $0.countMin = 100 }
    let todo = try store.add(NewTodo(title: "0"), to: list)
    for index in 1...110 {
      _ = try store.edit(todo.id, TodoEdit(title: "\(index)"), in: list)
    }
    let count = try store.withConnection { connection throws(TodoError) in
      try connection.number("SELECT count(*) FROM change")
    }
    #expect(count == 100)
    func base(of version: Int64) throws -> TodoContent? {
      let edit = try TodoEdit(title: "x", expectedVersion: version)
      return #expect(throws: TodoError.self) { try store.edit(todo.id, edit, in: list) }?
        .conflict?.base
    }
    #expect(try base(of: 1) == nil)
    #expect(try base(of: 11)?.title == "10")
    #expect(try base(of: 5_000) == nil)
  }

  @Test func aConflictHasTheUnchangedNote() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let todo = try store.add(NewTodo(title: "0", note: "first"), to: list)
    for edit in [
      try TodoEdit(title: "1"), try TodoEdit(title: "2"), try TodoEdit(note: "second"),
      try TodoEdit(title: "3"),
    ] { _ = try store.edit(todo.id, edit, in: list) }
    for (version, note) in [(1, "first"), (2, "first"), (3, "first"), (4, "second")] {
      let edit = try TodoEdit(title: "x", expectedVersion: Int64(version))
      let error = #expect(throws: TodoError.self) { try store.edit(todo.id, edit, in: list) }
      #expect(error?.conflict?.base?.note == note)
    }
  }

  @Test func readsDoNotWaitForATransaction() throws {
    let (mine, theirs) = (try open(), try open())
    let todo = try mine.add(NewTodo(title: "before"), to: list)
    try theirs.database.change { _ throws(TodoError) in
      try mine.withConnection { _ throws(TodoError) in
        #expect(try mine.todo(todo.id, in: list).content.title == "before")
        #expect(try mine.rows(TodoQuery(), in: list).total == 1)
      }
    }
  }
}
