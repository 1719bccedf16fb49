import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores

/// Tests the update from version 19, which anchored the plain lines of each document to todos.
@Suite struct SchemaNineteenTests {
  private let folder = TemporaryFolder()

  @Test func documentLooksAsBefore() throws {
    let path = folder.path("todos.sqlite")
    try #require(StoreFixture(version: 19).copy(to: path))
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    let contents = try store.readDocument("/home/ann/19-todos.md", in: .local)
    let todos = contents.todos.map(\.content.title)
    #expect(
      todos == [
        "Typed in nineteen", "Third of seventeen", "Second of seventeen", "First of seventeen",
        "Dated in 15", "Straße kehren", "Typed", "Oat milk", "Imported, edited",
      ])
    let lines = contents.texts.map { text in
      let above = contents.todos.first { $0.id == text.after }
      return [above?.content.title, text.text]
    }
    #expect(
      lines == [
        [nil, "# Home"], [nil, "\nOf the house."], ["Dated in 15", "# Work"],
        ["Oat milk", "A line"], ["Imported, edited", "Second document"],
      ])
  }

  @Test func newItemsFindTheirPlace() throws {
    let path = folder.path("todos.sqlite")
    try #require(StoreFixture(version: 19).copy(to: path))
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    let list = TodoListKey(profile: "ann", source: "github:octo/tasks")
    let before = try store.rows(TodoQuery(), in: list).elements.map(\.number)
    #expect(before == [nil, 6, 5, 4, 2, 1])
    let moved = try #require(try store.todos(TodoQuery(), in: list).elements.last).id
    let target = try #require(try store.todos(TodoQuery(), in: list).elements.first).id
    _ = try store.move(moved, to: .before(target), in: list)
    #expect(try store.rows(TodoQuery(), in: list).elements.map(\.number) == [1, nil, 6, 5, 4, 2])
  }
}
