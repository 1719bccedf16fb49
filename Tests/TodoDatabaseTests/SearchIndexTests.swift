import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests the full-text index of the todos.
@Suite struct SearchIndexTests {
  private let list = TodoListKey.local

  /// FTS5 merges its segments from time to time, and then releases the old ones. Each merge,
  /// including the first one, must work within a statement that returns a row.
  @Test(arguments: 1...16) func itemDeletedAtTheSourceLeavesTheSearchIndex(count: Int) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    for round in 0..<20 {
      let numbers = round.isMultiple(of: 2) ? 1...Int64(count + 1) : 1...1
      try store.load(numbers.map { .sample($0, title: "t\(round)", body: "b") }, to: .source)
    }
    #expect(try store.todos(TodoQuery(text: "t19"), in: .source).total == 1)
  }

  /// Triggers update the index; SQLite can check whether it matches the todos.
  @Test func theSearchIndexFollowsEveryChange() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    var random = SystemRandomNumberGenerator()
    let words = ["eins", "zwei", "drei", "vier", ""]
    func text() -> String {
      (0..<3).map { _ in words.randomElement() ?? "" }.joined(separator: " ")
    }
    for step in 0..<400 {
      let key = Bool.random() ? list : .source
      let ids = try store.rows(TodoQuery(), in: key).elements.map(\.id)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: _ = try store.add(NewTodo(title: "t\(step)", note: text()), to: key)
      case 1:
        let numbers = (1...Int64.random(in: 2...9)).shuffled()
        try store.load(
          numbers.map { .sample($0, title: text(), body: text()) }, to: .source)
      case 2:
        if let id = ids.randomElement() {
          try store.remove(id, expectedVersion: nil, in: key)
        }
      default:
        if let id = ids.randomElement() {
          let edit = try TodoEdit(title: "x " + text(), note: text(), isDone: .random())
          _ = try store.edit(id, edit, in: key)
        }
      }
    }
    try store.withConnection { connection throws(TodoError) in
      try connection.execute(
        "INSERT INTO todo_text (todo_text, rank) VALUES ('integrity-check', 1)")
    }
    for key in [list, .source] {
      let rows = try store.rows(TodoQuery(), in: key)
      let done = try store.rows(TodoQuery(isDone: true), in: key)
      #expect(rows.total == rows.elements.count)
      #expect(done.total == rows.elements.count(where: \.isDone))
    }
    let all = try store.todos(TodoQuery(), in: list).elements
    let expected = all.filter { ($0.content.title + " " + $0.content.note).contains("zwei") }
    #expect(try store.todos(TodoQuery(text: "zwe"), in: list).elements == expected)
  }

  @Test func damagedSearchIndexIsRebuilt() throws {
    let folder = TemporaryFolder()
    func open() throws -> SQLiteStore {
      try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .counting())
    }
    let store = try open()
    _ = try store.add(NewTodo(title: "milk"), to: list)
    try store.withConnection { connection throws(TodoError) in
      try connection.allowingShadowWrites { () throws(TodoError) in
        try connection.execute(
          "UPDATE todo_text_data SET block = x'FFFFFFFFFFFFFFFFFF' WHERE id > 1")
      }
    }
    let error = #expect(throws: TodoError.self) {
      _ = try open().rows(TodoQuery(text: "milk"), in: list)
    }
    #expect(error?.kind == .storage)
    let mended = try open()
    #expect(mended.database.notice == nil)
    #expect(try mended.rows(TodoQuery(text: "milk"), in: list).total == 1)
  }
}
