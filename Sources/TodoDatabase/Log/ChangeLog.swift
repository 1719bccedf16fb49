import SQLiteDatabase
import TodoModel

/// The log of changes. It is read for undo and redo, for the base of a merge, and for lists of
/// changes. A change stays in the log when it is undone; the undo is another change.
///
/// `ChangeLimits` decides when a change is deleted. Apart from the erasure of a todo's data
/// (`RemovedTable.forget`), only the column `reversal` of a change is ever modified. It says how
/// the change can be reversed now: `undo`, or `redo` for a change that is an undo. It is `NULL` for
/// a change that cannot be reversed, such as:
/// - a change that was already reversed or skipped
/// - an undo that was followed by a new change
/// - a change by a source
final class ChangeLog {
  var limits = ChangeLimits()
  private unowned let connection: Connection
  private let lists: ListTable
  private lazy var add = Statement(
    """
    INSERT INTO change (sequence, list, entry, version, at, who, session, what, before, undoes,
      reversal, ordinal, byte_start, byte_end, group_start)
    VALUES ((\(selectLastSequence)) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """, on: connection)
  private lazy var newest = Statement(
    "SELECT ordinal, byte_end FROM change WHERE list = ? ORDER BY sequence DESC LIMIT 1",
    on: connection)
  private lazy var oldest = Statement(
    """
    SELECT ordinal, byte_start, at, sequence, entry, group_start FROM change
    WHERE list = ? ORDER BY sequence LIMIT 1
    """, on: connection)
  private lazy var delete = Statement("DELETE FROM change WHERE sequence = ?", on: connection)
  /// The statement that deletes changes with a sequence number above the maximum, which a damaged
  /// file may contain. Such changes would prevent the recording of further changes.
  private lazy var deleteInvalid = Statement(
    "DELETE FROM change WHERE sequence > \(Row.numberMax)", on: connection)
  private lazy var last = Statement(selectLastSequence, on: connection)
  /// The query that selects steps. The fifth column is `HistoryStep.isRestoration`: whether the
  /// user restored a removed todo, either by this change or by the change that this change undoes.
  private let selectStep = """
    SELECT sequence, entry, version, before, EXISTS (
      SELECT 1 FROM change AS first
      WHERE first.sequence = coalesce(change.undoes, change.sequence)
        AND first.what = 'restore' AND first.undoes IS NULL), group_start
    FROM change
    """
  private lazy var next = Statement(
    """
    \(selectStep)
    WHERE list = ? AND reversal = ? AND (session = ? OR sequence <= ?)
    ORDER BY sequence DESC LIMIT 1
    """, on: connection)
  private lazy var ofGroup = Statement(
    """
    \(selectStep)
    WHERE list = ? AND reversal = ? AND group_start = ? ORDER BY sequence
    """, on: connection)
  private lazy var endGroup = Statement(
    """
    UPDATE change SET reversal = NULL
    WHERE list = ? AND group_start = ? AND reversal IS NOT NULL RETURNING entry
    """, on: connection)
  private lazy var lastOfTodo = Statement(
    """
    \(selectStep)
    WHERE list = ? AND entry = ? AND reversal = 'undo' AND session = ?
    ORDER BY sequence DESC LIMIT 1
    """, on: connection)
  private lazy var settle = Statement(
    "UPDATE change SET reversal = NULL WHERE sequence = ?", on: connection)
  private lazy var endRedo = Statement(
    """
    UPDATE change SET reversal = NULL
    WHERE list = ? AND reversal = 'redo' AND (session = ? OR sequence <= ?) RETURNING entry
    """, on: connection)
  private lazy var documentChanges = Statement(
    """
    SELECT count(DISTINCT version) FROM change
    WHERE list = ? AND entry = ? AND version > ? AND who = 'document' AND what <> 'move'
    """, on: connection)
  private lazy var earlier = Statement(
    """
    SELECT before FROM change
    WHERE list = (SELECT list FROM todo WHERE id = ?) AND entry = ? AND version > ?
    ORDER BY version DESC, sequence DESC
    """, on: connection)
  /// The statement that deletes a removed todo. It keeps the todo while the log contains the todo's
  /// removal, or a change of the todo that can be undone or redone. It also keeps a todo whose
  /// removal was not sent to its source, so that a load does not add the item again.
  private lazy var deleteUnreachable = Statement(
    """
    DELETE FROM todo WHERE list = ?1 AND name = ?2 AND is_removed = 1
      AND (remote_key IS NULL AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.todo = todo.id)
        OR sync = 'synced')
      AND NOT EXISTS (
        SELECT 1 FROM change
        WHERE list = ?1 AND entry = ?3 AND (reversal IS NOT NULL OR what = 'remove'))
    """, on: connection)

