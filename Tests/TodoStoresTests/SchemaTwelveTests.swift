import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores

/// Tests that an update from version 12 keeps removed todos, so that they can be restored. Version
/// 12 has no index of removals.
@Suite struct SchemaTwelveTests {
  private let folder = TemporaryFolder()
  private let list = TodoListKey.local

  @Test func todosRemovedBeforeTheUpdateCanBeRestored() throws {
    let path = folder.path("todos.sqlite")
    try #require(StoreFixture(version: 12).copy(to: path))
    var environment = Environment.counting()
    environment.now = { Timestamp(milliseconds: 1_795_900_000_000) }
    let store = try SQLiteStore(at: .file(path), environment: environment)
    let removed = try store.removedTodos(in: list)
    #expect(removed.map(\.title) == ["Pay the rent", "Removed in twelve"])
    #expect(removed.allSatisfy { $0.reason == .removed && $0.author == .local })
    let id = try #require(removed.last).id
    let todo = try store.restore(id, in: list)
    #expect(todo.content == TodoContent(title: "Removed in twelve", note: "Kept note"))
    var edit = try TodoEdit(title: "Another title")
    edit.expectedVersion = 1
    let error = #expect(throws: TodoError.self) { try store.edit(id, edit, in: list) }
    #expect(error?.conflict?.base?.title == "Removed in 12")
  }
}
