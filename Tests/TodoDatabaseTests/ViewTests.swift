import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests a list that shows only a view of its source: the items with the label `mine`.
@Suite struct ViewTests {
  private static let view = RemoteView(
    key: "labels=mine", filter: "labels=mine", labels: LabelSet(["mine"]))
  private let world: SyncWorld

  init() throws {
    world = try SyncWorld(view: Self.view)
    world.source.viewLabel = "mine"
    world.source.capabilities.changesLabelsSingly = true
  }

  /// Adds items at the source, and syncs. The first `count` items are in the view, and the others
  /// are not.
  private func fill(_ count: Int, others: Int = 0) throws {
    for number in 1...(count + others) {
      let key = world.source.add("issue \(number)")
      if number <= count { world.source.edit(key) { $0.labels = LabelSet(["mine"]) } }
    }
    try world.sync()
  }

  private var titles: [String] { get throws { try world.todos.map(\.content.title) } }

  private func removed() throws -> [String] {
    try world.store.removedTodos(in: world.list).map { "\($0.title) \($0.reason)" }
  }

  @Test func onlyMatchingItemsAreLoaded() throws {
    try fill(2, others: 2)
    #expect(try titles == ["issue 2", "issue 1"])
    #expect(try world.store.rows(TodoQuery(limit: 1), in: world.list).total == 2)
    let id = try world.id("issue 1")
    #expect(try world.store.position(of: id, TodoQuery(), in: world.list) == 1)
    // An unknown item that does not match stays unknown.
    world.source.edit(4) { $0.title = "changed" }
    try world.sync()
    #expect(try world.store(of: nil).todos(TodoQuery(), in: world.list).total == 2)
  }

  @Test func itemLeavesAndComesBackWithChanges() throws {
    try fill(3)
    let id = try world.id("issue 2")
    world.source.edit(2) { $0.labels = LabelSet() }
    #expect(try world.sync().pulled == 1)
    #expect(try titles == ["issue 3", "issue 1"])
    #expect(try removed() == ["issue 2 leftFilter"])
    #expect(throws: TodoError.leftFilter) { try world.store.restore(id, in: world.list) }
    #expect(throws: TodoError.leftFilter) { try world.store.forget(id, in: world.list) }
    // It is in the list, whose view it has left.
    #expect(try world.store(of: nil).todos(TodoQuery(), in: world.list).total == 3)
    world.source.edit(2) { $0.labels = LabelSet(["mine", "x"]) }
    try world.sync()
    #expect(try world.id("issue 2") == id)
    #expect(try removed() == [])
  }

