import CSQLite
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests merges of todos that changed both locally and remotely.
@Suite struct SourceMergeTests {
  let store: SQLiteStore
  let list = TodoListKey.source

  init() throws { store = try SQLiteStore(at: .memory, environment: .counting()) }

  private func item(
    _ number: Int64 = 1, title: String = "Title", note: String = "note", isDone: Bool = false
  ) -> RemoteItem {
    var item = RemoteItem(.sample(number, title: title, body: note, isClosed: isDone))
    item.hasLeft = isDone
    return item
  }

  @discardableResult
  private func deliver(_ items: RemoteItem...) throws -> MergeReport {
    try store.mergeRemote(items, of: nil, to: list)
  }

  private func row(_ number: Int64 = 1) throws -> Todo? {
    try store.todos(TodoQuery(), in: list).elements.first { $0.origin?.number == number }
  }

  private func begin() throws -> TodoID {
    try deliver(item())
    return try #require(try row()).id
  }

  /// The statements of the connection that writes, each with the number of times that SQLite has
  /// prepared it again.
  private func preparations() throws -> [String: CInt] {
    try store.database.change { connection in
      var counts: [String: CInt] = [:]
      var statement = sqlite3_next_stmt(connection.handle, nil)
      while let one = statement {
        let text = sqlite3_sql(one).map { String(cString: $0) } ?? ""
        counts[text, default: 0] += sqlite3_stmt_status(one, SQLITE_STMTSTATUS_REPREPARE, 0)
        statement = sqlite3_next_stmt(connection.handle, one)
      }
      return counts
    }
  }

  /// The first load of thousands of items took a fifth longer when statements were prepared again
  /// for each item.
  @Test func noStatementIsPreparedAgain() throws {
    try deliver(item(1), item(2), item(3))
    let before = try preparations()
    try deliver(item(1), item(2), item(3))
    let after = try preparations()
    #expect(after.keys.contains { $0.hasPrefix("SELECT 1 FROM todo JOIN note") })
    #expect(after.filter { $0.value > before[$0.key] ?? 0 } == [:])
  }

