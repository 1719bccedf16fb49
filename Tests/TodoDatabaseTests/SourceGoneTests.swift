import Testing
import TodoModel

@testable import TodoDatabase

/// Tests todos whose item no longer exists at the source, or cannot be changed.
@Suite struct SourceGoneTests {
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld()
    for number in 1...3 { world.source.add("issue \(number)") }
    try world.sync()
  }

  private var titles: [String] { get throws { try world.todos.map(\.content.title) } }

  private var counts: SyncCounts { get throws { try world.store.counts(of: world.list) } }

  @Test func itemDeletedRemotelyLeavesTheListWithinADay() throws {
    world.source.delete(2)
    try world.sync()
    #expect(try titles == ["issue 3", "issue 2", "issue 1"], "no change names it")
    world.wait(seconds: 86_400)
    #expect(try world.sync().isComplete)
    #expect(try titles == ["issue 3", "issue 1"])
    let count = world.source.requests.count
    try world.sync()
    #expect(world.source.requests.count == count + 1, "the next one asks for changes again")
  }

  @Test func locallyEditedTodoStaysWhenDeletedRemotely() throws {
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.delete(2)
    #expect(try world.sync().failed.map(\.title) == ["mine"])
    world.wait(seconds: 86_400)
    try world.sync()
    #expect(try titles == ["issue 3", "mine", "issue 1"])
    #expect(try counts.failed == 1)
  }

  @Test(arguments: [false, true])
  func removalOfAnItemDeletedRemotelyIsDone(saysDeleted: Bool) throws {
    try world.store.remove(try world.id("issue 2"), expectedVersion: nil, in: world.list)
    world.source.delete(2)
    world.source.saysDeleted = saysDeleted
    #expect(try world.sync().failed.isEmpty)
    #expect(try counts == SyncCounts())
    #expect(try titles == ["issue 3", "issue 1"])
  }

  /// The todo of a deleted item need not be kept if it has no unsent edits.
  @Test func deletedTodoLeavesTheListWhenItsEditIsTakenBack() throws {
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.delete(2)
    #expect(try world.sync().failed.map(\.title) == ["mine"])
    try world.edit("mine", TodoEdit(title: "issue 2"))
    #expect(try counts == SyncCounts(pending: 1))
    #expect(try world.sync().failed.isEmpty)
    #expect(try titles == ["issue 3", "issue 1"])
    #expect(try counts == SyncCounts())
  }

  /// If the item were not read again, the todo would count as synced although the source no longer
  /// has the item.
  @Test func missingItemIsReadAgainWhateverIsRevertedMeanwhile() throws {
    let id = try world.id("issue 2")
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.delete(2)
    try world.sync()
    try world.edit("mine", TodoEdit(title: "issue 2"))
    try world.edit("issue 2", TodoEdit(title: "other"))
    _ = try world.store.undo(in: world.list)
    #expect(try world.store.todo(id, in: world.list).sync == .pending)
    try world.store.remove(id, expectedVersion: nil, in: world.list)
    _ = try world.store.undo(in: world.list)
    try world.restart()
    #expect(try world.store.todo(id, in: world.list).sync == .pending)
    #expect(try world.sync().failed.isEmpty)
    #expect(try titles == ["issue 3", "issue 1"])
  }

  @Test func editOfAnItemThatAppearedAgainCanBeReverted() throws {
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.delete(2)
    try world.sync()
    let item = RemoteItem(
      key: "2", url: "https://example.org/2", content: TodoContent(title: "issue 2"), fields: .all,
      order: RemoteItem.order(ofNumber: 2))
    _ = try world.store.mergeRemote([item], of: nil, to: world.list)
    try world.edit("mine", TodoEdit(title: "issue 2"))
    #expect(try counts == SyncCounts())
  }

  @Test func editOfAnItemThatALoadHasNotListedCanBeReverted() throws {
    try world.edit("issue 2", TodoEdit(title: "mine"))
    try world.store.load([.sample(1), .sample(3)], to: world.list)
    try world.edit("mine", TodoEdit(title: "issue 2"))
    #expect(try counts == SyncCounts(pending: 1), "the item is read before it counts as synced")
  }

  @Test func reportedDeletionOfAnEditedTodoFails() throws {
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.delete(2)
    world.source.delete(3)
    #expect(try world.store.mergeRemote(deleted: ["2", "3", "9"], to: world.list).changed == 1)
    #expect(try titles == ["mine", "issue 1"])
    #expect(try counts == SyncCounts(failed: 1))
    try world.edit("mine", TodoEdit(title: "issue 2"))
    try world.sync()
    #expect(try titles == ["issue 1"])
  }

  /// The source has deleted the item, so undoing the removal creates a new one.
  @Test func restoredTodoOfADeletedItemIsCreatedAgain() throws {
    try world.store.remove(try world.id("issue 2"), expectedVersion: nil, in: world.list)
    world.source.delete(2)
    try world.sync()
    _ = try world.store.undo(in: world.list)
    #expect(try world.sync().pushed == 1)
    #expect(world.source.items[4]?.content.title == "issue 2")
    #expect(try counts == SyncCounts())
  }

  /// The deletion of the item was caused by the user, who has restored the todo since.
  @Test(arguments: [false, true])
  func todoRestoredDuringTheDeletionOfItsItemIsCreatedAgain(isResponseLost: Bool) throws {
    world.source.capabilities.removal = .deletes
    let id = try world.id("issue 2")
    try world.store.remove(id, expectedVersion: nil, in: world.list)
    if isResponseLost {
      // The first request reads the item.
      world.source.faults = [.init(kind: .lostAfter, at: world.source.requests.count + 1)]
    }
    var engine = world.engine()
    try world.run(&engine) { request in
      guard case .remove = request.kind else { return }
      _ = try world.store.restore(id, in: world.list)
    }
    if isResponseLost {
      world.wait(seconds: 20)
      try world.sync()
    }
    #expect(world.source.items[2] == nil)
    #expect(world.source.items[4]?.content.title == "issue 2")
    let todo = try world.store.todo(id, in: world.list)
    #expect(todo.sync == .synced && todo.origin?.number == 4)
    #expect(try titles.filter { $0 == "issue 2" }.count == 1)
    #expect(try counts == SyncCounts())
  }

  @Test func refusedEditIsNotSentAgainWhenTheItemIsListed() throws {
    try world.edit("issue 3", TodoEdit(title: "mine"))
    world.source.locked = [3]
    #expect(try world.sync().failed.count == 1)
    let todo = try #require(try world.todos.first)
    #expect(todo.sync == .failed && todo.failure?.kind == .forbidden)
    let writes = world.source.writes.count
    // The cursor is inclusive, so the same item is returned again. So is one that was only touched.
    world.source.edit(3) { _ in }
    try world.sync(.again)
    #expect(try world.todos.first == todo)
    #expect(world.source.writes.count == writes)
    // A change by others may have removed the reason for the refusal.
    world.source.locked = []
    world.source.edit(3) { $0.note = "unlocked" }
    try world.sync(.pull)
    #expect(try world.todos.first?.sync == .pending)
    try world.sync()
    #expect(world.source.items[3]?.content.title == "mine")
  }
}
