import JSONRPC
import Testing
import TodoModel
import TodoWire

@Suite("Todos on the wire")
struct TodoWireTests {
  private let todo = Todo(
    id: TodoID("t1"), content: TodoContent(title: "Milk", note: "a\nb", isDone: true), version: 3,
    createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 1_500),
    origin: TodoOrigin(url: "https://example.com/1", number: 7), sync: .pending)

  private func json(_ todo: Todo, fields: TodoFieldSet? = nil) throws -> JSON {
    var writer = JSONWriter()
    SelectedTodo(todo: todo, fields: fields).write(to: &writer)
    return try JSON(parsing: writer.finish())
  }

  @Test("A todo is written with its members in order")
  func whole() throws {
    #expect(
      try json(todo).compactText
        == #"{"id":"t1","title":"Milk","note":"a\nb","done":true,"version":3,"#
        + #""createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:01.500Z","#
        + #""source":{"url":"https://example.com/1","number":7},"sync":"pending"}"#)
  }

  @Test("Assignees, milestone and comments are in the source, the source's date is beside it")
  func details() throws {
    var todo = todo
    todo.origin?.details = SourceDetails(
      assignees: ["ann", "bob"], milestone: "v1", comments: 2, due: DueDate("2026-12-01"))
    #expect(
      try json(todo, fields: [.source, .sourceDue]).compactText
        == #"{"source":{"url":"https://example.com/1","number":7,"assignees":["ann","bob"],"#
        + #""milestone":"v1","comments":2},"sourceDue":"2026-12-01"}"#)
  }

  @Test("A local todo has no source")
  func withoutSource() throws {
    var local = todo
    local.origin = nil
    #expect(try json(local)["source"] == nil)
    #expect(try json(local).objectValue?.count == 8)
  }

  @Test("Each sync state is written as a word", arguments: zip(SyncState.allCases, Self.syncWords))
  func sync(state: SyncState, word: String) throws {
    var changed = todo
    changed.sync = state
    #expect(try json(changed)["sync"] == .string(word))
  }

  static let syncWords = ["local", "synced", "pending", "conflict", "failed"]

  @Test("Only the requested members are written", arguments: TodoField.allCases)
  func oneField(field: TodoField) throws {
    var todo = todo
    todo.content.due = DueDate(CivilDay.first)
    todo.content.labels = LabelSet(["home"])
    todo.content.priority = .high
    todo.section = "Home"
    todo.origin?.details = SourceDetails(due: DueDate(CivilDay.first))
    #expect(try json(todo, fields: [field]).objectValue.map { Array($0.keys) } == [field.name])
    #expect(try json(todo, fields: [field])[field.name] == json(todo)[field.name])
  }

  @Test("Requested members keep their order, and may be empty")
  func someFields() throws {
    #expect(
      try json(todo, fields: [.content(.title), .id]).compactText == #"{"id":"t1","title":"Milk"}"#)
    #expect(try json(todo, fields: []).compactText == "{}")
  }
}
