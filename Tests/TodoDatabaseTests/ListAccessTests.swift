import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests how the store follows the permissions, fields and lists that a source declares.
@Suite struct ListAccessTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  @Test func aReadOnlyListRefusesChanges() throws {
    world.source.add("One")
    world.source.add("Two")
    world.source.isReadOnly = true
    try world.sync()
    #expect(try world.store.isReadOnly(world.list))
    let (one, two) = (try world.id("One"), try world.id("Two"))
    let (store, list) = (world.store, world.list)
    #expect(throws: TodoError.readOnlyList) { try store.add(NewTodo(title: "New"), to: list) }
    #expect(throws: TodoError.readOnlyList) {
      try store.edit(one, TodoEdit(title: "Mine"), in: list)
    }
    #expect(throws: TodoError.readOnlyList) {
      try store.remove(one, expectedVersion: nil, in: list)
    }
    #expect(throws: TodoError.readOnlyList) {
      try store.change([one, two], .toggle, in: list)
    }
    #expect(try world.todos.map(\.sync) == [.synced, .synced])
    // It is known without the network.
    try world.restart()
    #expect(try world.store.isReadOnly(list))
    // An edit that changes nothing is not refused, and neither is a move.
    #expect(try world.store.edit(one, TodoEdit(title: "One"), in: list).sync == .synced)
    _ = try world.store.move(one, to: .before(two), in: list)
    world.source.isReadOnly = false
    try world.sync()
    #expect(try world.store.edit(one, TodoEdit(title: "Mine"), in: list).sync == .pending)
  }

  /// Edits that were made before the permission was lost stay unsent, and can be undone.
  @Test func editsWaitWhileAPermissionIsLost() throws {
    world.source.add("One")
    try world.sync()
    let id = try world.id("One")
    _ = try world.store.edit(id, TodoEdit(title: "Mine"), in: world.list)
    world.source.isReadOnly = true
    try world.sync(.pull)
    #expect(try world.store.isReadOnly(world.list))
    #expect(try world.store.todo(id, in: world.list).sync == .pending)
    _ = try world.store.undo(in: world.list)
    #expect(try world.store.todo(id, in: world.list).content.title == "One")
    world.source.isReadOnly = nil
    try world.sync()
    #expect(try world.store.isReadOnly(world.list), "a source that says nothing changes nothing")
  }

  /// The list has the fields that its source declares, whatever the name of the source.
  @Test func fieldsThatASourceStoresAreSent() throws {
    world.source.capabilities.fields = .all
    world.source.add("One")
    try world.sync()
    let id = try world.id("One")
    let edit = TodoEdit(
      unchecked: FieldChanges(TodoContent(priority: .high), fields: [.priority]))
    #expect(try world.store.edit(id, edit, in: world.list).sync == .pending)
    try world.sync()
    #expect(world.source.items.values.map(\.content.priority) == [.high])
    #expect(try world.store.todo(id, in: world.list).sync == .synced)
  }

  @Test func foundListsAreKeptForEachUser() throws {
    let store = world.store
    let host = TodoListKey(profile: "ann", source: "caldav:ann@example.org")
    #expect(try store.discoveredLists(at: host) == [])
    let lists = [
      DiscoveredList(source: "caldav+https://ann@example.org/b/", title: "B"),
      DiscoveredList(source: "caldav+https://ann@example.org/a/", title: ""),
    ]
    try store.record(lists, at: host)
    try world.restart()
    #expect(try world.store.discoveredLists(at: host) == lists)
    let other = TodoListKey(profile: "bob", source: host.source)
    #expect(try world.store.discoveredLists(at: other) == [])
  }

  /// A list that the host no longer has is not hidden while the list has unsent edits.
  @Test func aListWithUnsentEditsStays() throws {
    let host = TodoListKey(profile: "ann", source: "caldav:ann@example.org")
    let lists = ["a", "b"].map {
      DiscoveredList(source: "caldav+https://ann@example.org/\($0)/", title: $0)
    }
    try world.store.record(lists, at: host)
    let edited = TodoListKey(profile: "ann", source: lists[1].source)
    let todo = try world.store.add(NewTodo(title: "Not sent"), to: edited)
    let new = DiscoveredList(source: "caldav+https://ann@example.org/c/", title: "c")
    try world.store.record([new], at: host)
    #expect(try world.store.discoveredLists(at: host) == [new, lists[1]])
    try world.store.remove(todo.id, expectedVersion: nil, in: edited)
    try world.store.record([new], at: host)
    #expect(try world.store.discoveredLists(at: host) == [new])
  }
}