  private lazy var moves = Statement(
    """
    SELECT sequence, entry FROM change WHERE list = ? AND what = 'move' AND sequence > 0
    ORDER BY sequence
    """, on: connection)

  init(over connection: Connection, lists: ListTable) {
    self.connection = connection
    self.lists = lists
  }

  // MARK: Recording

  /// Adds a change, and deletes the changes beyond the limits. If the change is a new change by a
  /// user, also ends redo: the user's undone changes can no longer be redone. If the change belongs
  /// to a group, only adds it; `group` performs the other steps after the last change of the group.
  func record(_ change: Change, _ origin: ChangeOrigin) throws(TodoError) {
    try deleteInvalid.run()
    let entry = (change.line.map { .text($0) } ?? EntryID.todo(change.id)).text
    let before = change.before.text
    let last = try newest.first(.integer(origin.list)) { row in
      (ordinal: row.number(0), byteEnd: row.number(1))
    }
    let (ordinal, start) = ((last?.ordinal ?? 0) + 1, last?.byteEnd ?? 0)
    let end = start + Self.byteCount(of: change, before)
    try add.run(
      .integer(origin.list), .text(entry), .integer(change.version),
      .integer(origin.at.milliseconds), .text(origin.author.rawValue),
      SQLValue(origin.session?.number), .text(change.kind.rawValue), .text(before),
      SQLValue(origin.reversal?.sequence), SQLValue(origin.offeredReversal?.rawValue),
      .integer(ordinal), .integer(start), .integer(end), SQLValue(origin.group))
    if origin.group == nil { try finish(origin, ordinal: ordinal, byteEnd: end) }
  }

  /// Records all changes of `body` as a group, which is undone in one step. After an error of
  /// `body`, the transaction must be rolled back.
  func group(
    _ origin: ChangeOrigin, _ body: (ChangeOrigin) throws(TodoError) -> Void
  ) throws(TodoError) {
    try deleteInvalid.run()
    var origin = origin
    let before = try lastSequence()
    origin.group = before + 1
    try body(origin)
    guard try lastSequence() > before,
      let last = try newest.first(
        .integer(origin.list), read: { row in (ordinal: row.number(0), byteEnd: row.number(1)) })
    else { return }
    try finish(origin, ordinal: last.ordinal, byteEnd: last.byteEnd)
  }

  private func finish(
    _ origin: ChangeOrigin, ordinal: Int64, byteEnd: Int64
  ) throws(TodoError) {
    // This must follow the addition of the change, because a removed todo that only this change can
    // restore must stay stored.
    if let session = origin.session, origin.reversal == nil { try endRedo(session) }
    try trim(origin.list, ordinal: ordinal, byteEnd: byteEnd, at: origin.at)
  }

  /// Returns the number of bytes with which a change counts towards the limit of the log.
  ///
  /// - Parameter before: The stored form of the change's reverse difference.
  static func byteCount(of change: Change, _ before: String) -> Int64 {
    rowBytes + Int64(before.utf8.count) + change.retainedBytes
  }

  /// The estimated size of a change without its reverse difference, including its index entries.
  private static let rowBytes: Int64 = 256

  /// Deletes the oldest changes beyond the limits, usually none or one. A group that loses a change
  /// can no longer be reversed, because groups are never reversed in part.
  private func trim(
    _ list: Int64, ordinal: Int64, byteEnd: Int64, at now: Timestamp
  ) throws(TodoError) {
    let latest = now.milliseconds - limits.daysMin * 86_400_000
    while true {
      let change = try oldest.first(.integer(list)) { row in
        let isSurplus = ordinal - row.number(0) >= limits.countMin && row.integer(2) < latest
        let isOver = byteEnd - row.number(1) > limits.bytesMax
        return (
          isKept: !isSurplus && !isOver, sequence: row.integer(3), entry: row.text(4),
          group: row.optionalInteger(5)
        )
      }
      guard let change, !change.isKept else { return }
      try delete.run(.integer(change.sequence))
      try deleteUnreachableTodo(change.entry, in: list)
      if let group = change.group {
        let entries = try endGroup.all(.integer(list), .integer(group)) { row in row.text(0) }
        for entry in entries { try deleteUnreachableTodo(entry, in: list) }
      }
    }
  }

