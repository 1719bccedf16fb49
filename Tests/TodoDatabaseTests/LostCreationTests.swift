import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests the search for an item whose creation had no response. The item is searched without its
/// marker, because a user may have deleted the marker.
@Suite struct LostCreationTests {
  private let world: SyncWorld
  private let todo: Todo

  init() throws {
    world = try SyncWorld()
    try world.sync()
    todo = try world.store.add(NewTodo(title: "new", note: "line\nline"), to: world.list)
  }

  /// Sends a creation whose response is lost, and returns the number of the item.
  private func loseResponse() throws -> Int64 {
    world.source.faults = [.init(kind: .lostAfter, at: world.source.requests.count)]
    #expect(try world.sync(.push).error?.kind == .timeout)
    return try #require(world.source.items.keys.max())
  }

  private func createCount() -> Int {
    world.source.requests.count { if case .create = $0.kind { true } else { false } }
  }

  private var stored: Todo { get throws { try world.store.todo(todo.id, in: world.list) } }

  @Test(arguments: [false, true])
  func onlyItemWithTheSameTextIsTheTodo(isLoadedBefore: Bool) throws {
    let number = try loseResponse()
    world.source.removeMarker(of: number)
    world.source.edit(number) { $0.note = "line\r\nline\r\n" }
    // A load may return the item before the search finds it.
    if isLoadedBefore {
      try world.sync(.pull)
      #expect(try world.todos.count == 2)
    }
    world.wait(seconds: 20)
    #expect(try world.sync().pushed == 1)
    #expect(try world.todos.map(\.id) == [todo.id])
    #expect(try stored.origin?.number == number)
    #expect(try stored.sync == .synced)
    #expect(createCount() == 1)
  }

  @Test func itemOfAnotherUserIsNotTheTodo() throws {
    world.source.faults = [.init(kind: .lostBefore, at: world.source.requests.count)]
    try world.sync(.push)
    world.source.add("new", note: "line\nline", creator: "another")
    world.wait(seconds: 20)
    #expect(try world.sync().pushed == 1)
    #expect(createCount() == 2)
    #expect(world.source.items.count == 2)
  }

  @Test func itemThatIsOlderThanTheRequestIsNotTheTodo() throws {
    world.source.add("new", note: "line\nline")
    world.wait(seconds: 60)
    world.source.faults = [.init(kind: .lostBefore, at: world.source.requests.count)]
    try world.sync(.push)
    world.wait(seconds: 20)
    #expect(try world.sync(.push).pushed == 1)
    #expect(createCount() == 2)
  }

  @Test(arguments: [false, true])
  func todoThatCannotBeRecognizedFailsAndIsNotSentAgain(isEdited: Bool) throws {
    let number = try loseResponse()
    world.source.removeMarker(of: number)
    if isEdited {
      world.source.edit(number) { $0.title = "theirs" }
    } else {
      world.source.add("new", note: "line\nline")
    }
    world.wait(seconds: 20)
    let report = try world.sync()
    #expect(report.failed.map(\.id) == [todo.id])
    #expect(try stored.failure?.message.contains("https://example.org/\(number)") == true)
    // It is not sent again automatically, by a sync of the user, or after an edit.
    let count = world.source.requests.count
    try world.sync(.push)
    #expect(world.source.requests.count == count)
    try world.sync()
    _ = try world.store.edit(todo.id, TodoEdit(title: "newer"), in: world.list)
    try world.sync()
    #expect(createCount() == 1)
    #expect(try stored.sync == .failed)
  }

  @Test func removedTodoThatCannotBeRecognizedNeedsNothingMore() throws {
    let number = try loseResponse()
    world.source.removeMarker(of: number)
    world.source.edit(number) { $0.title = "theirs" }
    world.wait(seconds: 20)
    try world.store.remove(todo.id, expectedVersion: nil, in: world.list)
    #expect(try world.sync().failed.isEmpty)
    #expect(try world.store.outgoing(in: world.list, failed: true).isEmpty)
    #expect(try world.todos.map(\.content.title) == ["theirs"])
  }

  @Test func itemIsNotMatchedWithoutTheNameOfTheUser() throws {
    world.source.removeMarker(of: try loseResponse())
    world.wait(seconds: 20)
    // The first request searches, the second asks for the user.
    let next = world.source.requests.count
    world.source.faults = [.init(kind: .refused(.forbidden), at: next + 1)]
    #expect(try world.sync(.push).failed.count == 1)
    #expect(createCount() == 1)
  }
}
