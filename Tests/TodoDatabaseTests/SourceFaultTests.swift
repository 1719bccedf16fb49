import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// A source that violates the protocol causes only a limited number of requests and a limited wait.
@Suite struct SourceFaultTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  /// Responds to all requests of a run with pages, and returns the number of requests.
  private func run(_ engine: inout SyncEngine, _ page: (Int) -> RemotePage) throws -> Int {
    for count in 0..<2_000 {
      guard case .send = try engine.next(at: world.now) else { return count }
      try engine.handle(.success(RemoteAnswer(.items(page(count)))), at: world.now)
    }
    return 2_000
  }

  private func page(_ index: Int, _ items: [RemoteItem], cursor: String? = nil) -> RemotePage {
    RemotePage(
      items: items, next: PageLink(url: "page \(index)"), cursor: cursor, isFull: true)
  }

  private let item = RemoteItem(
    key: "1", url: "https://example.org/1", content: TodoContent(title: "title"), fields: .all)

  /// The number of requests is limited, because the load ends with an error when the content of its
  /// pages repeats.
  @Test(arguments: [false, true])
  func endlessPagesOfALoadAreAnError(isEmpty: Bool) throws {
    for _ in 0..<2 {
      var engine = world.engine(.pull)
      let count = try run(&engine) { page($0, isEmpty ? [] : [item]) }
      #expect(count == 2)
      #expect(engine.report.error?.message.contains("a fault of the source") == true)
    }
    #expect(try world.sync().isComplete)
  }

  @Test(arguments: [false, true], [nil, 1, 7])
  func endlessChangesAreAnError(isEmpty: Bool, cursorCount: Int?) throws {
    try world.sync()
    var load = world.engine(.pull)
    _ = try run(&load) { _ in RemotePage(items: [], cursor: "0") }
    var engine = world.engine(.pull)
    let count = try run(&engine) { index in
      page(index, isEmpty ? [] : [item], cursor: cursorCount.map { "\(index % $0)" })
    }
    #expect(count <= (cursorCount ?? 1) + 2)
    #expect(engine.report.error?.kind == .invalidResponse)
    #expect(engine.report.error?.message.contains("a fault of the source") == true)
  }

  @Test func searchInEndlessPagesIsAnError() throws {
    try world.sync()
    _ = try world.store.add(NewTodo(title: "new"), to: world.list)
    world.source.faults = [.init(kind: .lostBefore, at: world.source.requests.count)]
    try world.sync(.push)
    world.wait(seconds: 20)
    var engine = world.engine(.push)
    #expect(try run(&engine) { page($0, [item]) } == 2)
    #expect(engine.report.error?.kind == .invalidResponse)
  }

  /// A list is not loaded again all the time, even if other users close items during every load of
  /// the list.
  @Test func listThatAlwaysShiftsIsLoadedAgainAfterAWhile() throws {
    for number in 1...30 { world.source.add("issue \(number)") }
    var closed: Int64 = 0
    var loadCount = 0
    for _ in 0..<20 {
      var engine = world.engine(.pull)
      try world.run(&engine) { request in
        if request.kind == .list { loadCount += 1 }
        if case .page = request.kind {
          closed += 1
          world.source.edit(closed) { $0.isDone = true }
        }
      }
      #expect(engine.report.error == nil)
      world.wait(seconds: 60)
    }
    // The first load, one because of shifted pages, and one after 15 minutes.
    #expect((2...4).contains(loadCount))
    #expect(closed >= 15)
    world.wait(seconds: 900)
    for _ in 0..<3 {
      let report = try world.sync()
      #expect(report.error == nil && report.isComplete)
    }
    let titles = try world.todos.map(\.content.title)
    #expect(titles == (closed + 1...30).reversed().map { "issue \($0)" })
  }

  @Test func loadBeginsAgainAfterItsNextPageWasInvalidTwice() throws {
    for number in 1...8 { world.source.add("issue \(number)") }
    world.source.faults = [1, 2].map { .init(kind: .refused(.invalidResponse), at: $0) }
    for _ in 0..<2 { #expect(try world.sync().error?.kind == .invalidResponse) }
    #expect(try world.sync().isComplete)
    let requests = world.source.requests.map(\.kind)
    #expect(requests.count == 6)
    #expect(requests[0] == .list && requests[3] == .list)
    guard case .page(let first) = requests[1], case .page(let second) = requests[2] else {
      Testing.Issue.record("the load was not continued")
      return
    }
    #expect(first.url == second.url)
    #expect(try world.todos.map(\.content.title) == world.source.titles)
  }

  // MARK: Limits

  private static let thirteenYears: Int64 = 13 * 365 * 86_400_000

  private func after(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: world.now.milliseconds + milliseconds)
  }

  @Test(arguments: [false, true])
  func limitThatEndsInYearsLastsAnHour(isBusy: Bool) throws {
    let instant = after(Self.thirteenYears)
    world.source.faults = [0, 1].map {
      .init(kind: isBusy ? .busy(retryAt: instant) : .limited(retryAt: instant), at: $0)
    }
    for _ in 0..<2 {
      // The second run waits for the end of the first limit.
      let report = try world.sync()
      #expect(report.error != nil)
      #expect(report.retryAt == after(3_600_000))
      #expect(try world.store.host(world.address.baseURL).nextRequestAt == after(3_600_000))
    }
    #expect(try world.sync().isComplete)
    #expect(world.source.times[2].milliseconds - world.source.times[0].milliseconds < 7_300_000)
  }

  @Test func lastAllowedRequestIsFollowedByAnHourAtMost() throws {
    var engine = world.engine(.pull)
    guard case .send = try engine.next(at: world.now) else { return }
    try engine.handle(
      .success(
        RemoteAnswer(
          .items(RemotePage(items: [], next: PageLink(url: "page 2"))),
          nextRequestAt: after(Self.thirteenYears))), at: world.now)
    #expect(try engine.next(at: world.now) == .wait(until: after(3_600_000)))
  }

  /// A stored time of the next allowed request may be years ahead if an earlier version has stored
  /// the time, or if the clock was set back since.
  @Test func storedLimitThatEndsInYearsLastsAnHour() throws {
    try world.store.withConnection { connection throws(TodoError) in
      try connection.execute(
        """
        INSERT INTO host (url, next_request_at)
        VALUES ('\(world.address.baseURL)', \(after(Self.thirteenYears).milliseconds))
        """)
    }
    let end = after(3_600_000)
    var engine = world.engine(.pull)
    #expect(try engine.next(at: world.now) == .wait(until: end))
    world.wait(seconds: 1_800)
    #expect(try engine.next(at: world.now) == .wait(until: end))
    world.wait(seconds: 1_800)
    #expect(try engine.next(at: world.now) == .send(RemoteRequest(.list)))
  }

  // MARK: Validators

  @Test func validatorIsForgottenAtTheEndOfTheProcess() throws {
    world.source.add("issue")
    for _ in 0..<3 { try world.sync() }
    guard case .changes(_, let known) = world.source.requests.last?.kind else {
      Testing.Issue.record("no changes were requested")
      return
    }
    #expect(known != nil)
    try world.restart()
    try world.sync()
    guard case .changes(_, let validator) = world.source.requests.last?.kind else {
      Testing.Issue.record("no changes were requested")
      return
    }
    #expect(validator == nil)
  }
}
