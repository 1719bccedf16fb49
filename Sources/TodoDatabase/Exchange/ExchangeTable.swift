import SQLiteDatabase
import TodoModel

/// The statements that export and import todos, the log and drafts.
final class ExchangeTable {
  private unowned let connection: Connection
  private lazy var lists = Statement(
    """
    SELECT id, profile, source FROM list
    WHERE (?1 IS NULL OR profile = ?1) ORDER BY profile, source
    """, on: connection)
  private lazy var todos = Statement(
    "\(TodoColumns.selectStored) WHERE todo.list = ? ORDER BY todo.place, todo.id",
    on: connection)
  private lazy var changes = Statement(
    """
    SELECT entry, version, at, who, what, before FROM change
    WHERE list = ? AND entry GLOB 'todo/*' ORDER BY sequence DESC
    """, on: connection)
  private lazy var bottomPlace = Statement(
    "SELECT max(place) FROM todo WHERE list = ?", on: connection)
  /// The query that selects the additions (todos that the source does not have yet) that no export
  /// contains. The query uses the index `todo_unsynced`.
  private lazy var unmarked = Statement(
    """
    \(TodoColumns.selectStored)
    WHERE todo.list = ? AND todo.sync IN ('pending', 'failed') AND todo.remote_key IS NULL
      AND todo.is_removed = 0 AND exported.todo IS NULL
    """, on: connection)
  private lazy var knownChange = Statement(
    """
    SELECT 1 FROM change
    WHERE list = ? AND entry = ? AND version = ? AND at = ? AND who = ? AND what = ?
    """, on: connection)
  private lazy var oldest = Statement(
    "SELECT ordinal, byte_start FROM change WHERE list = ? ORDER BY sequence LIMIT 1",
    on: connection)
  private lazy var addChange = Statement(
    """
    INSERT INTO change (sequence, list, entry, version, at, who, what, before, ordinal, byte_start,
      byte_end)
    SELECT min(0, coalesce(min(sequence), 0)) - 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM change
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  // MARK: Export

  func lists(in scope: ExportScope) throws(TodoError) -> [(number: Int64, key: TodoListKey)] {
    try lists.all(SQLValue(scope.profile)) { row in
      (row.integer(0), TodoListKey(profile: row.text(1), source: row.text(2)))
    }.filter { scope.sources?.contains($0.1.source) ?? true }
  }

  func eachTodo(
    in list: Int64, _ body: (StoredTodo) throws(TodoError) -> Void
  ) throws(TodoError) {
    try todos.each([.integer(list)]) { row throws(TodoError) in
      try body(row.storedTodo)
      return true
    }
  }

  /// Calls `body` with the changes in the log of a list, newest first.
  func eachChange(
    in list: Int64, _ body: (ExportedChange) throws(TodoError) -> Void
  ) throws(TodoError) {
    try changes.each([.integer(list)]) { row throws(TodoError) in
      guard let id = EntryID(row.text(0))?.todoID else { return true }
      let change = Change(
        id: id, version: row.number(1), kind: ChangeKind(rawValue: row.text(4)) ?? .edit,
        before: ReverseDifference(row.text(5)))
      try body(
        ExportedChange(
          change, at: row.time(2), ChangeAuthor(rawValue: row.text(3)) ?? .local))
      return true
    }
  }

  /// Returns the unsent additions of a list that no export contains yet.
  func unmarkedAdditions(in list: Int64) throws(TodoError) -> [StoredTodo] {
    try unmarked.all(.integer(list)) { $0.storedTodo }
  }

  // MARK: Import

  /// Returns the place below all todos of a list.
  func placeBelow(in list: Int64) throws(TodoError) -> Int64 {
    let last = try bottomPlace.first(.integer(list)) { row in
      row.isNull(0) ? nil : row.number(0)
    }
    return last.flatMap { $0 }.map { min($0, TodoColumns.integerMax - 1) + 1 } ?? 0
  }

  /// Adds a change to the log as its oldest change, unless the list already has the change. An
  /// imported change can be neither undone nor redone, and is not reported to clients that watch
  /// the log.
  func add(_ exported: ExportedChange, to list: Int64) throws(TodoError) {
    let change = exported.change
    let number = SQLValue.integer(list)
    let entry = SQLValue.text(EntryID.todo(change.id).text)
    let (version, at) = (SQLValue.integer(change.version), exported.at.milliseconds)
    let (who, what) = (exported.author.rawValue, change.kind.rawValue)
    let isKnown = try knownChange.first(
      number, entry, version, .integer(at), .text(who), .text(what)
    ) { _ in true }
    guard isKnown == nil else { return }
    let next = try oldest.first(number) { row in (row.number(0), row.number(1)) } ?? (1, 0)
    let before = change.before.text
    let start = next.1 - ChangeLog.byteCount(of: change, before)
    try addChange.run(
      number, entry, version, .integer(at), .text(who), .text(what), .text(before),
      .integer(next.0 - 1), .integer(start), .integer(next.1))
  }
}
