import SQLiteDatabase
import TodoModel

/// The statements that read the local changes that sources do not have yet, including unconfirmed
/// writes. They also read the conflicts between local changes and changes at the source.
final class Outbox {
  private unowned let connection: Connection
  private lazy var outgoing = Statement(
    """
    \(TodoColumns.selectStored)
    WHERE todo.list = ?1
      AND (todo.sync IN ('pending', ?2) OR outbox.todo IS NOT NULL AND todo.sync <> 'failed')
      AND NOT (todo.is_removed AND todo.remote_key IS NULL AND outbox.todo IS NULL)
    ORDER BY todo.updated_at, todo.id
    """, on: connection)
  private lazy var conflicts = Statement(
    """
    \(TodoColumns.selectStored)
    WHERE todo.list = ? AND todo.sync = 'conflict' AND todo.is_removed = 0
    ORDER BY todo.place, todo.id LIMIT ? OFFSET ?
    """, on: connection)
  private lazy var counts = Statement(
    """
    SELECT sync, count(*) FROM todo
    WHERE list = ? AND sync IN ('pending', 'conflict', 'failed')
      AND NOT (is_removed AND remote_key IS NULL)
    GROUP BY sync
    """, on: connection)

  // The join starts with the outbox, because it is short.
  private lazy var marked = Statement(
    """
    SELECT todo.name FROM outbox CROSS JOIN todo ON todo.id = outbox.todo
    WHERE outbox.marker = ?1 AND todo.list = ?2
    UNION ALL
    SELECT todo.name FROM exported CROSS JOIN todo ON todo.id = exported.todo
    WHERE exported.marker = ?1 AND todo.list = ?2
    """, on: connection)

  /// The query that selects the removal of a todo if the removal must not be sent yet (see
  /// `HeldRemovals`). This is the case if a saved document has made the removal, either less than a
  /// minute ago or together with many other removals. The removals of one save have the same time.
  private lazy var heldRemoval = Statement(
    """
    SELECT 1 FROM change AS removal
    WHERE list = ?1 AND entry = ?2 AND what = 'remove' AND who = 'document'
      AND NOT EXISTS (
        SELECT 1 FROM change AS later
        WHERE later.list = ?1 AND later.entry = ?2 AND later.what = 'remove'
          AND later.sequence > removal.sequence)
      AND (at BETWEEN ?3 - \(HeldRemovals.milliseconds) AND ?3
        OR (
          SELECT count(*) FROM (
            SELECT 1 FROM change AS other
            WHERE other.list = ?1 AND other.at = removal.at AND other.what = 'remove'
              AND other.who = 'document'
            LIMIT \(HeldRemovals.countMax + 1))) > \(HeldRemovals.countMax))
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Returns the todo for whose new item the given marker was chosen; `nil` if the list has no such
  /// todo. The marker was stored with an unconfirmed write, or imported from an export.
  func todo(_ marker: ItemMarker, in list: Int64) throws(TodoError) -> TodoID? {
    try marked.first(.text(marker.text), .integer(list)) { row in TodoID(row.text(0)) }
  }

  /// Returns the todos with unsent local changes or an unconfirmed write, oldest change first.
  ///
  /// - Parameter failed: Whether to include the todos whose changes the source has refused.
  func outgoing(
    in list: Int64, failed: Bool, at now: Timestamp
  ) throws(TodoError) -> [OutgoingTodo] {
    let sync: SyncState = failed ? .failed : .pending
    var todos = try outgoing.all(.integer(list), .text(sync.rawValue)) { row in
      OutgoingTodo(row.storedTodo)
    }
    for index in todos.indices where todos[index].isRemoved && todos[index].sent == nil {
      todos[index].isHeld =
        try heldRemoval.first(
          .integer(list), .text(EntryID.todo(todos[index].id).text), .integer(now.milliseconds)
        ) { _ in true } ?? false
    }
    return todos
  }

  func conflicts(offset: Int, limit: Int, in list: Int64) throws(TodoError) -> [SourceConflict] {
    try conflicts.all(
      .integer(list), .integer(Int64(max(0, limit))), .integer(Int64(max(0, offset)))
    ) { row in row.storedTodo.conflict }.compactMap { $0 }
  }

  func counts(of list: Int64) throws(TodoError) -> SyncCounts {
    let found = try counts.all(.integer(list)) { row in (row.text(0), row.count(1)) }
    var counts = SyncCounts()
    for (sync, count) in found {
      switch SyncState(rawValue: sync) {
      case .pending: counts.pending = count
      case .conflict: counts.conflicts = count
      case .failed: counts.failed = count
      case .local, .synced, nil: break
      }
    }
    return counts
  }
}

extension OutgoingTodo {
  init(_ stored: StoredTodo) {
    self.init(
      id: stored.todo.id, key: stored.key, content: stored.todo.content, base: stored.base,
      isRemoved: stored.isRemoved, sync: stored.todo.sync, sent: stored.sent?.kind,
      openUntil: stored.sent?.openUntil, marker: stored.sent?.marker,
      sentContent: stored.sent?.content,
      exported: stored.exported.map { ExportedMarker($0.marker, since: $0.since) })
  }
}

extension StoredTodo {
  /// The sides of the conflict; `nil` if local and remote changes do not conflict.
  var conflict: SourceConflict? {
    guard todo.sync == .conflict, let base else { return nil }
    return SourceConflict(
      id: todo.id, version: todo.version,
      merge: Merge(base: base, mine: todo.content, theirs: theirs ?? base))
  }
}
