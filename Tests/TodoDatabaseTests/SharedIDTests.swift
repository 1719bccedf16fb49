import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests two users of one repository whose todos have the same id, such as after an import.
@Suite struct SharedIDTests {
  private let world: SyncWorld
  private let ann = TodoListKey.source
  private let bob = TodoListKey(profile: "bob", source: TodoListKey.source.source)

  init() throws {
    world = try SyncWorld()
    for (list, title) in [(ann, "Ann's"), (bob, "Bob's")] {
      let lines = """
        {"format":"todo-server","version":1}
        {"list":{"name":"\(list.profile)","source":"\(list.source)"}}
        {"id":"1","title":"\(title)"}
        """
      _ = try world.store.importLines(LineReader(text: lines), profile: nil)
    }
    try world.sync(of: ann)
  }

  private func titles(of list: TodoListKey) throws -> [TodoID: String] {
    Dictionary(
      uniqueKeysWithValues: try world.store.todos(TodoQuery(), in: list).elements.map {
        ($0.id, $0.content.title)
      })
  }

  @Test func aLoadDoesNotLinkATodoToTheIssueOfAnotherUser() throws {
    #expect(try world.sync(.pull, of: bob).conflicts == 0)
    let own = try world.store.todo(TodoID("1"), in: bob)
    #expect((own.content.title, own.origin) == ("Bob's", nil))
    #expect(Set(try titles(of: bob).values) == ["Ann's", "Bob's"])
    try world.sync(of: bob)
    try world.sync(of: ann)
    #expect(world.source.titles == ["Bob's", "Ann's"])
    #expect(try titles(of: ann)[TodoID("1")] == "Ann's")
    #expect(try titles(of: bob)[TodoID("1")] == "Bob's")
  }

  /// The search for the created item must not find the item of the other user.
  @Test(arguments: [false, true])
  func theSearchForALostCreationIgnoresIssuesOfOtherUsers(isLostAfter: Bool) throws {
    world.source.faults = [
      .init(kind: isLostAfter ? .lostAfter : .lostBefore, at: world.source.requests.count)
    ]
    try world.sync(.push, of: bob)
    for _ in 0..<2 {
      try world.restart()
      world.wait(seconds: 20)
      try world.sync(of: bob)
    }
    #expect(world.source.titles == ["Bob's", "Ann's"])
    #expect(try titles(of: bob)[TodoID("1")] == "Bob's")
    #expect(try world.store.counts(of: bob) == SyncCounts())
  }
}
