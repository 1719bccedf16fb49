import Testing
import TodoModel

@testable import TodoDatabase

/// Tests when the removals of a saved document are sent to the source (rule 10 for documents).
@Suite struct HeldRemovalTests {
  private let world: SyncWorld
  private static let path = "/todos.md"

  init() throws {
    world = try SyncWorld()
    for number in 1...12 { world.source.add("issue \(number)") }
    try world.sync()
    _ = try world.store.openDocument(Self.path, in: world.list)
  }

  @discardableResult
  private func removeLines(_ count: Int) throws -> DocumentReport {
    let changes = try world.todos.prefix(count).map {
      DocumentChange.remove($0.id, version: $0.version, dropping: [])
    }
    return try world.store.saveDocument(
      DocumentSave(path: Self.path, generation: 0, changes: changes), in: world.list)
  }

  /// Advances the clock of the store by a minute. Each time this clock is read, it advances by a
  /// second.
  private func waitAMinute() throws {
    for _ in 0...60 { _ = try world.store.outgoing(in: world.list, failed: false) }
  }

  private var sentCount: Int {
    world.source.writes.count { if case .remove = $0.kind { true } else { false } }
  }

  @Test func rule10RemovedLineIsSentAfterAMinute() throws {
    try removeLines(1)
    try world.edit("issue 3", TodoEdit(title: "edited"))
    let report = try world.sync(.push)
    #expect((report.held, report.pushed, sentCount) == (1, 1, 0), "other changes are sent")
    try waitAMinute()
    #expect(try world.sync(.push).held == 0)
    #expect(sentCount == 1)
  }

  @Test(arguments: [10, 11])
  func rule10MoreThanTenRemovalsInOneSaveWaitForASync(count: Int) throws {
    let saved = try removeLines(count)
    #expect((saved.heldRemovals(in: world.list) != nil) == (count > 10))
    #expect(saved.heldRemovals(in: .local) == nil)
    try waitAMinute()
    let report = try world.sync(.again)
    #expect((report.held, sentCount) == (count > 10 ? (11, 0) : (0, 10)))
    try world.sync(.both)
    #expect(sentCount == count)
  }

  @Test func rule10TenRemovalsInEachOfTwoSavesAreSent() throws {
    try removeLines(8)
    try removeLines(4)
    try waitAMinute()
    #expect(try world.sync(.push).held == 0)
    #expect(sentCount == 12)
  }

  @Test func rule10LineThatIsPutBackAndRemovedElsewhereIsSentImmediately() throws {
    let todo = try #require(try world.todos.first)
    try removeLines(1)
    _ = try world.store.restore(todo.id, in: world.list)
    try world.store.remove(todo.id, expectedVersion: nil, in: world.list)
    #expect(try world.sync(.push).held == 0)
    #expect(sentCount == 1)
  }
}
