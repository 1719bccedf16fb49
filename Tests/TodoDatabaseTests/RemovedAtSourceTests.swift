import Testing
import TodoModel

@testable import TodoDatabase

/// Tests todos of a source that have left their list and return to it.
@Suite struct RemovedAtSourceTests {
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld()
    for number in 1...3 { world.source.add("issue \(number)") }
    try world.sync()
  }

  private var removed: [String] {
    get throws {
      try world.store.removedTodos(in: world.list).map { "\($0.title) \($0.reason) \($0.author)" }
    }
  }

  private var titles: [String] { get throws { try world.todos.map(\.content.title) } }

  private func restore(_ title: String) throws -> Todo {
    let todo = try #require(
      try world.store.removedTodos(in: world.list).first { $0.title == title })
    return try world.store.restore(todo.id, in: world.list)
  }

  @Test func closedIssueIsOpenedAgainByTheNextSync() throws {
    let id = try world.id("issue 2")
    world.source.edit(2) { $0.isDone = true }
    try world.sync()
    #expect(try removed == ["issue 2 closed source"])
    let todo = try restore("issue 2")
    #expect(todo.id == id && !todo.content.isDone && todo.sync == .pending)
    try world.sync()
    #expect(world.source.items[2]?.content.isDone == false)
    #expect(try world.todos.contains { $0.id == id && $0.sync == .synced })
    #expect(try removed == [])
  }

  @Test func issueThatAReloadMissesWasClosedOrDeleted() throws {
    world.source.saysDeleted = true
    world.source.edit(1) { $0.isDone = true }
    world.source.delete(2)
    try world.sync(.reload)
    #expect(Set(try removed) == ["issue 1 closed source", "issue 2 deleted source"])
    #expect(try titles == ["issue 3"])
  }

  @Test func deletedIssueIsCreatedAgain() throws {
    let id = try world.id("issue 2")
    world.source.delete(2)
    try world.sync(.reload)
    let todo = try restore("issue 2")
    #expect(todo.id == id && todo.origin == nil && todo.sync == .pending)
    let before = world.source.items.count
    try world.sync()
    #expect(world.source.items.count == before + 1)
    let restored = try #require(try world.todos.first { $0.id == id })
    #expect(restored.sync == .synced && restored.origin?.number == 4)
    // A load adds it only once.
    try world.sync(.reload)
    #expect(try titles.filter { $0 == "issue 2" }.count == 1)
  }

  @Test func removalThatIsRestoredBeforeASyncSendsNothing() throws {
    try world.store.remove(try world.id("issue 2"), expectedVersion: nil, in: world.list)
    #expect(try removed == ["issue 2 removed local"])
    let writes = world.source.writes.count
    #expect(try restore("issue 2").sync == .synced)
    try world.sync()
    #expect(world.source.writes.count == writes)
    #expect(world.source.items[2]?.content.isDone == false)
  }

  @Test func removalThatWasSentIsReversedByTheNextSync() throws {
    try world.store.remove(try world.id("issue 2"), expectedVersion: nil, in: world.list)
    try world.sync()
    #expect(world.source.items[2]?.content.isDone == true)
    #expect(try removed == ["issue 2 removed local"])
    _ = try restore("issue 2")
    try world.sync()
    #expect(world.source.items[2]?.content.isDone == false)
    #expect(try titles.contains("issue 2"))
  }

  @Test func aDoneTodoRemovedByAReloadIsRestoredOpen() throws {
    try world.edit("issue 2", TodoEdit(isDone: true))
    try world.sync()
    try world.sync(.reload)
    #expect(try removed == ["issue 2 closed source"])
    #expect(try !restore("issue 2").content.isDone)
    try world.sync()
    #expect(world.source.items[2]?.content.isDone == false)
  }

  @Test func editedTodoIsNeverRemovedByItsSource() throws {
    world.source.saysDeleted = true
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.delete(2)
    try world.sync(.reload)
    #expect(try removed == [])
    #expect(try world.sync().failed.map(\.title) == ["mine"])
    try world.sync(.reload)
    #expect(try removed == [])
    #expect(try titles.contains("mine"))
  }

  @Test func failedTodoOfADeletedIssueIsCreatedAgain() throws {
    world.source.saysDeleted = true
    let id = try world.id("issue 2")
    try world.edit("issue 2", TodoEdit(note: "mine"))
    world.source.delete(2)
    #expect(try world.sync().failed.map(\.id) == [id])
    let todo = try world.store.createAgain(id, TodoEdit(title: "again"), in: world.list)
    #expect(todo.id == id && todo.sync == .pending && todo.origin == nil)
    #expect(todo.content == TodoContent(title: "again", note: "mine"))
    try world.sync()
    #expect(world.source.items[4]?.content.title == "again")
    #expect(try world.store.todo(id, in: world.list).sync == .synced)
  }

  @Test func anUnsentRemovalCannotBeForgotten() throws {
    let id = try world.id("issue 2")
    try world.store.remove(id, expectedVersion: nil, in: world.list)
    let error = #expect(throws: TodoError.self) {
      try world.store.forget(id, in: world.list)
    }
    #expect(error?.kind == .validation)
    try world.sync()
    try world.store.forget(id, in: world.list)
    try world.sync(.reload)
    #expect(try titles == ["issue 3", "issue 1"])
    #expect(try removed == [])
  }

  @Test func undoOfARestorationSendsNothing() throws {
    world.source.edit(2) { $0.isDone = true }
    try world.sync()
    _ = try restore("issue 2")
    _ = try world.store.undo(in: world.list)
    let writes = world.source.writes.count
    try world.sync()
    #expect(world.source.writes.count == writes)
    #expect(try removed == ["issue 2 removed local"])
  }
}
