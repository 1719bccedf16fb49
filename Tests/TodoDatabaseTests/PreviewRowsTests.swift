import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

@Suite("Rows with the beginning of their notes")
struct PreviewRowsTests {
  @Test("Previews are returned only if requested, by every way of reading a page")
  func rows() throws {
    let folder = TemporaryFolder()
    let store = try SQLiteStore(
      at: .file("\(folder.path)/todos.sqlite"), environment: .counting())
    let notes = ["", "short", String(repeating: "é👍🏽", count: 1_000), "last"]
    for (number, note) in notes.enumerated() {
      _ = try store.add(NewTodo(title: "Todo \(number)", note: note), to: .local)
    }
    let expected = notes.reversed().map { TodoRow.preview(of: $0) }
    let orders: [TodoQuery] = [
      TodoQuery(limit: .max), TodoQuery(text: "todo", limit: .max),
      TodoQuery(isDone: false, limit: .max),
    ]
    for query in orders {
      var query = query
      #expect(try store.rows(query, in: .local).elements.allSatisfy { $0.preview == nil })
      query.includesPreviews = true
      #expect(try store.rows(query, in: .local).elements.map(\.preview) == expected)
      (query.offset, query.limit) = (1, 2)
      #expect(try store.rows(query, in: .local).elements.map(\.preview) == Array(expected[1...2]))
    }
  }

  @Test("The row of an issue contains the URL of its page")
  func pages() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    try store.mergeRemote([.sample(7)], to: .source)
    _ = try store.add(NewTodo(title: "Here"), to: .source)
    #expect(
      try store.rows(TodoQuery(), in: .source).elements.map(\.url) == [
        nil, "https://example.org/issues/7",
      ])
  }
}
