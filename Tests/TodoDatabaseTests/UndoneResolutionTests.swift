import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Undoing the resolution of a conflict with the source restores the conflict.
@Suite struct UndoneResolutionTests {
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld()
    world.source.add("issue 1", note: "note 1")
    try world.sync()
    try world.edit("issue 1", TodoEdit(title: "mine"))
    world.source.edit(1) { $0.title = "theirs" }
    try world.sync()
  }

  private func resolve(_ resolution: Resolution) throws -> TodoID {
    let id = try world.id("mine")
    let conflict = try #require(try world.store.conflict(of: id, in: world.list))
    _ = try world.store.resolve(
      id, version: conflict.version, to: resolution, in: world.list)
    return id
  }

  @Test(arguments: ["mine", "theirs", "both"])
  func undoShowsTheConflictAgain(after title: String) throws {
    let id = try resolve(.merged(TodoEdit(title: title)))
    let resolved = try world.store.todo(id, in: world.list).content
    _ = try world.store.undo(in: world.list)
    let sides = try #require(try world.store.conflict(of: id, in: world.list)).merge
    #expect(sides.base?.title == "issue 1")
    #expect((sides.mine.title, sides.theirs.title) == ("mine", "theirs"))
    try world.sync()
    #expect(world.source.writes.isEmpty, "theirs is not overwritten without a decision")

    _ = try world.store.redo(in: world.list)
    #expect(try world.store.conflict(of: id, in: world.list) == nil)
    #expect(try world.store.todo(id, in: world.list).content == resolved)
    try world.sync()
    #expect(world.source.items[1]?.content.title == resolved.title)
  }

  @Test func undoAfterTheResolutionWasSentComparesWithTheSource() throws {
    let id = try resolve(.merged(TodoEdit(title: "both")))
    try world.sync()
    #expect(world.source.items[1]?.content.title == "both")
    _ = try world.store.undo(in: world.list)
    let sides = try #require(try world.store.conflict(of: id, in: world.list)).merge
    #expect((sides.mine.title, sides.theirs.title) == ("mine", "both"))
  }
}
