import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Failures of the whole source are not failures of a todo: changes wait until access is restored.
@Suite struct SyncDenialTests {
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld()
    for number in 1...6 { world.source.add("issue \(number)") }
    try world.sync()
  }

  private var counts: SyncCounts { get throws { try world.store.counts(of: world.list) } }

  private func editAll() throws {
    for number in 1...6 { try world.edit("issue \(number)", TodoEdit(title: "mine \(number)")) }
  }

  @Test func editsWaitWhileNothingCanBeRead() throws {
    try editAll()
    world.source.denied = .everything
    let count = world.source.requests.count
    let report = try world.sync()
    #expect(report.error?.kind == .notFound)
    #expect(report.failed.isEmpty)
    #expect(try counts == SyncCounts(pending: 6))
    // The first todo, and the check whether the list can be read.
    #expect(world.source.requests.count == count + 2)
    world.source.denied = .nothing
    #expect(try world.sync(.again).pushed == 6)
    #expect(try counts == SyncCounts())
  }

  /// The source refused the request for the item before the list could be read again, so nothing is
  /// known about the item.
  @Test func itemIsReadAgainOnceTheListCanBeRead() throws {
    try world.edit("issue 1", TodoEdit(title: "mine 1"))
    world.source.faults = [.init(kind: .refused(.notFound), at: world.source.requests.count)]
    let report = try world.sync()
    #expect(report.pushed == 1 && report.failed.isEmpty)
    #expect(world.source.items[1]?.content.title == "mine 1")
  }

  @Test func editsWaitWhileNothingCanBeChanged() throws {
    try editAll()
    _ = try world.store.add(NewTodo(title: "new"), to: world.list)
    world.source.denied = .changes
    world.source.add("theirs")
    let report = try world.sync()
    #expect(report.sendError?.kind == .forbidden)
    #expect(report.error == nil && report.failed.isEmpty)
    // The list is still updated.
    #expect(report.isComplete && report.pulled == 1)
    #expect(try counts == SyncCounts(pending: 7))
    #expect(world.source.writes.count == 3)
    world.source.denied = .nothing
    #expect(try world.sync(.again).pushed == 7)
    #expect(try counts == SyncCounts())
  }

  @Test func lockedIssueFailsOnceTheListCanBeRead() throws {
    world.source.locked = [2]
    try world.edit("issue 2", TodoEdit(title: "mine"))
    let report = try world.sync()
    #expect(report.failed.map(\.failure.message) == ["Locked."])
    #expect(report.sendError == nil)
    #expect(try counts == SyncCounts(failed: 1))
    world.source.locked = []
    // A later edit retries it.
    try world.edit("mine", TodoEdit(note: "more"))
    #expect(try world.sync(.again).pushed == 1)
    #expect(world.source.items[2]?.content == TodoContent(title: "mine", note: "more"))
  }

  @Test func lockedIssueWaitsWhileTheListCannotBeRead() throws {
    world.source.locked = [2]
    try world.edit("issue 2", TodoEdit(title: "mine"))
    let next = world.source.requests.count
    world.source.faults = [.init(kind: .refused(.forbidden), at: next + 2)]
    #expect(try world.sync().error?.kind == .forbidden)
    #expect(try counts == SyncCounts(pending: 1))
  }

  /// A user may be allowed to change only their own issues.
  @Test func deniedChangeFailsIfTheSourceTakesOthers() throws {
    try world.edit("issue 1", TodoEdit(title: "mine 1"))
    try world.edit("issue 2", TodoEdit(title: "mine 2"))
    let next = world.source.requests.count
    world.source.faults = [.init(kind: .refused(.forbidden), at: next + 1)]
    let report = try world.sync()
    #expect(report.failed.map(\.title) == ["mine 1"])
    #expect(report.pushed == 1 && report.sendError == nil)
  }

  @Test func withoutATokenEditsWaitAndTheListIsRead() throws {
    try editAll()
    world.source.add("theirs")
    let next = world.source.requests.count
    world.source.faults = [.init(kind: .refused(.unauthorized), at: next + 1)]
    let report = try world.sync()
    #expect(report.sendError?.kind == .unauthorized)
    #expect(report.isComplete && report.pulled == 1 && report.error == nil)
    #expect(world.source.writes.count == 1)
    #expect(try counts == SyncCounts(pending: 6))
  }

  // MARK: Counting

  @Test func conflictIsCountedOnce() throws {
    try world.edit("issue 1", TodoEdit(title: "mine"))
    world.source.faults = [.init(kind: .lostBefore, at: world.source.requests.count + 1)]
    try world.sync(.push)
    world.source.edit(1) { $0.title = "theirs" }
    // The pull finds the conflict, and the search for the lost change finds it again.
    #expect(try world.sync().conflicts == 1)
    #expect(try counts == SyncCounts(conflicts: 1))
  }
}