  private func endRedo(_ session: HistorySession) throws(TodoError) {
    for used in session.lists {
      guard let list = try lists.knownNumber(of: used.key) else { continue }
      let entries = try endRedo.all(
        .integer(list), .integer(session.number), .integer(used.start)
      ) { row in row.text(0) }
      for entry in entries { try deleteUnreachableTodo(entry, in: list) }
    }
  }

  /// Deletes a removed todo that no undo or redo can restore any more.
  private func deleteUnreachableTodo(_ entry: String, in list: Int64) throws(TodoError) {
    guard let id = EntryID(entry)?.todoID else { return }
    try deleteUnreachable.run(.integer(list), .text(id.text), .text(entry))
  }

  // MARK: Undo and redo

  /// Returns the sequence number of the newest change in all lists.
  func lastSequence() throws(TodoError) -> Int64 {
    try last.first { row in row.integer(0) } ?? 0
  }

  /// Returns the changes to undo or redo next: the session's last reversible change in any of its
  /// lists. If that change belongs to a group, returns all changes of the group in the original
  /// order.
  func nextSteps(
    _ direction: HistoryDirection, _ session: HistorySession
  ) throws(TodoError) -> [HistoryStep] {
    guard let last = try lastStep(direction, session) else { return [] }
    guard let group = last.group else { return [last] }
    return try ofGroup.all(.integer(last.list), .text(direction.rawValue), .integer(group)) { row in
      HistoryStep(row, list: last.list, key: last.key)
    }
  }

  private func lastStep(
    _ direction: HistoryDirection, _ session: HistorySession
  ) throws(TodoError) -> HistoryStep? {
    var step: HistoryStep?
    for used in session.lists {
      guard let list = try lists.knownNumber(of: used.key),
        let last = try next.first(
          .integer(list), .text(direction.rawValue), .integer(session.number),
          .integer(used.start), read: { row in HistoryStep(row, list: list, key: used.key) })
      else { continue }
      if last.sequence > step?.sequence ?? .min { step = last }
    }
    return step
  }

  /// Returns the last undoable change of a todo in a session; `nil` if there is none.
  func lastStep(
    of id: TodoID, in list: Int64, _ key: TodoListKey, session: HistorySession
  ) throws(TodoError) -> HistoryStep? {
    try lastOfTodo.first(
      .integer(list), .text(EntryID.todo(id).text), .integer(session.number)
    ) { row in HistoryStep(row, list: list, key: key) }
  }

  /// Marks a change as reversed.
  func settle(_ step: HistoryStep) throws(TodoError) { try settle.run(.integer(step.sequence)) }

  /// Excludes a change from undo and redo, because it cannot be reversed any more. Deletes the todo
  /// of the change if the todo is removed and no other change can restore it.
  func skip(_ step: HistoryStep) throws(TodoError) {
    try settle(step)
    try deleteUnreachableTodo(EntryID.todo(step.id).text, in: step.list)
  }

  // MARK: Moves

  /// Returns the moves of entries of a list, oldest first.
  func moves(in list: Int64) throws(TodoError) -> [EntryMove] {
    try moves.all(.integer(list)) { row in
      EntryID(row.text(1)).map { EntryMove(number: row.integer(0), entry: $0) }
    }.compactMap { $0 }
  }

  /// Whether all changes of a todo after a version were made by saves of documents.
  func areFromDocuments(
    after version: Int64, of stored: StoredTodo, in list: Int64
  ) throws(TodoError) -> Bool {
    let count = try documentChanges.first(
      .integer(list), .text(EntryID.todo(stored.todo.id).text), .integer(version)
    ) { row in row.integer(0) }
    return count == stored.todo.version - version
  }

  // MARK: Bases

