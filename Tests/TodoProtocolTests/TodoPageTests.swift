import JSONRPC
import Testing
import TodoModel
import TodoWire
import TodoWorkflows

@testable import TodoProtocol

@Suite("Pages of todos on the wire")
struct TodoPageTests {
  private let todo = Todo(
    id: TodoID("t1"), content: TodoContent(title: "Milk", note: "a\nb", isDone: true), version: 3,
    createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 1_500),
    origin: TodoOrigin(url: "https://example.com/1", number: 7), sync: .pending)

  private func result(_ query: TodoQuery, _ page: TodoPage<Todo>) throws -> JSON {
    var writer = JSONWriter()
    TodoPageResult(page: page, query: query).write(to: &writer)
    return try JSON(parsing: writer.finish())
  }

  @Test("A page has the total and its offset")
  func page() throws {
    let page = TodoPage(elements: [todo], total: 12, offset: 4)
    #expect(
      try result(TodoQuery(limit: 1, fields: [.id, .content(.done)]), page).compactText
        == #"{"todos":[{"id":"t1","done":true}],"total":12,"offset":4}"#)
    let all = try result(TodoQuery(), TodoPage(elements: [], total: 0, offset: 0))
    #expect(all.compactText == #"{"todos":[],"total":0,"offset":0}"#)
  }

  @Test("A page is truncated only if the server limits it")
  func truncated() throws {
    func isTruncated(_ limit: Int?, _ page: TodoPage<Todo>) throws -> JSON? {
      try result(TodoQuery(limit: limit), page)["truncated"]
    }
    let first = TodoPage(elements: [todo], total: 2, offset: 0)
    #expect(try isTruncated(nil, first) == true)
    #expect(try isTruncated(1, first) == nil)
    #expect(try isTruncated(nil, TodoPage(elements: [todo], total: 2, offset: 1)) == nil)
    #expect(try isTruncated(nil, TodoPage(elements: [], total: 2, offset: .max)) == nil)
    let cut = TodoPage(elements: [todo], total: 2, offset: 0, isTruncated: true)
    #expect(try isTruncated(2, cut) == true)
  }
}
