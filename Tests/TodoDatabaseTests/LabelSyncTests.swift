import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Labels are sent one by one, so that those of other users are never removed.
@Suite struct LabelSyncTests {
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld()
    world.source.capabilities.changesLabelsSingly = true
    world.source.add("issue")
    world.source.edit(1) { $0.labels = LabelSet(["bug", "old"]) }
    try world.sync()
  }

  private func set(_ labels: String...) throws {
    try world.edit("issue", TodoEdit(checking: FieldChanges(labels: labels)))
  }

  private var labels: (mine: [String], theirs: [String]) {
    get throws {
      (
        try #require(try world.todos.first).content.labels.texts,
        world.source.items[1]?.content.labels.texts ?? []
      )
    }
  }

  private var sent: [String] {
    world.source.writes.flatMap { request -> [String] in
      switch request.kind {
      case .change(_, _, let fields, _, _): fields.map(\.rawValue)
      case .changeLabel(_, let change): [(change.isAdded ? "+" : "-") + change.label]
      default: []
      }
    }
  }

  @Test func labelsAreDelivered() throws {
    #expect(try labels.mine == ["bug", "old"])
    world.source.edit(1) { $0.labels = LabelSet(["new"]) }
    try world.sync()
    #expect(try labels.mine == ["new"])
  }

  @Test func eachChangeHasOneLabel() throws {
    _ = try world.store.edit(
      world.id("issue"),
      TodoEdit(
        checking: FieldChanges(
          TodoContent(title: "issue 2", labels: LabelSet(["bug", "a", "b"])),
          fields: [.title, .labels])), in: world.list)
    let report = try world.sync()
    #expect(report.pushed == 1 && report.failed.isEmpty)
    #expect(sent == ["title", "-old", "+a", "+b"])
    #expect(try labels == (["a", "b", "bug"], ["a", "b", "bug"]))
    #expect(try world.store.counts(of: world.list) == SyncCounts())
  }

  /// Other users change labels between any two requests.
  @Test(arguments: 0..<4)
  func labelsOfOthersStay(round: Int) throws {
    try set("bug", "a", "b")
    var engine = world.engine()
    var count = 0
    try world.run(&engine) { request in
      if count == round {
        world.source.edit(1) {
          $0.labels.insert("theirs")
          $0.labels.remove("bug")
        }
      }
      count += 1
    }
    try world.sync()
    #expect(try labels == (["a", "b", "theirs"], ["a", "b", "theirs"]))
    #expect(!sent.contains("-theirs") && !sent.contains("+bug"))
    #expect(try world.store.counts(of: world.list) == SyncCounts())
  }

  @Test(arguments: [ModelSource.Fault.Kind.lostBefore, .lostAfter])
  func changeWithoutAResponseIsNotLost(kind: ModelSource.Fault.Kind) throws {
    try set("bug", "a", "b")
    // The first two requests read the item and remove a label.
    world.source.faults = [.init(kind: kind, at: world.source.requests.count + 2)]
    try world.sync()
    world.source.edit(1) { $0.labels.insert("theirs") }
    world.wait(seconds: 20)
    try world.sync()
    #expect(try labels == (["a", "b", "bug", "theirs"], ["a", "b", "bug", "theirs"]))
    #expect(try world.store.counts(of: world.list) == SyncCounts())
  }

  @Test func labelsOfANewTodoAreCreatedWithIt() throws {
    let draft = try NewTodo(TodoContent(title: "new", labels: LabelSet(["a", "b"])))
    let todo = try world.store.add(draft, to: world.list)
    try world.sync()
    #expect(world.source.items[2]?.content.labels.texts == ["a", "b"])
    #expect(try world.store.todo(todo.id, in: world.list).sync == .synced)
    #expect(world.source.writes.count == 1)
  }

  @Test(arguments: [false, true])
  func refusedLabelStaysLocal(isNew: Bool) throws {
    world.source.acceptsLabels = false
    if isNew {
      let draft = try NewTodo(TodoContent(title: "new", labels: LabelSet(["bug", "a"])))
      _ = try world.store.add(draft, to: world.list)
    } else {
      try set("bug", "old", "a")
    }
    let report = try world.sync()
    #expect(report.failed.map(\.failure.message) == ["You may not set labels here."])
    let todo = try #require(try world.todos.first)
    #expect(todo.sync == .failed && todo.failure?.kind == .forbidden)
    #expect(todo.content.labels.contains("a"))
    // A pull does not remove it.
    world.source.edit(isNew ? 2 : 1) { $0.note = "theirs" }
    try world.sync(.pull)
    #expect(try #require(try world.todos.first).content.labels.contains("a"))
    // It is sent once the user may set labels.
    world.source.acceptsLabels = true
    try world.sync()
    #expect(try #require(try world.todos.first).sync == .synced)
    #expect(world.source.items[isNew ? 2 : 1]?.content.labels.contains("a") == true)
  }

  @Test func labelsWaitWhileTheUserMayNotSetThem() throws {
    (world.source.acceptsLabels, world.source.answersDeniedLabels) = (false, true)
    try set("bug", "old", "a")
    let report = try world.sync()
    #expect(report.sendError?.kind == .forbidden && report.failed.isEmpty)
    #expect(try world.store.counts(of: world.list).pending == 1)
    world.source.acceptsLabels = true
    try world.sync()
    #expect(try labels.theirs == ["a", "bug", "old"])
  }

  @Test func spellingOfTheSourceIsAdopted() throws {
    try set("BUG", "old", "x")
    try world.sync()
    #expect(try labels.mine == ["bug", "old", "x"])
    // Another user changes the spelling of a label while the todo is pending.
    try set("bug", "old")
    world.source.edit(1) { $0.labels = LabelSet(["Bug", "old", "x"]) }
    try world.sync()
    #expect(try labels == (["Bug", "old"], ["Bug", "old"]))
    #expect(try world.store.counts(of: world.list) == SyncCounts())
  }

  /// Fields that an item does not have stay unchanged in its todo: the labels if the item has no
  /// member `labels`, and the due date and the priority, which this source does not store.
  @Test func missingFieldsAreNotRemoved() throws {
    let due = DueDate("2026-12-01")
    _ = try world.store.edit(
      world.id("issue"),
      TodoEdit(
        checking: FieldChanges(TodoContent(due: due, priority: .high), fields: [.due, .priority])),
      in: world.list)
    world.source.fields = Issue.fields
    world.source.edit(1) { $0.title = "theirs" }
    try world.sync()
    world.source.fields = [.title, .note, .done]
    world.source.edit(1) { $0.note = "theirs" }
    try world.sync()
    let content = try #require(try world.todos.first).content
    #expect(content.labels.texts == ["bug", "old"] && content.due == due)
    #expect(content.priority == .high && content.title == "theirs" && content.note == "theirs")
    #expect(world.source.writes.isEmpty)
  }

  @Test func labelsOfTheSourceAreSuggested() throws {
    world.source.capabilities.listsLabels = true
    world.source.knownLabels = ["Bug", "c", "d", "e", "f", "g", "h"]
    let report = try world.sync(.labels)
    #expect(report.hasReadLabels && report.error == nil)
    #expect(
      try world.store.labels(in: world.list) == ["bug", "c", "d", "e", "f", "g", "h", "old"])
    // They are recent for a day.
    let count = world.source.requests.count
    world.source.knownLabels = ["z"]
    try world.sync(.labels)
    #expect(world.source.requests.count == count)
    world.wait(seconds: 86_401)
    try world.sync(.labels)
    #expect(try world.store.labels(in: world.list) == ["bug", "old", "z"])
  }

  @Test func failedReadOfLabelsChangesNothing() throws {
    world.source.capabilities.listsLabels = true
    world.source.knownLabels = ["a", "b", "c", "d"]
    try world.sync(.labels)
    world.wait(seconds: 86_401)
    world.source.knownLabels = ["z", "y", "x", "w"]
    // The second page fails.
    world.source.faults = [
      .init(kind: .lostBefore, at: world.source.requests.count + 1)
    ]
    let report = try world.sync(.labels)
    #expect(!report.hasReadLabels && report.error == nil)
    #expect(try world.store.labels(in: world.list) == ["a", "b", "bug", "c", "d", "old"])
    // A limit is respected.
    let instant = Timestamp(milliseconds: world.now.milliseconds + 60_000)
    world.source.faults = [
      .init(kind: .limited(retryAt: instant), at: world.source.requests.count)
    ]
    #expect(try world.sync(.labels).retryAt == instant)
    #expect(try world.store.host(world.address.baseURL).nextRequestAt == instant)
  }

  @Test func readOfLabelsEnds() throws {
    world.source.capabilities.listsLabels = true
    world.source.knownLabels = (0..<200).map { "label \($0)" }
    try world.sync(.labels)
    let pages = world.source.requests.count { request in
      if case .listLabels = request.kind { true } else { false }
    }
    #expect(pages == SyncEngine.labelPagesMax)
    #expect(try world.store.labels(in: world.list).count == 3 * pages + 2)
  }

  @Test func lostCreationKeepsItsLabels() throws {
    world.source.acceptsLabels = false
    let draft = try NewTodo(TodoContent(title: "new", labels: LabelSet(["a"])))
    let todo = try world.store.add(draft, to: world.list)
    world.source.faults = [.init(kind: .lostAfter, at: world.source.requests.count)]
    try world.sync(.push)
    world.source.acceptsLabels = true
    world.wait(seconds: 20)
    try world.sync()
    #expect(world.source.items[2]?.content.labels.texts == ["a"])
    #expect(try world.store.todo(todo.id, in: world.list).content.labels.texts == ["a"])
  }

  @Test func labelThatAnotherUserRemovesAfterALostCreationDoesNotReturn() throws {
    let draft = try NewTodo(TodoContent(title: "new", labels: LabelSet(["a", "b"])))
    let todo = try world.store.add(draft, to: world.list)
    world.source.faults = [.init(kind: .lostAfter, at: world.source.requests.count)]
    try world.sync(.push)
    world.wait(seconds: 20)
    world.source.time = world.now
    world.source.edit(2) { $0.labels = LabelSet(["b"]) }
    try world.sync()
    #expect(world.source.items[2]?.content.labels.texts == ["b"])
    let stored = try world.store.todo(todo.id, in: world.list)
    #expect(stored.content.labels.texts == ["b"] && stored.sync == .synced)
  }
}

extension FieldChanges {
  fileprivate init(labels: [String]) {
    self.init(TodoContent(labels: LabelSet(labels)), fields: [.labels])
  }
}
