import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests pages that shift while they are read. The simulation has found these cases; the tests
/// repeat them request by request.
@Suite struct SyncDriftTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  private func at(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_800_000_000_000 + seconds * 1_000)
  }

  private func item(_ number: Int64, title: String? = nil, updatedAt: Int64 = 0) -> RemoteItem {
    RemoteItem(
      key: String(number), url: "https://example.org/\(number)",
      content: TodoContent(title: title ?? "issue \(number)", note: "", isDone: false),
      fields: .all, order: RemoteItem.order(ofNumber: number), createdAt: at(0),
      updatedAt: at(updatedAt))
  }

  private func page(
    _ items: RemoteItem..., cursor: String, cursorAt: Int64? = nil, next: String? = nil,
    date: Int64
  ) -> RemotePage {
    var page = RemotePage(
      items: items, next: next.map { PageLink(url: $0) }, cursor: cursor, isFull: next != nil,
      date: at(date))
    page.cursorAt = cursorAt.map { at($0) }
    return page
  }

  /// Responds to the request in flight with a page, and returns the next request.
  private func answer(
    _ engine: inout SyncEngine, _ page: RemotePage
  ) throws -> RemoteRequest.Kind? {
    guard case .send(let request) = try engine.next(at: world.now) else { return nil }
    try engine.handle(.success(RemoteAnswer(.items(page))), at: world.now)
    return request.kind
  }

  private func next(_ engine: inout SyncEngine) throws -> RemoteRequest.Kind? {
    guard case .send(let request) = try engine.next(at: world.now) else { return nil }
    return request.kind
  }

  /// Loads two pages. Their responses have the times 10 and 20 seconds.
  private func load(cursor: String = "5") throws {
    var engine = world.engine(.pull)
    #expect(
      try answer(&engine, page(item(2), cursor: cursor, next: "page 2", date: 10)) == .list)
    _ = try answer(&engine, page(item(1), cursor: cursor, date: 20))
    #expect(try engine.next(at: world.now) == .done)
  }

  @Test func itemClosedDuringALoadAndCommentedOnRestartsTheLoad() throws {
    try load()
    var closed = item(2, updatedAt: 300)
    closed.hasLeft = true
    closed.leftAt = at(15)
    var engine = world.engine(.pull)
    let asked = try answer(&engine, page(closed, cursor: "6", date: 400))
    #expect(asked == .changes(since: "5", nil))
    #expect(try next(&engine) == .list)
  }

  /// A pull request is listed with the issues, but does not become a todo.
  @Test func pullRequestClosedDuringALoadRestartsTheLoad() throws {
    try load()
    var closed = item(2, updatedAt: 15)
    closed.hasLeft = true
    closed.leftAt = at(15)
    var changes = page(cursor: "6", date: 400)
    changes.otherEntries = [closed]
    var engine = world.engine(.pull)
    _ = try answer(&engine, changes)
    #expect(try next(&engine) == .list)
  }

  @Test func itemReopenedAfterALoadRestartsTheLoad() throws {
    try load()
    var opened = item(2, updatedAt: 300)
    opened.hasReturned = true
    var engine = world.engine(.pull)
    _ = try answer(&engine, page(opened, cursor: "6", date: 400))
    #expect(try next(&engine) == .list)
  }

  @Test func itemClosedAfterALoadDoesNotRestartIt() throws {
    try load()
    var closed = item(2, updatedAt: 300)
    closed.hasLeft = true
    closed.leftAt = at(300)
    var engine = world.engine(.pull)
    _ = try answer(&engine, page(closed, cursor: "6", date: 400))
    #expect(try engine.next(at: world.now) == .done)
  }

  @Test func aDueLoadStartsAfterARestart() throws {
    try load()
    var engine = world.engine(SyncGoal(pushes: false, pulls: true, isWhole: true))
    #expect(try next(&engine) == .list)
    try world.restart()
    var other = world.engine(.pull)
    #expect(try next(&other) == .list)
  }

  @Test func cursorOfTheFirstPageIsKept() throws {
    var engine = world.engine(.pull)
    _ = try answer(&engine, page(item(2), cursor: "5", cursorAt: 5, next: "page 2", date: 10))
    // An item on the second page is newer than the first page.
    _ = try answer(&engine, page(item(1), cursor: "7", cursorAt: 15, date: 20))
    _ = try engine.next(at: world.now)
    #expect(try world.store.remote(of: world.list).cursor == "5")
  }

  @Test func severalPagesOfOneSecondAreReadUntilNothingIsNew() throws {
    try load()
    var engine = world.engine(.pull)
    let first = page(item(2, title: "new"), cursor: "5", next: "page 2", date: 100)
    #expect(try answer(&engine, first) == .changes(since: "5", nil))
    _ = try answer(&engine, page(item(3), cursor: "8", date: 101))
    // The next request asks for items that moved to the page that was already read.
    #expect(try answer(&engine, first) == .changes(since: "5", nil))
    _ = try answer(&engine, page(item(3), cursor: "8", date: 103))
    #expect(try engine.next(at: world.now) == .done)
    #expect(try world.store.remote(of: world.list).cursor == "8")
  }

  @Test func theCursorOfAnotherServersLoadIsKept() throws {
    try load()
    var engine = world.engine(.pull)
    guard case .send = try engine.next(at: world.now) else { return }
    // Meanwhile another server loads the whole list, with an older cursor.
    try world.store.record(
      cursor: "4", nil, loadEndedAt: at(30), at: world.now, of: world.list)
    try engine.handle(
      .success(RemoteAnswer(.items(page(item(2), cursor: "9", date: 40)))), at: world.now)
    #expect(try next(&engine) == .changes(since: "4", nil))
  }

  @Test func aLostIssueIsSearchedTwiceOnSeveralPages() throws {
    _ = try world.store.add(NewTodo(title: "Made"), to: world.list)
    var engine = world.engine(.push)
    guard case .send = try engine.next(at: world.now) else { return }
    try engine.handle(.failure(TodoError(.timeout, "No answer.")), at: world.now)
    world.wait(seconds: 60)
    var second = world.engine(.push)
    world.wait(seconds: 60)
    var asked: [RemoteRequest.Kind?] = []
    for _ in 0..<2 {
      asked.append(try answer(&second, page(item(3), cursor: "1", next: "page 2", date: 0)))
      asked.append(try answer(&second, page(item(2), cursor: "1", date: 0)))
    }
    #expect(asked[0] == .newest && asked[2] == .newest)
    guard case .create = try next(&second) else {
      Testing.Issue.record("It is not made.")
      return
    }
  }
}
