import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

/// Tests the update of a file of schema 9, which stored its history as steps and versions.
///
/// The file was created by the program of that schema. It contains a local list with changes of two
/// sessions, some of them undone, a list of a source with pending edits, a conflict and unanswered
/// requests, and a document.
@Suite struct SchemaNineTests {
  private let folder = TemporaryFolder()
  private let local = TodoListKey.local
  private let source = TodoListKey.source

  private func open() throws -> SQLiteStore {
    let path = folder.path("todos.sqlite")
    if RecordedResponse.bytes(of: path) == nil {
      try #require(StoreFixture(version: 9).copy(to: path))
    }
    return try SQLiteStore(at: .file(path), environment: .counting())
  }

  private func title(_ id: String, in store: SQLiteStore) throws -> String? {
    try store.rows(TodoQuery(), in: local).elements.first { $0.id == TodoID(id) }?.title
  }

  @Test func todosArePreserved() throws {
    let store = try open()
    let todos = try store.todos(TodoQuery(), in: local).elements
    #expect(todos.map(\.id.text) == ["t12", "t3", "t1", "1"])
    #expect(todos.map(\.version) == [1, 4, 7, 2])
    #expect(
      todos[2].content
        == TodoContent(title: "Oat milk", note: "3 l \"cold\" \u{1}", isDone: false))
    let path = folder.path("todos.sqlite")
    #expect(try Schema.todos.difference(in: InspectedDatabase(path: path)) == nil)
    #expect(FileTree.names(in: folder.path).count { $0.hasSuffix(".schema-9") } == 1)
  }

  @Test func pendingEditsAndTheConflictArePreserved() throws {
    let store = try open()
    #expect(try store.counts(of: source) == SyncCounts(pending: 4, conflicts: 1))
    let outgoing = try store.outgoing(in: source, failed: false)
    #expect(Set(outgoing.map { $0.key ?? "new" }) == ["2", "3", "5", "new"])
    let sent = outgoing.filter { $0.sent != nil }
    #expect(sent.map { $0.key ?? "new" } == ["5", "new"])
    #expect(sent.map(\.sent) == [.change, .create])
    #expect(sent[0].base == TodoContent(title: "Issue 5", note: "Note 5", isDone: false))
    let conflict = try #require(try store.conflict(of: TodoID("t4"), in: source))
    #expect(conflict.merge.base?.title == "Issue 1")
    #expect(conflict.merge.mine.title == "Mine 1")
    #expect(conflict.merge.theirs == TodoContent(title: "Theirs 1", note: "Note 1", isDone: false))
  }

  /// In schema 9, the marker by which a new item is recognized was the ID of its todo.
  @Test func unansweredCreationIsRecognizedByItsOldMarker() throws {
    let store = try open()
    let outgoing = try store.outgoing(in: source, failed: false)
    let todo = try #require(outgoing.first { $0.sent == .create })
    #expect(todo.marker == ItemMarker(todo.id.text))
    let item = RemoteItem(
      key: "90", url: "https://github.com/octo/tasks/issues/90", content: todo.content,
      fields: .all, marker: todo.marker)
    _ = try store.mergeRemote([item], of: nil, to: source)
    #expect(try store.todo(todo.id, in: source).origin?.number == 90)
  }

  @Test func changesCanBeUndoneAndRedone() throws {
    let store = try open()
    #expect(try store.redo(in: local).todo?.content.title == "Soy milk")
    #expect(try store.redo(in: local).todo?.content.isDone == true)
    #expect(throws: TodoError.nothingToRedo) { try store.redo(in: local) }
    let undone = try (0..<12).map { _ in try store.undo(in: local) }
    #expect(
      undone.map { "\($0.change) \($0.id) \($0.todo?.content.title ?? "gone")" } == [
        "done t1 Soy milk", "edit t1 Oat milk", "edit 1 Imported", "add t12 gone", "edit t3 Rent",
        "restore t3 gone", "remove t2 Bread", "edit t1 Oat milk", "done t2 Bread", "edit t1 Milk",
        "add t2 gone", "add t1 gone",
      ])
    #expect(throws: TodoError.nothingToUndo) { try store.undo(in: local) }
    #expect(try store.rows(TodoQuery(), in: local).elements.map(\.title) == ["Imported"])
    for _ in 0..<12 { _ = try store.redo(in: local) }
    #expect(try title("t1", in: store) == "Soy milk")
    #expect(try store.rows(TodoQuery(), in: local).total == 4)
  }

  @Test func earlierContentsAreBases() throws {
    let store = try open()
    let contents = [
      ("Milk", "2 l\nfresh", false), ("Oat milk", "2 l\nfresh", false),
      ("Oat milk", "3 l \"cold\" \u{1}", false), ("Soy milk", "3 l \"cold\" \u{1}", false),
      ("Soy milk", "3 l \"cold\" \u{1}", true), ("Soy milk", "3 l \"cold\" \u{1}", false),
    ]
    for (index, content) in contents.enumerated() {
      let error = #expect(throws: TodoError.self) {
        try store.remove(TodoID("t1"), expectedVersion: Int64(index + 1), in: local)
      }
      #expect(
        error?.conflict?.base
          == TodoContent(title: content.0, note: content.1, isDone: content.2))
    }
    let theirs = #expect(throws: TodoError.self) {
      try store.remove(TodoID("t7"), expectedVersion: 2, in: source)
    }
    #expect(theirs?.conflict?.base?.title == "Theirs 4")
  }

  @Test func linesOfTheDocumentKnowTheirEntries() throws {
    let store = try open()
    let contents = try store.readDocument("/home/ann/todos.md", in: local)
    #expect(contents.texts.map(\.text) == ["A line"])
    #expect(
      contents.todos.first { $0.id == TodoID("t1") }?.sides.first?.content
        == TodoContent(title: "Goat milk", note: "1 l", isDone: true))
    let generation = try store.generation(589_566_886_410, of: "/home/ann/todos.md", in: local)
    #expect(
      generation?.entries == [
        .init(digest: 21, occurrence: 1): .todo(TodoID("t12")),
        .init(digest: 22, occurrence: 1): .text(1),
        .init(digest: 41, occurrence: 0): .todo(TodoID("1")),
      ])
  }

  @Test func logIsComplete() throws {
    let store = try open()
    let log = try store.database.withWriter { connection throws(TodoError) in
      try Statement(
        """
        SELECT entry || ' ' || version || ' ' || who || ' ' || what || ' ' || coalesce(reversal, '-')
        FROM change WHERE list = 1 ORDER BY sequence
        """, on: connection
      ).all { row in row.text(0) }
    }
    #expect(
      log == [
        "todo/t1 1 local add undo", "todo/t2 1 local add undo", "todo/t1 2 local edit undo",
        "todo/t2 2 local done undo", "todo/t1 3 local edit undo", "todo/t2 3 local edit -",
        "todo/t3 2 local remove -", "todo/t2 4 local edit -", "todo/t2 5 local remove undo",
        "todo/t3 3 local restore undo", "todo/t3 4 local edit undo", "todo/t12 1 local add undo",
        "todo/1 2 local edit undo", "todo/t1 4 local edit -", "todo/t1 5 local done -",
        "todo/t1 6 local done redo", "todo/t1 7 local edit redo",
      ])
  }
}
