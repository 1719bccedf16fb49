import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Syncs of a list and its source reach the same state, whichever requests fail.
@Suite struct SyncEngineTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  private func fill(_ count: Int = 7) throws {
    for number in 1...count { world.source.add("issue \(number)", note: "note \(number)") }
    try world.sync()
  }

  private func kinds(_ requests: some Sequence<RemoteRequest>) -> [String] {
    requests.map { request in
      switch request.kind {
      case .list: "list"
      case .access: "access"
      case .user: "user"
      case .changes: "changes"
      case .page: "page"
      case .newest: "newest"
      case .read: "read"
      case .create: "create"
      case .change: "change"
      case .changeLabel: "label"
      case .listLabels: "labels"
      case .remove: "close"
      }
    }
  }

  @Test func everythingIsLoadedOnceAndThenOnlyWhatChanged() throws {
    try fill()
    #expect(kinds(world.source.requests) == ["list", "page", "page"])
    #expect(try world.todos.map(\.content.title) == world.source.titles)
    #expect(try world.store.remote(of: world.list).isComplete)
    world.source.edit(3) { $0.title = "changed" }
    world.source.edit(5) { $0.isDone = true }
    world.source.add("new")
    let report = try world.sync()
    #expect(report.pulled == 3 && report.isComplete && report.error == nil)
    #expect(
      try world.todos.map(\.content.title) == [
        "new", "issue 7", "issue 6", "issue 4", "changed", "issue 2", "issue 1",
      ])
    // If nothing has changed, nothing is written, once the cursor is up to date.
    try world.sync()
    let before = try world.store.withConnection { connection throws(TodoError) in
      try connection.number("SELECT total_changes()")
    }
    #expect(try world.sync().syncedAt != nil)
    let after = try world.store.withConnection { connection throws(TodoError) in
      try connection.number("SELECT total_changes()")
    }
    #expect(after == before)
  }

  @Test func aLoadResumesAtTheFailedPage() throws {
    for number in 1...8 { world.source.add("issue \(number)") }
    world.source.faults = [.init(kind: .lostBefore, at: 2)]
    let first = try world.sync()
    #expect(first.error?.kind == .offline && !first.isComplete)
    #expect(first.loadedPages.count == 2 && first.loadedPages.total == 3)
    #expect(try world.todos.map(\.content.title) == (3...8).reversed().map { "issue \($0)" })
    try world.restart()
    let second = try world.sync()
    #expect(second.isComplete)
    #expect(kinds(world.source.requests) == ["list", "page", "page", "page"])
    #expect(try world.todos.map(\.content.title) == world.source.titles)
  }

  @Test func anOlderLoadDoesNotRemoveItemsOfANewerOne() throws {
    try fill(3)
    var old = world.engine(SyncGoal(pushes: false, pulls: true, isWhole: true))
    guard case .send(let request) = try old.next(at: world.now) else {
      Testing.Issue.record("nothing was asked")
      return
    }
    let answer = world.source.answer(request, at: world.now)
    world.source.add("brought by the newer one")
    try world.sync(SyncGoal(pushes: false, pulls: true, isWhole: true))
    try old.handle(answer, at: world.now)
    #expect(try old.next(at: world.now) == .done)
    #expect(try world.todos.map(\.content.title) == world.source.titles)
  }

  @Test func itemThatSlipsBetweenPagesStays() throws {
    try fill(7)
    var engine = world.engine(SyncGoal(pushes: false, pulls: true, isWhole: true))
    for index in 0..<100 {
      guard case .send(let request) = try engine.next(at: world.now) else { break }
      let answer = world.source.answer(request, at: world.now)
      // The next page starts one item later: issue 4 is on none of the pages.
      if index == 0 { world.source.edit(6) { $0.isDone = true } }
      try engine.handle(answer, at: world.now)
    }
    #expect(engine.report.isComplete)
    #expect(try world.todos.contains { $0.content.title == "issue 4" })
    try world.sync()
    #expect(try world.todos.map(\.content.title) == world.source.titles.filter { $0 != "issue 6" })
  }

  @Test func aChangeIsSentAfterTheItemWasReadAndOnlyWhatDiffers() throws {
    try fill()
    let count = world.source.requests.count
    try world.edit("issue 2", TodoEdit(note: "mine", isDone: true))
    world.source.edit(2) { $0.title = "theirs" }
    let report = try world.sync()
    #expect(kinds(world.source.requests[count...]) == ["read", "change", "changes"])
    guard case .change(_, _, let fields, _, _) = world.source.writes.last?.kind else {
      Testing.Issue.record("no change was sent")
      return
    }
    #expect(fields == [.note, .done])
    #expect((report.pushed, report.merged, report.conflicts) == (1, 1, 0))
    let expected = TodoContent(title: "theirs", note: "mine", isDone: true)
    #expect(world.source.items[2]?.content == expected)
    let todo = try #require(try world.todos.first { $0.origin?.number == 2 })
    #expect(todo.content == expected && todo.sync == .synced)
  }

  @Test func changeOnBothSidesIsAConflictAndIsNotSent() throws {
    try fill()
    try world.edit("issue 2", TodoEdit(title: "mine"))
    world.source.edit(2) { $0.title = "theirs" }
    let report = try world.sync()
    #expect((report.pushed, report.conflicts) == (0, 1))
    #expect(world.source.writes.isEmpty)
    let conflict = try #require(
      try world.store.conflict(of: world.id("mine"), in: world.list))
    _ = try world.store.resolve(
      conflict.id, version: conflict.version, to: .keep(.mine), in: world.list)
    #expect(try world.sync().pushed == 1)
    #expect(world.source.items[2]?.content.title == "mine")
    #expect(try world.store.counts(of: world.list) == SyncCounts())
  }

  @Test func newTodoIsCreatedRemotelyAndAdopted() throws {
    try fill(2)
    let todo = try world.store.add(NewTodo(title: "new", note: "n"), to: world.list)
    _ = try world.store.edit(todo.id, TodoEdit(isDone: true), in: world.list)
    let report = try world.sync()
    #expect(report.pushed == 1)
    #expect(world.source.items[3]?.markedID == todo.id.text)
    // One sync is sufficient.
    #expect(
      world.source.items[3]?.content == TodoContent(title: "new", note: "n", isDone: true))
    #expect(try world.store.todo(todo.id, in: world.list).sync == .synced)
    #expect(kinds(world.source.writes) == ["create", "change"])
  }

  @Test func fieldThatTheSourceLacksIsNotSent() throws {
    world.source.fields.remove(.note)
    try fill(1)
    let id = try world.id("issue 1")
    try world.edit("issue 1", TodoEdit(title: "mine", note: "own"))
    let new = try world.store.add(NewTodo(title: "new", note: "n"), to: world.list)
    #expect(try world.sync().pushed == 2)
    let changed = world.source.writes.compactMap { request in
      if case .change(_, _, let fields, _, _) = request.kind { fields } else { nil }
    }
    #expect(changed == [[.title]])
    world.source.edit(1) { $0.title = "theirs" }
    #expect(try world.sync().conflicts == 0)
    #expect(try world.store.todo(id, in: world.list).content.note == "own")
    #expect(try world.store.todo(new.id, in: world.list).content.note == "n")
    #expect(try world.todos.allSatisfy { $0.sync == .synced })
  }

  @Test func removedTodoIsClosedRemotelyAndCanBeRestored() throws {
    try fill(3)
    let id = try world.id("issue 2")
    try world.store.remove(id, expectedVersion: nil, in: world.list)
    try world.sync()
    #expect(kinds(world.source.writes) == ["close"])
    #expect(world.source.items[2]?.content.isDone == true)
    #expect(try world.store.outgoing(in: world.list, failed: true) == [])
    _ = try world.store.undo(in: world.list)
    try world.sync()
    #expect(world.source.items[2]?.content.isDone == false)
    #expect(try world.store.todo(id, in: world.list).sync == .synced)
  }

  /// Loses one request, before or after the source has processed it, and restarts. In the end,
  /// there must be one item for the new todo, and the item must be equal to the todo.
  @Test(arguments: [false, true], 3..<7)
  func aLostAnswerHasNoSecondEffect(isLostAfter: Bool, index: Int) throws {
    try fill(2)
    let todo = try world.store.add(NewTodo(title: "new"), to: world.list)
    try world.edit("issue 1", TodoEdit(title: "mine"))
    try world.store.remove(world.id("issue 2"), expectedVersion: nil, in: world.list)
    world.source.faults = [.init(kind: isLostAfter ? .lostAfter : .lostBefore, at: index)]
    for _ in 0..<4 {
      try world.sync()
      try world.restart()
      world.wait(seconds: 20)
    }
    #expect(world.source.titles == ["new", "issue 2", "mine"])
    #expect(world.source.items[3]?.markedID == todo.id.text)
    #expect(world.source.items[2]?.content.isDone == true)
    #expect(try world.store.outgoing(in: world.list, failed: true) == [])
    #expect(try world.todos.map(\.content.title) == ["new", "mine"])
    #expect(try world.todos.allSatisfy { $0.sync == .synced })
  }

  @Test func editDuringARequestIsSentNext() throws {
    try fill(1)
    try world.edit("issue 1", TodoEdit(title: "first"))
    var engine = world.engine(.push)
    var titles = ["second", "third"]
    try world.run(&engine) { request in
      guard request.isWrite, let title = titles.first else { return }
      titles.removeFirst()
      let id = try #require(try world.todos.first).id
      _ = try world.store.edit(id, TodoEdit(title: title), in: world.list)
    }
    // A run sends in at most two rounds, so that edits cannot delay its end.
    #expect(world.source.items[1]?.content.title == "second")
    #expect(engine.report.pushed == 1)
    #expect(try world.todos.first?.sync == .pending)
    try world.sync()
    #expect(world.source.items[1]?.content.title == "third")
    #expect(try world.todos.first?.sync == .synced)
  }

  @Test func editDuringTheFetchIsSentInTheSameRun() throws {
    try fill(1)
    var engine = world.engine(.both)
    try world.run(&engine) { request in
      if !request.isWrite, try world.todos.first?.sync == .synced {
        try world.edit("issue 1", TodoEdit(title: "mine"))
      }
    }
    #expect(world.source.items[1]?.content.title == "mine")
    #expect(engine.report.pushed == 1)
    #expect(engine.report.isComplete)
  }

  @Test(arguments: [ErrorKind.forbidden, .validation, .notFound])
  func refusedEditFailsAndOthersAreSent(_ kind: ErrorKind) throws {
    try fill(3)
    try world.edit("issue 1", TodoEdit(title: "one"))
    try world.edit("issue 2", TodoEdit(title: "two"))
    world.source.faults = [.init(kind: .refused(kind), at: 2)]
    let report = try world.sync()
    #expect(report.pushed == 1)
    #expect(report.failed.map(\.title) == ["one"])
    #expect(try world.todos.last?.failure == SyncFailure(kind: kind, message: "Refused."))
    #expect(try world.store.counts(of: world.list).failed == 1)
    // Nothing is retried automatically; a sync of the user retries everything.
    #expect(try world.sync(.push).pushed == 0)
    #expect(try world.sync(.both).pushed == 1)
    #expect(world.source.items[1]?.content.title == "one")
  }

  @Test(arguments: [true, false])
  func noRequestIsSentBeforeARateLimitEnds(saysWhen: Bool) throws {
    try fill(2)
    try world.edit("issue 1", TodoEdit(title: "one"))
    let count = world.source.requests.count
    let instant = Timestamp(milliseconds: world.now.milliseconds + 300_000)
    world.source.faults = (0..<3).map {
      .init(kind: .limited(retryAt: saysWhen && $0 == 0 ? instant : nil), at: count + $0)
    }
    var allowed: [Timestamp] = []
    for _ in 0..<3 {
      let report = try world.sync()
      allowed.append(try #require(report.retryAt))
      #expect(report.error?.kind == .rateLimited)
      try world.restart()
    }
    if saysWhen { #expect(allowed[0] == instant) }
    try world.sync()
    for (index, instant) in allowed.enumerated() {
      #expect(world.source.times[count + index + 1] >= instant)
    }
    // If the source names no time, each pause is longer than the one before.
    let pauses = (1..<3).map {
      allowed[$0].milliseconds - world.source.times[count + $0].milliseconds
    }
    #expect(pauses == [120_000, 240_000])
    #expect(world.source.items[1]?.content.title == "one")
  }

  @Test func aBusyServerIsNotContactedBeforeTheTimeItNamed() throws {
    let instant = Timestamp(milliseconds: world.now.milliseconds + 180_000)
    world.source.faults = [.init(kind: .busy(retryAt: instant), at: 0)]
    let report = try world.sync()
    #expect(report.error?.kind == .server && report.retryAt == instant)
    try world.restart()
    try world.sync()
    #expect(world.source.times[1] >= instant)
  }

  @Test func twoChangesAreASecondApart() throws {
    try fill(3)
    for number in 1...3 { try world.edit("issue \(number)", TodoEdit(note: "mine")) }
    try world.sync()
    let times = zip(world.source.requests, world.source.times).filter(\.0.isWrite).map(\.1)
    #expect(times.count == 3)
    for (one, other) in zip(times, times.dropFirst()) {
      #expect(other.milliseconds - one.milliseconds >= 1_000)
    }
  }

  @Test func oneServerSendsAtATime() throws {
    try fill(1)
    try world.edit("issue 1", TodoEdit(title: "mine"))
    var first = world.engine(.push, owner: "first")
    #expect(try first.next(at: world.now) == .send(RemoteRequest(.read(key: "1"))))
    var second = world.engine(.push, owner: "second")
    #expect(try second.next(at: world.now) == .done)
    // A server that has ended loses its lease, and so does one whose lease has expired.
    var third = SyncEngine(
      world.list, at: world.address, world.source.capabilities, goal: .push, journal: world.store,
      owner: "third",
      isAlive: { $0 != "first" })
    #expect(try third.next(at: world.now) == .send(RemoteRequest(.read(key: "1"))))
    try third.stop()
    var fourth = world.engine(.push, owner: "fourth")
    #expect(try fourth.next(at: world.now) == .send(RemoteRequest(.read(key: "1"))))
  }

  @Test func planListsTheUnsentChanges() throws {
    try fill(3)
    let new = try world.store.add(NewTodo(title: "new"), to: world.list)
    try world.edit("issue 1", TodoEdit(note: "mine", isDone: true))
    let gone = try world.id("issue 2")
    try world.store.remove(gone, expectedVersion: nil, in: world.list)
    let count = world.source.requests.count
    let plan = try world.store.plan(for: world.list)
    #expect(plan.map(\.kind) == [.create, .change, .close])
    #expect(plan.map(\.key) == [nil, "1", "2"])
    #expect(plan.map(\.fields) == [[], [.note, .done], []])
    #expect(plan[0].id == new.id && plan[2].id == gone)
    #expect(world.source.requests.count == count)
  }

  @Test func anUndoOfASentEditSendsTheOldValueUnlessTheSourceHasChanged() throws {
    try fill(1)
    try world.edit("issue 1", TodoEdit(title: "mine"))
    try world.sync()
    _ = try world.store.undo(in: world.list)
    try world.sync()
    #expect(world.source.items[1]?.content.title == "issue 1")
    _ = try world.store.redo(in: world.list)
    world.source.edit(1) { $0.title = "theirs" }
    #expect(try world.sync().conflicts == 1)
    #expect(world.source.items[1]?.content.title == "theirs")
  }

  @Test func aLoadDuringWhichAnIssueIsClosedStartsAgain() throws {
    for number in 1...7 { world.source.add("issue \(number)") }
    world.source.faults = [.init(kind: .lostBefore, at: 1)]
    try world.sync()
    try world.edit("issue 6", TodoEdit(isDone: true))
    try world.sync()
    #expect(kinds(world.source.requests[2...]) == ["read", "change", "list", "page"])
    #expect(try world.todos.map(\.content.title) == world.source.titles.filter { $0 != "issue 6" })
  }

  /// Another user closes an issue of a page that was already read. Another issue then moves to this
  /// page, and the load misses it.
  @Test func itemThatTheFirstLoadMissedIsLoadedAfterIt() throws {
    for number in 1...7 { world.source.add("issue \(number)") }
    var engine = world.engine(.pull)
    for index in 0..<100 {
      guard case .send(let request) = try engine.next(at: world.now) else { break }
      let answer = world.source.answer(request, at: world.now)
      if index == 0 { world.source.edit(6) { $0.isDone = true } }
      try engine.handle(answer, at: world.now)
    }
    #expect(try !world.todos.contains { $0.content.title == "issue 4" })
    try world.sync()
    #expect(try world.todos.map(\.content.title) == world.source.titles.filter { $0 != "issue 6" })
    // Items that are closed later do not cause another load of the whole list.
    world.wait(seconds: 60)
    let count = world.source.requests.count
    try world.sync()
    world.source.edit(1) { $0.isDone = true }
    try world.sync()
    #expect(Set(kinds(world.source.requests[count...])) == ["changes"])
  }
}