  @Test func itemOfTheViewThatIsClosedLeavesTheList() throws {
    try fill(2)
    world.source.edit(1) { $0.isDone = true }
    try world.sync()
    #expect(try titles == ["issue 2"])
    #expect(try removed() == ["issue 1 closed"])
    #expect(
      try world.store.restore(world.store.removedTodos(in: world.list)[0].id, in: world.list)
        .sync == .pending)
  }

  @Test func todoWithUnsentEditsStaysAndIsSent() throws {
    try fill(2)
    world.source.edit(1) { $0.labels = LabelSet() }
    try world.edit("issue 1", TodoEdit(title: "mine"))
    try world.sync(.pull)
    #expect(try titles == ["issue 2", "mine"])
    #expect(try removed() == [])
    #expect(try world.sync().pushed == 1)
    #expect(world.source.titles == ["issue 2", "mine"])
    #expect(try titles == ["issue 2"])
    #expect(try removed() == ["mine leftFilter"])
  }

  @Test func hiddenTodoOfAnotherSessionIsShownWhileItIsUnsent() throws {
    try fill(1)
    world.source.edit(1) { $0.labels = LabelSet() }
    try world.sync()
    let other = try world.store(of: nil)
    let todo = try #require(try other.todos(TodoQuery(), in: world.list).elements.first)
    #expect(try titles == [])
    _ = try other.edit(todo.id, TodoEdit(note: "edited"), in: world.list)
    #expect(try titles == ["issue 1"])
    try world.sync()
    #expect(world.source.items[1]?.content.note == "edited")
    #expect(try titles == [])
  }

  @Test func missingItemsAreReadOneByOneUpToFifty() throws {
    try fill(60)
    world.source.limitsChanges = true
    world.source.pageSize = 100
    for number in 1...55 { world.source.edit(Int64(number)) { $0.labels = LabelSet() } }
    world.source.edit(56) { $0.isDone = true }
    let count = world.source.requests.count
    #expect(try world.sync(.reload).isComplete)
    let requests = world.source.requests.dropFirst(count)
    #expect(requests.count == 51)
    #expect(try titles == (57...60).reversed().map { "issue \($0)" })
    // The list keeps those that were not read: they may be closed or not.
    let rest = try world.store(of: nil).todos(TodoQuery(limit: 100), in: world.list).total
    #expect(rest == 60 || rest == 59)
    #expect(try removed().count == 56)
  }

  @Test func itemsThatChangesDoNotReportLeaveWithinFifteenMinutes() throws {
    world.source.capabilities.reportsLeaving = false
    world.source.limitsChanges = true
    try fill(2)
    world.source.edit(1) { $0.labels = LabelSet() }
    world.wait(seconds: 300)
    try world.sync(.again)
    #expect(try titles.count == 2)
    world.wait(seconds: 300)
    try world.sync(.again)
    #expect(try titles == ["issue 2"])
    // A sync of the user does not wait.
    world.source.edit(2) { $0.labels = LabelSet() }
    try world.sync()
    #expect(try titles == [])
  }

  @Test func newTodoGetsTheLabels() throws {
    try fill(1)
    let todo = try world.store.add(
      NewTodo(TodoContent(title: "new", labels: LabelSet(["x"]))), to: world.list)
    #expect(todo.content.labels.texts == ["mine", "x"])
    try world.sync()
    #expect(world.source.items[2]?.content.labels.texts == ["mine", "x"])
    #expect(try titles == ["new", "issue 1"])
  }

  @Test func newTodoWhoseRequirementsAreRefusedIsFailed() throws {
    try fill(1)
    world.source.leavesOutRequirements = true
    world.source.viewLabel = "never"
    let todo = try world.store.add(NewTodo(title: "new"), to: world.list)
    let report = try world.sync()
    #expect(report.failed.map(\.failure.message) == [TodoError.requirementsRefused.message])
    let failed = try world.store.todo(todo.id, in: world.list)
    #expect(failed.sync == .failed && failed.failure?.kind == .forbidden)
    #expect(try titles.contains("new"))
    // Nothing is created again.
    try world.sync()
    #expect(world.source.items.count == 2)
    #expect(try world.store.todo(todo.id, in: world.list).sync == .failed)
    // An edit is sent; then the todo leaves.
    try world.edit("new", TodoEdit(title: "newer"))
    try world.sync()
    #expect(world.source.items[2]?.content.title == "newer")
    #expect(try removed().contains("newer leftFilter"))
  }

  @Test func anAdditionOutsideOfTheViewIsRefused() throws {
    let world = try SyncWorld(
      view: RemoteView(key: "creator=bob", filter: nil, additions: .refused))
    #expect(throws: TodoError.addingRefused) {
      try world.store.add(NewTodo(title: "new"), to: world.list)
    }
  }

  @Test func viewsOfOneListAreLoadedIndependently() throws {
    try fill(2, others: 2)
    let other = try world.store(of: nil)
    #expect(try !other.remote(of: world.list).isComplete)
    var engine = SyncEngine(
      world.list, at: world.address, world.source.capabilities, goal: .pull, journal: other,
      owner: "other")
    world.source.viewLabel = nil
    try world.run(&engine)
    #expect(try other.todos(TodoQuery(), in: world.list).total == 4)
    #expect(try titles == ["issue 2", "issue 1"])
    world.source.viewLabel = "mine"
    world.source.edit(2) { $0.labels = LabelSet() }
    try world.sync(.reload)
    #expect(try titles == ["issue 1"])
    #expect(try other.todos(TodoQuery(), in: world.list).total == 4)
    #expect(try other.removedTodos(in: world.list).isEmpty)
  }

  @Test func agendaAndCountsHaveTheView() throws {
    world.source.fields = Issue.fields
    try fill(2)
    for title in ["issue 1", "issue 2"] {
      let day = DueDate(CivilDay.sample)
      let edit = TodoEdit(unchecked: FieldChanges(TodoContent(due: day), fields: [.due]))
      try world.edit(title, edit)
    }
    world.source.edit(1) { $0.labels = LabelSet() }
    try world.sync()
    let counts = try world.store.openCounts(of: world.list, on: .sample)
    #expect(counts.open == 1 && counts.dueToday == 1)
    let query = AgendaQuery(lists: [world.list], today: .sample)
    #expect(try world.store.agenda(query).total == 1)
    #expect(try world.store(of: nil).agenda(query).total == 2)
  }

  /// The agenda shows an item of two lists only in the first of them. Each list has its own todo
  /// for the item.
  @Test func itemInTwoListsIsOneRowOfTheAgenda() throws {
    let assigned = TodoListKey(profile: "ann", source: "github:@me")
    let view = RemoteView(key: "@me", filter: nil, additions: .refused, spansPlaces: true)
    let store = try SQLiteStore(
      at: .memory, environment: .counting(), views: [assigned.source: view])
    func item(_ key: String, _ number: Int) -> RemoteItem {
      var item = RemoteItem(
        key: key, url: "https://example.org/\(number)", content: TodoContent(title: "issue \(key)"),
        fields: Issue.fields)
      item.details = SourceDetails(due: DueDate(CivilDay.sample))
      return item
    }
    _ = try store.mergeRemote([item("1", 1), item("2", 2)], of: nil, to: world.list)
    _ = try store.mergeRemote([item("o/t#2", 2), item("o/u#3", 3)], of: nil, to: assigned)
    func titles(_ query: AgendaQuery) throws -> [String] {
      try store.agenda(query).rows.map { row in
        guard case .todo(let todo, _) = row.content else { return "" }
        return todo.title
      }
    }
    let both = AgendaQuery(lists: [world.list, assigned], today: .sample)
    #expect(try Set(titles(both)) == ["issue 1", "issue 2", "issue o/u#3"])
    #expect(try store.agenda(both).total == 3)
    let reversed = AgendaQuery(lists: [assigned, world.list], today: .sample, offset: 1, limit: 1)
    #expect(try store.agenda(reversed).total == 3)
    #expect(try titles(AgendaQuery(lists: [assigned], today: .sample)).count == 2)
    // A filter is applied first.
    let one = AgendaQuery(lists: both.lists, today: .sample, filter: "o/t")
    #expect(try titles(one) == ["issue o/t#2"])
  }

  /// The key of an issue changes when its repository is renamed, or when the issue is moved.
  @Test func todoKeepsItsIdentityWhenItsKeyChanges() throws {
    try fill(2)
    let ids = try ["issue 1", "issue 2"].map { try world.id($0) }
    func item(_ title: String, _ key: String, formerKey: String? = nil) -> RemoteItem {
      var item = RemoteItem(
        key: key, url: "https://example.org/\(key)",
        content: TodoContent(title: title, labels: LabelSet(["mine"])), fields: .all)
      item.formerKey = formerKey
      return item
    }
    // A load has brought both before they are read by their former keys.
    _ = try world.store.mergeRemote(
      [item("issue 1", "o/t#1"), item("issue 2", "o/t#2")], of: nil, to: world.list)
    #expect(try titles.count == 4)
    _ = try world.store.mergeRemote(
      [item("issue 1", "o/t#1", formerKey: "1")], of: nil, to: world.list)
    #expect(try world.store.todo(ids[0], in: world.list).origin?.key == "o/t#1")
    _ = try world.store.edit(ids[1], TodoEdit(title: "mine"), in: world.list)
    let outgoing = try world.store.recordReceived(
      item("issue 2", "o/t#2", formerKey: "2"), for: ids[1], isAnswer: false, in: world.list)
    #expect(outgoing?.key == "o/t#2" && outgoing?.content.title == "mine")
    #expect(try Set(titles) == ["issue 1", "mine"])
    #expect(try Set(world.todos.map(\.id)) == Set(ids))
  }

  private func save(_ title: String, to store: SQLiteStore) throws -> DocumentReport {
    _ = try store.openDocument("/todos.md", in: world.list)
    let change = DocumentChange.add(
      TodoContent(title: title), .init(digest: 1, occurrence: 1), .first)
    return try store.saveDocument(
      DocumentSave(path: "/todos.md", generation: 0, changes: [change]), in: world.list)
  }

  @Test func lineOfADocumentGetsTheLabels() throws {
    #expect(try save("new", to: world.store).addedCount == 1)
    #expect(try world.todos.map(\.content.labels.texts) == [["mine"]])
  }

  @Test func aTodoLineStaysAPlainLineIfTheViewAcceptsNoTodos() throws {
    let view = RemoteView(key: "creator=bob", filter: nil, additions: .refused)
    let report = try save("new", to: world.store(of: view))
    #expect(report.addedCount == 0 && report.textCount == 1 && report.refusedCount == 1)
    let contents = try world.store(of: view).readDocument("/todos.md", in: world.list)
    #expect(!contents.acceptsNew && contents.texts.count == 1)
    #expect(try world.store(of: nil).readDocument("/todos.md", in: world.list).acceptsNew)
    #expect(try world.store(of: nil).todos(TodoQuery(), in: world.list).total == 0)
  }
}