  /// Returns the content of a todo at a version; `nil` if the log does not reach back to that
  /// version.
  func content(of stored: StoredTodo, at version: Int64) throws(TodoError) -> TodoContent? {
    try base(of: stored, at: version)?.content
  }

  /// Returns the content of a todo at a version, and the fields that have changed since then, even
  /// if they were changed back; `nil` if the log does not reach back to that version.
  private func base(
    of stored: StoredTodo, at version: Int64
  ) throws(TodoError) -> (content: TodoContent, changed: ContentFieldSet)? {
    var (content, reached) = (stored.todo.content, stored.todo.version)
    var changed: ContentFieldSet = []
    guard reached != version else { return (content, changed) }
    // Version 0 is before the addition, when there was no content.
    guard version > 0 else { return nil }
    try earlier.each([
      .integer(stored.row), .text(EntryID.todo(stored.todo.id).text), .integer(version),
    ]) { row throws(TodoError) in
      let before = ReverseDifference(row.text(0))
      content = before.applied(to: content)
      changed = changed.union(ContentFieldSet(before.fields))
      reached = before.version
      return true
    }
    return reached == version ? (content, changed) : nil
  }

  /// Returns whether the content of a todo satisfies a condition now, or did so in a version after
  /// `version`. If `version` is 0, which stands for an unknown version, only the current content is
  /// checked.
  func hasSatisfied(
    _ condition: (TodoContent) -> Bool, _ stored: StoredTodo, after version: Int64
  ) throws(TodoError) -> Bool {
    var content = stored.todo.content
    var isMet = condition(content)
    if isMet || version == 0 { return isMet }
    try earlier.each([
      .integer(stored.row), .text(EntryID.todo(stored.todo.id).text), .integer(version),
    ]) { row throws(TodoError) in
      let before = ReverseDifference(row.text(0))
      content = before.applied(to: content)
      isMet = before.version > version && condition(content)
      return !isMet
    }
    return isMet
  }

  /// Returns the content after an edit. If the todo has changed since the version that the edit is
  /// based on, the edit is merged with these changes.
  ///
  /// - Throws: `conflict` if the edit and the changes cannot be merged.
  func content(after edit: TodoEdit, of stored: StoredTodo) throws(TodoError) -> TodoContent {
    let theirs = stored.todo
    guard let version = edit.expectedVersion, version != theirs.version else {
      return try edit.appending(to: edit.applied(to: theirs.content))
    }
    let base = try base(of: stored, at: version)
    let merge = Merge(
      base: base?.content, edit: edit, theirs: theirs.content, changed: base?.changed ?? [])
    guard let content = merge.content else {
      throw .conflict(TodoConflict(merge, theirVersion: theirs.version))
    }
    return try edit.appending(to: content)
  }

  /// Checks that the todo is still at `version`; `nil` accepts any version.
  ///
  /// - Throws: `conflict` if the todo has another version.
  func check(_ version: Int64?, of stored: StoredTodo) throws(TodoError) {
    let theirs = stored.todo
    guard let version, version != theirs.version else { return }
    let base = try content(of: stored, at: version)
    throw .conflict(
      TodoConflict(
        base: base, mine: base ?? theirs.content, theirs: theirs.content,
        theirVersion: theirs.version))
  }
}

extension ChangeOrigin {
  /// The direction in which the change can be reversed next; `nil` if it cannot be reversed.
  fileprivate var offeredReversal: HistoryDirection? {
    switch reversal?.direction {
    case .undo: .redo
    case .redo: .undo
    case nil: session == nil ? nil : .undo
    }
  }
}

extension HistoryStep {
  /// Reads the columns of `ChangeLog.selectStep`.
  fileprivate init(_ row: Row, list: Int64, key: TodoListKey) {
    self.init(
      sequence: row.integer(0), list: list, key: key,
      id: EntryID(row.text(1))?.todoID ?? TodoID(""), version: row.integer(2),
      before: ReverseDifference(row.text(3)), isRestoration: row.flag(4),
      group: row.optionalInteger(5))
  }
}

/// The query that selects the newest sequence number. Imported changes have negative numbers, so
/// that clients that watch the log do not see them.
private let selectLastSequence = "SELECT max(0, coalesce(max(sequence), 0)) FROM change"
