import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests loads of a view during loads of other views and during edits.
@Suite struct ViewRaceTests {
  private let view = RemoteView(
    key: "labels=mine", filter: "labels=mine", labels: LabelSet(["mine"]))
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld(view: view)
    world.source.viewLabel = "mine"
    world.source.capabilities.changesLabelsSingly = true
    for number: Int64 in 1...2 {
      world.source.add("issue \(number)")
      world.source.edit(number) { $0.labels = LabelSet(["mine"]) }
    }
    try world.sync()
  }

  private var titles: [String] { get throws { try world.todos.map(\.content.title) } }

  private func load(_ store: SQLiteStore) throws {
    var engine = SyncEngine(
      world.list, at: world.address, world.source.capabilities, goal: .reload, journal: store,
      owner: "other")
    try world.run(&engine)
  }

  /// Runs a load of the view, during which `body` runs once.
  private func load(during body: () throws -> Void) throws {
    var engine = world.engine(.reload)
    var isFirst = true
    try world.run(&engine) { _ in
      if isFirst { try body() }
      isFirst = false
    }
  }

  @Test func aNewerLoadOfTheWholeListKeepsNothingInTheView() throws {
    let other = try world.store(of: nil)
    world.source.edit(1) { $0.labels = LabelSet() }
    try load {
      world.source.viewLabel = nil
      try load(other)
      world.source.viewLabel = "mine"
    }
    #expect(try titles == ["issue 2"])
    #expect(try other.todos(TodoQuery(), in: world.list).total == 2)
  }

  @Test(arguments: [false, true])
  func aTodoWhoseEditIsRevertedAfterALoadIsOutsideIfItsItemIs(hasLeft: Bool) throws {
    // Requests for changes do not report the item again.
    world.source.limitsChanges = true
    try world.edit("issue 1", TodoEdit(title: "mine"))
    if hasLeft { world.source.edit(1) { $0.labels = LabelSet() } }
    try load(world.store)
    #expect(try titles == ["issue 2", "mine"])
    // The load of the whole list by another server reads the item, and knows nothing of the view.
    world.source.viewLabel = nil
    try load(world.store(of: nil))
    world.source.viewLabel = "mine"
    try world.edit("mine", TodoEdit(title: "issue 1"))
    try world.sync()
    #expect(try titles == (hasLeft ? ["issue 2"] : ["issue 2", "issue 1"]))
    #expect(world.source.writes.isEmpty)
  }

  /// A newer load of the same view runs during an older one. The older load must not read each item
  /// that only the newer load has listed.
  @Test func itemsOfANewerLoadOfTheSameViewAreNotRead() throws {
    let other = try world.store(of: view)
    world.source.edit(1) { $0.labels = LabelSet() }
    let count = world.source.requests.count
    try load {
      world.source.edit(1) { $0.labels = LabelSet(["mine", "x"]) }
      try load(other)
    }
    #expect(try titles == ["issue 2", "issue 1"])
    #expect(world.source.requests.count == count + 2)
  }
}
