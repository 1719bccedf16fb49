import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests races that the simulator has found: two events at the same time, or in the reverse order.
/// Each race caused a lost change, a second issue or a request that was sent too early.
@Suite struct SyncRaceTests {
  private let world: SyncWorld
  private let marker = ItemMarker("m")
  private var store: SQLiteStore { world.store }

  init() throws { world = try SyncWorld() }

  private func item(
    _ number: Int64 = 1, title: String = "Title", note: String = "", isDone: Bool = false,
    marker: ItemMarker? = nil, updatedAt: Int64 = 1_000
  ) -> RemoteItem {
    RemoteItem(
      key: String(number), url: "https://example.org/\(number)",
      content: TodoContent(title: title, note: note, isDone: isDone),
      fields: .all, order: RemoteItem.order(ofNumber: number), marker: marker, hasLeft: isDone,
      createdAt: at(0), updatedAt: at(updatedAt))
  }

  private func at(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_800_000_000_000 + seconds * 1_000)
  }

  private func deliver(_ items: RemoteItem...) throws {
    _ = try store.mergeRemote(items, of: nil, to: world.list)
  }

  private func recordAttempt(_ todo: Todo, _ write: RemoteWrite = .create) throws {
    try store.recordAttempt(
      write, todo.content, marker: write == .create ? marker : nil, of: todo.id, in: world.list,
      to: world.address.baseURL, openUntil: world.now, nextWriteAt: world.now)
  }

  // MARK: Conflicts

  @Test func choiceForAnOutdatedConflictIsRefused() throws {
    try deliver(item(note: "base"))
    let id = try #require(try world.todos.first).id
    _ = try store.edit(id, TodoEdit(note: "mine"), in: world.list)
    try deliver(item(note: "theirs"))
    let seen = try #require(try store.conflict(of: id, in: world.list))
    try deliver(item(note: "theirs, later"))
    #expect(throws: TodoError.self) {
      try store.resolve(id, version: seen.version, to: .keep(.mine), in: world.list)
    }
    let now = try #require(try store.conflict(of: id, in: world.list))
    #expect(now.merge.theirs.note == "theirs, later")
    #expect(
      try store.resolve(id, version: now.version, to: .keep(.mine), in: world.list).content.note
        == "mine")
  }

  @Test func aConflictThatOccursAgainIsANewOne() throws {
    try deliver(item(note: "base"))
    let id = try #require(try world.todos.first).id
    _ = try store.edit(id, TodoEdit(note: "mine"), in: world.list)
    try deliver(item(note: "theirs"))
    let seen = try #require(try store.conflict(of: id, in: world.list))
    try deliver(item(note: "base"))
    try deliver(item(note: "theirs again"))
    #expect(throws: TodoError.self) {
      try store.resolve(id, version: seen.version, to: .keep(.mine), in: world.list)
    }
  }

  /// The remote text that the user has chosen in the conflict may be outdated.
  @Test func resolvedItemIsReadAgainAfterARevertedEdit() throws {
    try deliver(item(note: "base"))
    let id = try #require(try world.todos.first).id
    _ = try store.edit(id, TodoEdit(note: "mine"), in: world.list)
    try deliver(item(note: "theirs"))
    let seen = try #require(try store.conflict(of: id, in: world.list))
    _ = try store.resolve(id, version: seen.version, to: .keep(.theirs), in: world.list)
    _ = try store.edit(id, TodoEdit(note: "later"), in: world.list)
    #expect(try store.undo(in: world.list).todo?.sync == .pending)
    try deliver(item(note: "theirs"))
    #expect(try store.todo(id, in: world.list).sync == .synced)
  }

  // MARK: Reverted edits

  /// Adds a todo whose new title was sent without a response and then reverted.
  private func revertedTodo() throws -> TodoID {
    try deliver(item(title: "Old"))
    let id = try #require(try world.todos.first).id
    try recordAttempt(try store.edit(id, TodoEdit(title: "New"), in: world.list), .change)
    let reverted = try store.edit(id, TodoEdit(title: "Old"), in: world.list)
    #expect(reverted.sync == .pending)
    return id
  }

  // The load was mistaken for a change by other users, and the user's revert was lost.
  @Test func aLoadOfASentEditKeepsItsRevert() throws {
    let id = try revertedTodo()
    try deliver(item(title: "New", updatedAt: 1_010))
    let todo = try store.todo(id, in: world.list)
    #expect((todo.content.title, todo.sync) == ("Old", .pending))
  }

  @Test func aRevertedEditThatNeverArrivedIsSynced() throws {
    let id = try revertedTodo()
    #expect(
      try store.recordReceived(item(title: "Old"), for: id, isAnswer: false, in: world.list) == nil)
    #expect(try store.todo(id, in: world.list).sync == .synced)
  }

  @Test func aRefusedEditThatWasRevertedIsSynced() throws {
    let id = try revertedTodo()
    let failure = SyncFailure(kind: .validation, message: "No.")
    try store.recordFailure(failure, id, keepsSent: false, in: world.list)
    let todo = try store.todo(id, in: world.list)
    #expect((todo.sync, todo.failure) == (.synced, nil))
  }

  // MARK: Additions

  @Test func anAnswerAfterALoadThatBroughtTheIssueOverwritesNoEdit() throws {
    let todo = try store.add(NewTodo(title: "Made"), to: world.list)
    try recordAttempt(todo)
    _ = try store.edit(todo.id, TodoEdit(title: "Edited since"), in: world.list)
    let made = item(7, title: "Made", marker: marker)
    try deliver(made)
    _ = try store.recordReceived(made, for: todo.id, isAnswer: true, in: world.list)
    let now = try store.todo(todo.id, in: world.list)
    #expect(now.content.title == "Edited since")
    #expect(now.sync == .pending)
  }

  @Test func remoteEditBeforeAdoptionIsTheirs() throws {
    let todo = try store.add(NewTodo(title: "Made", note: "one"), to: world.list)
    try recordAttempt(todo)
    _ = try store.edit(todo.id, TodoEdit(note: "one, mine"), in: world.list)
    let found = item(7, title: "Made", note: "one, theirs", marker: marker)
    _ = try store.recordReceived(found, for: todo.id, isAnswer: false, in: world.list)
    #expect(try store.todo(todo.id, in: world.list).sync == .conflict)
    let conflict = try #require(try store.conflict(of: todo.id, in: world.list))
    #expect(conflict.merge.mine.note == "one, mine")
    #expect(conflict.merge.theirs.note == "one, theirs")
  }

  @Test func appliedEditIsNotMarkedAsRefused() throws {
    try deliver(item())
    let id = try #require(try world.todos.first).id
    try recordAttempt(store.edit(id, TodoEdit(title: "Mine"), in: world.list), .change)
    try deliver(item(title: "Mine"))
    try store.recordFailure(
      SyncFailure(kind: .issuesDisabled, message: "Off."), id, keepsSent: false, in: world.list)
    #expect(try store.counts(of: world.list) == SyncCounts())
    #expect(try store.outgoing(in: world.list, failed: true) == [])
  }

  @Test func restoredTodoKeepsRemoteEdits() throws {
    try deliver(item(note: "base"))
    let id = try #require(try world.todos.first).id
    try store.remove(id, expectedVersion: nil, in: world.list)
    var closing = try #require(try store.outgoing(id, in: world.list)).content
    closing.isDone = true
    try store.recordAttempt(
      .close, closing, marker: nil, of: id, in: world.list, to: world.address.baseURL,
      openUntil: world.now,
      nextWriteAt: world.now)
    let closed = item(note: "base, theirs", isDone: true)
    _ = try store.recordReceived(closed, for: id, isAnswer: true, in: world.list)
    _ = try store.undo(in: world.list)
    let todo = try store.todo(id, in: world.list)
    #expect(todo.content == TodoContent(title: "Title", note: "base, theirs", isDone: false))
    let outgoing = try #require(try store.outgoing(id, in: world.list))
    #expect(outgoing.base.map { outgoing.content.fields(differingFrom: $0) } == [.done])
  }

  /// The closing of the item sends no other field.
  @Test func closingTheItemKeepsUnsentEditsOfARemovedTodo() throws {
    world.source.add("issue", note: "base")
    try world.sync()
    try world.edit("issue", TodoEdit(title: "mine", note: "base, mine"))
    try store.remove(world.id("mine"), expectedVersion: nil, in: world.list)
    try world.sync()
    let closed = TodoContent(title: "issue", note: "base", isDone: true)
    #expect(world.source.items[1]?.content == closed)
    let restored = try store.undo(in: world.list).todo
    #expect(restored?.content == TodoContent(title: "mine", note: "base, mine"))
    let undone = try store.undo(in: world.list).todo
    #expect(undone?.content == TodoContent(title: "issue", note: "base"))
    try world.sync()
    #expect(world.source.items[1]?.content == TodoContent(title: "issue", note: "base"))
  }

  // MARK: Unconfirmed writes

  /// Sends requests up to and including the expected one, which gets no response. Returns the
  /// engine, which waits for the outcome.
  private func sendWithoutAnswer(_ isExpected: (RemoteRequest) -> Bool) throws -> SyncEngine {
    var engine = world.engine(.push)
    for _ in 0..<10 {
      guard case .send(let request) = try engine.next(at: world.now) else { break }
      if isExpected(request) { return engine }
      try engine.handle(world.source.answer(request, at: world.now), at: world.now)
    }
    Testing.Issue.record("nothing was sent")
    return engine
  }

  @Test func theWaitForALostWriteBeginsWhenItsConnectionEnds() throws {
    _ = try store.add(NewTodo(title: "Made"), to: world.list)
    var engine = try sendWithoutAnswer(\.isWrite)
    world.wait(seconds: 25)
    try engine.handle(.failure(TodoError(.timeout, "No answer.")), at: world.now)
    let lost = world.now
    world.wait(seconds: 1)
    var next = world.engine(.push)
    #expect(
      try next.next(at: world.now)
        == .wait(until: Timestamp(milliseconds: lost.milliseconds + 10_000)))
  }

  @Test(arguments: [false, true])
  func engineWaitsForTheWriteOfAnEndedProcess(isChange: Bool) throws {
    if isChange {
      world.source.add("issue")
      try world.sync()
      try world.edit("issue", TodoEdit(title: "mine"))
    } else {
      _ = try store.add(NewTodo(title: "Made"), to: world.list)
    }
    _ = try sendWithoutAnswer(\.isWrite)
    try world.restart()
    world.wait(seconds: 25)
    var next = world.engine(.push)
    #expect(
      try next.next(at: world.now)
        == .wait(until: Timestamp(milliseconds: world.now.milliseconds + 10_000)))
  }

  /// The second server starts its run while a write of the first one is in flight.
  @Test func theWaitForAWriteOfAnotherServerBeginsWithTheLease() throws {
    _ = try store.add(NewTodo(title: "Made"), to: world.list)
    var first = try sendWithoutAnswer(\.isWrite)
    var second = world.engine(.both, owner: "second")
    guard case .send(let list) = try second.next(at: world.now) else {
      Testing.Issue.record("nothing is requested")
      return
    }
    try second.handle(world.source.answer(list, at: world.now), at: world.now)
    world.wait(seconds: 20)
    try first.stop()
    #expect(
      try second.next(at: world.now)
        == .wait(until: Timestamp(milliseconds: world.now.milliseconds + 10_000)))
  }

  @Test func aLoadDoesNotWaitForALostWrite() throws {
    _ = try store.add(NewTodo(title: "Made"), to: world.list)
    _ = try sendWithoutAnswer(\.isWrite)
    var next = world.engine(.both)
    guard case .send(let request) = try next.next(at: world.now) else {
      Testing.Issue.record("nothing is asked")
      return
    }
    #expect(request.kind == .list)
  }

  // MARK: Limits

  @Test func anAnswerInFlightDoesNotEndALimit() throws {
    world.source.add("issue")
    var engine = world.engine(.pull)
    guard case .send(let request) = try engine.next(at: world.now) else { return }
    let until = Timestamp(milliseconds: world.now.milliseconds + 300_000)
    try store.backOff(world.address.baseURL, until: until, consecutiveLimitCount: 1, at: world.now)
    try engine.handle(world.source.answer(request, at: world.now), at: world.now)
    #expect(try store.host(world.address.baseURL).nextRequestAt == until)
    // A shorter limit of another server does not end it either.
    try store.backOff(
      world.address.baseURL, until: world.now, consecutiveLimitCount: 2, at: world.now)
    #expect(try store.host(world.address.baseURL).nextRequestAt == until)
  }
}
