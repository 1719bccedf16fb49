import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Details come with the changes of a source, and do not change versions.
@Suite struct SourceDetailTests {
  private let world: SyncWorld
  private let spring = SourceDetails(
    assignees: ["ann", "Bob"], milestone: "Spring", comments: 2, due: DueDate(CivilDay.sample))

  init() throws {
    world = try SyncWorld()
    world.source.add("issue")
    world.source.add("other")
    world.source.describe(1, spring)
    try world.sync()
  }

  private var todo: Todo {
    get throws { try #require(try world.todos.first { $0.origin?.key == "1" }) }
  }

  private func total(_ text: String) throws -> Int {
    try world.store.rows(TodoQuery(text: text), in: world.list).total
  }

  @Test func detailsAreDeliveredAndStored() throws {
    #expect(try todo.origin?.details == spring)
    #expect(try todo.sourceDue == DueDate(CivilDay.sample))
    try world.restart()
    #expect(try todo.origin?.details == spring)
    let rows = try world.store.rows(TodoQuery(), in: world.list).elements
    #expect(rows.map(\.details) == [nil, spring])
  }

  @Test(arguments: [nil, SourceDetails(assignees: ["carl"], comments: 3)])
  func changeOfDetailsKeepsTheVersion(details: SourceDetails?) throws {
    let before = try todo
    let feed = try world.store.changes(after: 0, limit: 100)
    world.source.describe(1, details)
    let report = try world.sync()
    #expect(report.pulled == 1 && report.merged == 0)
    let after = try todo
    #expect(after.origin?.details == details)
    #expect(after.version == before.version && after.updatedAt == before.updatedAt)
    #expect(after.sync == .synced && after.content == before.content)
    #expect(try world.store.changes(after: 0, limit: 100) == feed)
    #expect(throws: TodoError.self) { try world.store.undo(in: world.list) }
    // An edit based on the version before does not conflict.
    _ = try world.store.edit(
      after.id, TodoEdit(title: "Mine", expectedVersion: before.version), in: world.list)
    #expect(try todo.content.title == "Mine")
  }

  @Test func unsentEditStaysWhenDetailsChange() throws {
    _ = try world.store.edit(try todo.id, TodoEdit(title: "Mine"), in: world.list)
    world.source.describe(1, nil)
    let report = try world.sync()
    #expect(report.pushed == 1 && report.conflicts == 0)
    #expect(world.source.items[1]?.content.title == "Mine")
    #expect(try todo.origin?.details == nil)
    #expect(try todo.content.title == "Mine")
  }

  @Test func unchangedDetailsAreNotPulled() throws {
    world.source.edit(1) { _ in }
    #expect(try world.sync().pulled == 0)
  }

  /// Cached results become invalid even if only the details change.
  @Test func queriesFollowTheDetails() throws {
    let texts = ["assignee:bob", "milestone:SPRING", "comments:>1", "due:2026-11-27"]
    for text in texts { #expect(try (total(text), total("-" + text)) == (1, 1), "\(text)") }
    #expect(try (total("comments:0"), total("comments:<0"), total("comments:0..2")) == (1, 0, 2))
    world.source.describe(1, nil)
    try world.sync()
    for text in texts { #expect(try (total(text), total("-" + text)) == (0, 2), "\(text)") }
    #expect(try total("comments:0") == 2)
  }

  @Test func ownDateHidesThatOfTheSource() throws {
    let day = try #require(CivilDay("2026-12-24"))
    var changes = FieldChanges()
    changes[DueField.self] = .some(DueDate(day))
    _ = try world.store.edit(try todo.id, TodoEdit(checking: changes), in: world.list)
    #expect(try (total("due:2026-12-24"), total("due:2026-11-27")) == (1, 0))
    changes[DueField.self] = .some(nil)
    _ = try world.store.edit(try todo.id, TodoEdit(checking: changes), in: world.list)
    #expect(try (total("due:2026-12-24"), total("due:2026-11-27"), total("due:none")) == (0, 1, 1))
  }

  @Test func exportHasTheDetailsAndNoDate() throws {
    var lines: [String] = []
    try world.store.exportLines(of: .all) { lines.append(String(decoding: $0, as: UTF8.self)) }
    let text = lines.joined()
    #expect(text.contains(#""assignees":["ann","Bob"],"milestone":"Spring","comments":2"#))
    let other = try SQLiteStore(at: .memory, environment: .counting())
    _ = try other.importLines(LineReader(text: text), profile: nil)
    let todos = try other.todos(TodoQuery(), in: world.list).elements
    #expect(todos.map { $0.origin?.details } == [nil, spring])
    #expect(todos.allSatisfy { $0.content.due == nil })
    #expect(try other.rows(TodoQuery(text: "assignee:bob"), in: world.list).total == 1)
    #expect(try other.openCounts(of: world.list, on: .sample).dueToday == 1)
  }

  @Test(arguments: [
    (#""assignees":"ann""#, "an array of strings"), (#""assignees":[1]"#, "an array of strings"),
    (#""milestone":1"#, "a string"), (#""comments":-1"#, "from 0"), (#""due":"soon""#, "a date"),
  ])
  func wrongDetailsAreNotImported(members: String, message: String) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let text = """
      {"format":"todo-server","version":2}
      {"list":{"name":"ann","source":"github:octo/tasks"}}
      {"title":"x","source":{"url":"https://u","number":1,\(members)}}
      {"end":{"lines":3}}
      """
    let error = #expect(throws: TodoError.self) {
      try store.importLines(LineReader(text: text), profile: nil)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