  @Test func anUndoneEditGetsTheNewValueOfTheSource() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try deliver(item(title: "Theirs"))
    let todo = try #require(try store.undo(in: list).todo)
    #expect(todo.content.title == "Theirs")
    #expect(todo.sync == .synced)
    #expect(try store.outgoing(in: list, failed: false) == [])
  }

  /// While a change has no response, later changes of other users do not count as parts of this
  /// change.
  @Test(arguments: [false, true])
  func unconfirmedChangeHasOnlyItsOwnFields(isConflict: Bool) throws {
    let id = try begin()
    let edit = try TodoEdit(note: "mine")
    let content = try store.edit(id, edit, in: list).content
    try store.recordAttempt(
      .change, content, marker: nil, of: id, in: list, to: "host",
      openUntil: Timestamp(milliseconds: 0), nextWriteAt: Timestamp(milliseconds: 0))
    var first = item(title: "Theirs", note: isConflict ? "theirs" : "note")
    (first.fields, first.content.labels) = (Issue.fields, LabelSet(["bug"]))
    var second = item(note: first.content.note)
    second.fields = Issue.fields
    try deliver(first)
    if isConflict {
      let conflict = try #require(try store.conflict(of: id, in: list))
      _ = try store.resolve(id, version: conflict.version, to: .keep(.mine), in: list)
    }
    // Others take back what they have changed.
    try deliver(second)
    let todo = try #require(try row())
    #expect(todo.content.labels.isEmpty)
    #expect(todo.content.title == "Title" && todo.content.note == "mine")
    #expect(todo.sync == .pending)
  }

  /// Another server has read the item before the write, and delivers the item after the write.
  @Test func itemThatIsOlderThanTheLastWriteChangesNothing() throws {
    let id = try begin()
    let content = try store.edit(id, TodoEdit(title: "Written", note: "mine"), in: list).content
    try store.recordAttempt(
      .change, content, marker: nil, of: id, in: list, to: "host",
      openUntil: Timestamp(milliseconds: 0), nextWriteAt: Timestamp(milliseconds: 0))
    _ = try store.edit(id, TodoEdit(title: "Title"), in: list)
    var (earlier, written) = (item(), item(title: "Written", note: "mine"))
    (earlier.revision, earlier.hasOrderedRevision) = ("2026-02-02T02:40:58Z", true)
    (written.revision, written.hasOrderedRevision) = ("2026-02-02T02:41:23Z", true)
    _ = try store.recordReceived(written, for: id, isAnswer: true, in: list)
    try deliver(earlier)
    try deliver(written)
    let todo = try store.todo(id, in: list)
    #expect(todo.content == TodoContent(title: "Title", note: "mine"))
    #expect(todo.sync == .pending)
  }

  @Test func itemClosedOnBothSidesLeavesTheList() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(isDone: true), in: list)
    #expect(try store.counts(of: list).pending == 1)
    try deliver(item(isDone: true))
    #expect(try row() == nil)
    #expect(try store.counts(of: list) == SyncCounts())
    #expect(try store.rows(TodoQuery(), in: list).total == 0)
    try deliver(item())
    #expect(try row()?.sync == .synced)
  }

  @Test func localEditAndRemoteClosingAreMerged() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try deliver(item(isDone: true))
    let todo = try store.todo(id, in: list)
    #expect(todo.content == TodoContent(title: "Mine", note: "note", isDone: true))
    #expect(todo.sync == .pending)
    let outgoing = try #require(try store.outgoing(id, in: list))
    #expect(outgoing.base?.isDone == true)
    // The response to the write ends it.
    try store.recordAttempt(
      .change, outgoing.content, marker: nil, of: id, in: list, to: "https://api.github.com",
      openUntil: todo.updatedAt,
      nextWriteAt: todo.updatedAt)
    #expect(
      try store.recordReceived(item(title: "Mine", isDone: true), for: id, isAnswer: true, in: list)
        == nil)
    #expect(try store.todo(id, in: list).sync == .synced)
  }

  @Test func reopenedItemReturnsToTheList() throws {
    let id = try begin()
    try deliver(item(isDone: true))
    #expect(try row() == nil)
    try deliver(item(title: "Again"))
    #expect(try row()?.content.title == "Again")
    #expect(try row()?.id == id)
  }

  @Test func aRemovalIsNotSentAfterTheItemWasClosed() throws {
    let id = try begin()
    try store.remove(id, expectedVersion: nil, in: list)
    #expect(try store.outgoing(id, in: list)?.isRemoved == true)
    try deliver(item(isDone: true))
    #expect(try store.outgoing(in: list, failed: false) == [])
    // Undoing the change opens it again.
    #expect(try store.undo(in: list).todo?.sync == .pending)
    let outgoing = try #require(try store.outgoing(id, in: list))
    #expect(outgoing.content.fields(differingFrom: try #require(outgoing.base)) == [.done])
  }

  @Test func unconfirmedEditIsRecognizedInTheRemoteText() throws {
    let id = try begin()
    let edited = try store.edit(id, TodoEdit(title: "Sent"), in: list)
    try store.recordAttempt(
      .change, edited.content, marker: nil, of: id, in: list, to: "https://api.github.com",
      openUntil: edited.updatedAt,
      nextWriteAt: edited.updatedAt)
    _ = try store.edit(id, TodoEdit(title: "Later"), in: list)
    // The write had no response but took effect: it is our own change, so there is no conflict.
    try deliver(item(title: "Sent"))
    let todo = try store.todo(id, in: list)
    #expect(todo.content.title == "Later")
    #expect(todo.sync == .pending)
    #expect(try store.outgoing(id, in: list)?.base?.title == "Sent")
  }

  /// Without a conflict, the other user's change would replace the title without asking the user.
  @Test(arguments: [true, false])
  func titlePutBackDuringAnUnconfirmedWriteConflictsWithAnotherTitle(isSent: Bool) throws {
    let id = try begin()
    let edited = try store.edit(id, TodoEdit(title: "Sent"), in: list)
    if isSent {
      try store.recordAttempt(
        .change, edited.content, marker: nil, of: id, in: list, to: "https://api.github.com",
        openUntil: edited.updatedAt, nextWriteAt: edited.updatedAt)
    }
    _ = try store.edit(id, TodoEdit(title: "Title"), in: list)
    try deliver(item(title: "Theirs"))
    let todo = try store.todo(id, in: list)
    #expect(todo.sync == (isSent ? .conflict : .synced))
    #expect(todo.content.title == (isSent ? "Title" : "Theirs"))
    guard isSent else { return }
    let conflict = try #require(try store.conflict(of: id, in: list))
    #expect(conflict.merge.base?.title == "Sent" && conflict.merge.theirs.title == "Theirs")
  }

  @Test func anAnswerWithOtherWhitespaceIsTheNewBase() throws {
    let id = try begin()
    let edited = try store.edit(id, TodoEdit(note: "mine \r\n"), in: list)
    try store.recordAttempt(
      .change, edited.content, marker: nil, of: id, in: list, to: "https://api.github.com",
      openUntil: edited.updatedAt,
      nextWriteAt: edited.updatedAt)
    let answer = item(title: "Changed meanwhile", note: "mine")
    #expect(try store.recordReceived(answer, for: id, isAnswer: true, in: list) == nil)
    let todo = try store.todo(id, in: list)
    #expect(todo.content == TodoContent(title: "Changed meanwhile", note: "mine", isDone: false))
    #expect(todo.sync == .synced)
  }

  @Test func fieldThatTheSourceLacksStays() throws {
    func item(_ title: String) -> RemoteItem {
      var item = self.item(title: title, note: "")
      item.fields.remove(.note)
      return item
    }
    try deliver(item("Title"))
    let id = try #require(try row()).id
    _ = try store.edit(id, TodoEdit(title: "Mine", note: "own"), in: list)
    try deliver(item("Title"))
    let outgoing = try #require(try store.outgoing(id, in: list))
    #expect(outgoing.base.map { outgoing.content.fields(differingFrom: $0) } == [.title])
    try deliver(item("Mine"))
    #expect(try store.todo(id, in: list).sync == .synced)
    try deliver(item("Theirs"))
    #expect(
      try store.todo(id, in: list).content
        == TodoContent(title: "Theirs", note: "own", isDone: false))
    // After an edit of this field alone there is nothing to send.
    _ = try store.edit(id, TodoEdit(note: "own, later"), in: list)
    #expect(try store.recordReceived(item("Theirs"), for: id, isAnswer: false, in: list) == nil)
    let todo = try store.todo(id, in: list)
    #expect((todo.content.note, todo.sync) == ("own, later", .synced))
  }

  @Test func createdItemIsRecognizedByItsMarker() throws {
    let todo = try store.add(NewTodo(title: "New", note: "n"), to: list)
    try store.recordAttempt(
      .create, todo.content, marker: ItemMarker("m"), of: todo.id, in: list,
      to: "https://api.github.com",
      openUntil: todo.updatedAt, nextWriteAt: todo.updatedAt)
    var own = item(7, title: "New", note: "n")
    own.marker = ItemMarker("m")
    try deliver(own, item(8, title: "Other"))
    let known = try store.todo(todo.id, in: list)
    #expect(known.origin?.number == 7)
    #expect(known.sync == .synced)
    #expect(try store.rows(TodoQuery(), in: list).total == 2)
    // A new item comes directly above the next older one.
    #expect(try store.rows(TodoQuery(), in: list).elements.map(\.number) == [8, 7])
  }

  @Test func aResolvedConflictIsSent() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try deliver(item(title: "Theirs", note: "their note", isDone: true))
    let (conflicts, total) = try store.conflicts(offset: 0, limit: 10, in: list)
    #expect(total == 1 && conflicts.count == 1)
    let conflict = try #require(conflicts.first)
    #expect(conflict.merge.conflicts == [.title])
    let stale = #expect(throws: TodoError.self) {
      try store.resolve(id, version: conflict.version + 1, to: .keep(.mine), in: list)
    }
    #expect(stale?.kind == .conflict)
    let mine = try store.resolve(id, version: conflict.version, to: .keep(.mine), in: list)
    #expect(mine.content == TodoContent(title: "Mine", note: "their note", isDone: true))
    #expect(mine.sync == .pending)
    let outgoing = try #require(try store.outgoing(id, in: list))
    #expect(outgoing.content.fields(differingFrom: try #require(outgoing.base)) == [.title])
  }

  @Test func takingTheirsIsPendingUntilTheSourceIsReadAgain() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try deliver(item(title: "Theirs"))
    let version = try store.todo(id, in: list).version
    let todo = try store.resolve(id, version: version, to: .keep(.theirs), in: list)
    #expect(todo.sync == .pending && todo.content.title == "Theirs")
    try deliver(item(title: "Theirs"))
    #expect(try store.todo(id, in: list).sync == .synced)
    let undone = try store.undo(in: list).todo
    #expect(undone?.content.title == "Mine" && undone?.sync == .conflict)
  }

  @Test func fieldsAbsentFromAMergedChoiceAreAsProposed() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(title: "Mine", note: "a"), in: list)
    try deliver(item(title: "Theirs", note: "b"))
    let conflict = try #require(try store.conflict(of: id, in: list))
    let edit = try TodoEdit(title: "Ours")
    let todo = try store.resolve(id, version: conflict.version, to: .merged(edit), in: list)
    #expect(todo.content.title == "Ours")
    #expect(todo.content.note == conflict.merge.proposal.note)
    #expect(todo.content.note.contains("a") && todo.content.note.contains("b"))
  }

  @Test func refusedEditKeepsItsReasonUntilTheNextEdit() throws {
    let id = try begin()
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    try store.recordFailure(
      SyncFailure(kind: .forbidden, message: "It is locked."), id, keepsSent: false, in: list)
    #expect(try store.todo(id, in: list).sync == .failed)
    #expect(try store.todo(id, in: list).failure?.message == "It is locked.")
    #expect(try store.outgoing(in: list, failed: false) == [])
    #expect(try store.outgoing(in: list, failed: true).map(\.id) == [id])
    #expect(try store.counts(of: list).failed == 1)
    let again = try store.edit(id, TodoEdit(title: "Other"), in: list)
    #expect(again.sync == .pending && again.failure == nil)
  }

  @Test func aConflictHasItsBaseAfterRemoveAndUndo() throws {
    let id = try begin()
    try store.remove(id, expectedVersion: nil, in: list)
    let back = try #require(try store.undo(in: list).todo)
    for version in 1..<back.version {
      let error = #expect(throws: TodoError.self) {
        try store.remove(id, expectedVersion: version, in: list)
      }
      #expect(error?.conflict?.base == back.content, "\(version)")
    }
  }

  @Test func theUndoOfAnAdditionThatWasChangedElsewhereIsARemoval() throws {
    let folder = TemporaryFolder()
    let location = SQLiteLocation.file(folder.path("todos.sqlite"))
    let mine = try SQLiteStore(at: location, environment: .counting())
    let theirs = try SQLiteStore(at: location, environment: .counting(idsFrom: 100))
    let todo = try mine.add(NewTodo(title: "a"), to: .local)
    _ = try theirs.edit(todo.id, TodoEdit(title: "b"), in: .local)
    let conflict = #expect(throws: TodoError.self) { try mine.undo(in: .local) }?.conflict
    #expect(conflict?.isRemovedInMine == true)
    #expect(conflict?.base?.title == "a" && conflict?.theirs.title == "b")
  }

  @Test func theUndoOfARemoteRemovalIsAConflict() throws {
    let folder = TemporaryFolder()
    let location = SQLiteLocation.file(folder.path("todos.sqlite"))
    let mine = try SQLiteStore(at: location, environment: .counting())
    let theirs = try SQLiteStore(at: location, environment: .counting(idsFrom: 100))
    let todo = try mine.add(NewTodo(title: "a"), to: .local)
    _ = try mine.edit(todo.id, TodoEdit(title: "b"), in: .local)
    try theirs.remove(todo.id, expectedVersion: nil, in: .local)
    let error = #expect(throws: TodoError.self) { try mine.undo(in: .local) }
    #expect(error?.kind == .conflict)
    #expect(error?.conflict?.isRemovedInTheirs == true)
    #expect(error?.conflict?.base?.title == "b" && error?.conflict?.mine.title == "a")
  }
}
