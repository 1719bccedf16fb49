import Testing
import TodoModel

@Suite("A list as it was loaded")
struct LoadedTodosTests {
  private let list = TodoListKey(profile: "ann", source: "")
  private let todos = [("Buy milk", "a"), ("Rent", ""), ("Buy tea", "b"), ("buy bread", "c")]
    .enumerated().map { index, text in
      Todo(
        id: TodoID("\(index)"),
        content: TodoContent(title: text.0, note: text.1, isDone: index == 2), version: 1,
        createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0), origin: nil,
        sync: .synced)
    }

  @Test("Rows have their notes only where the query includes previews")
  func rows() throws {
    let loaded = LoadedTodos(todos, days: .fixed(.first))
    var query = TodoQuery(text: "buy", offset: 1, limit: 1)
    let page = try loaded.rows(query, in: list)
    #expect(page == TodoPage(elements: [TodoRow(todos[2])], total: 3, offset: 1))
    query.includesPreviews = true
    #expect(try loaded.rows(query, in: list).elements.map(\.preview) == ["b"])
  }

  @Test("A large note takes no room where rows have none")
  func largeNote() throws {
    var large = todos[0]
    large.content.note = String(ofBytes: TodoQuery.answerBytesMax)
    let loaded = LoadedTodos([large, todos[1]], days: .fixed(.first))
    #expect(try loaded.rows(TodoQuery(), in: list).elements.count == 2)
    #expect(try loaded.todos(TodoQuery(), in: list).isTruncated)
  }

  @Test("A place counts what the query finds before a todo, whatever its own words")
  func position() throws {
    let loaded = LoadedTodos(todos, days: .fixed(.first))
    func position(_ id: String, _ query: TodoQuery = TodoQuery()) throws -> Int? {
      try loaded.position(of: TodoID(id), query, in: list)
    }
    #expect(try position("3") == 3)
    #expect(try position("3", TodoQuery(text: "buy")) == 2)
    #expect(try position("1", TodoQuery(text: "buy")) == 1)
    #expect(try position("3", TodoQuery(isDone: false)) == 2)
    #expect(try position("2", TodoQuery(isDone: false)) == nil)
    #expect(try position("0", TodoQuery(sort: TodoSort(.title))) == 1)
    #expect(try position("gone") == nil)
  }

  @Test("A todo that was not loaded is not found")
  func missing() throws {
    #expect(try LoadedTodos(todos, days: .fixed(.first)).todo(TodoID("1"), in: list) == todos[1])
    #expect(throws: TodoError.todoNotFound) {
      try LoadedTodos([], days: .fixed(.first)).todo(TodoID("1"), in: list)
    }
  }
}
