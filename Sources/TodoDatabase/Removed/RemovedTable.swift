import SQLiteDatabase
import TodoModel

/// The statements that find the removed todos of a list, by the removals in the log of changes.
final class RemovedTable {
  private unowned let connection: Connection
  private lazy var newest = Statement(Self.newestRemovals, on: connection)
  /// The query that selects the last removal of each removed todo of a list since a time. In a view
  /// (`?3`), removals by the source count only for todos that are or were in the view. For removals
  /// at the same time, the sequence numbers determine the order.
  static let newestRemovals = """
    SELECT todo.name, todo.title, todo.remote_key, todo.remote_url, change.who, change.at
    FROM change CROSS JOIN todo
      ON todo.list = change.list AND todo.name = substr(change.entry, 6) AND todo.is_removed = 1
    WHERE change.list = ?1 AND change.what = 'remove' AND change.at >= ?2
      AND (?3 = '' OR change.who <> 'source' OR EXISTS (
        SELECT 1 FROM view_todo
        WHERE view_todo.list = ?1 AND view_todo.view = ?3 AND view_todo.todo = todo.id))
      AND NOT EXISTS (
        SELECT 1 FROM change AS later
        WHERE later.list = change.list AND later.entry = change.entry
          AND later.version >= change.version AND later.sequence > change.sequence
          AND later.what = 'remove')
    ORDER BY change.at DESC, change.sequence DESC LIMIT \(RemovedTodo.countMax)
    """
  private lazy var lastAuthor = Statement(
    """
    SELECT who FROM change WHERE list = ? AND entry = ? AND what = 'remove'
    ORDER BY version DESC, sequence DESC LIMIT 1
    """, on: connection)

  private lazy var deleteTodo = Statement("DELETE FROM todo WHERE id = ?", on: connection)
  private lazy var deleteDrafts = Statement(
    "DELETE FROM draft WHERE list = ? AND todo = ?", on: connection)
  private lazy var deleteConflictTexts = Statement(
    """
    DELETE FROM document_held
    WHERE name = ?2 AND document IN (SELECT id FROM document WHERE list = ?1)
    """, on: connection)
  private lazy var eraseChanges = Statement(
    """
    UPDATE change SET before = json_object('version', version), reversal = NULL
    WHERE list = ? AND entry = ?
    """, on: connection)
  private lazy var deleteChanges = Statement(
    """
    DELETE FROM change
    WHERE list = ? AND entry = ? AND sequence < (SELECT max(sequence) FROM change)
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Returns the todos that were removed from a view since a time, newest first, at most
  /// `RemovedTodo.countMax`.
  func todos(in view: ViewKey, since time: Timestamp) throws(TodoError) -> [RemovedTodo] {
    try newest.all(
      .integer(view.list), .integer(time.milliseconds), .text(view.view)
    ) { row in
      let author = ChangeAuthor(rawValue: row.text(4)) ?? .local
      return RemovedTodo(
        id: TodoID(row.text(0)), title: row.text(1),
        origin: row.optionalText(2).map { TodoOrigin(url: row.text(3), key: $0) },
        reason: RemovalReason(author: author, key: row.optionalText(2)), author: author,
        removedAt: row.time(5))
    }
  }

  /// Returns the reason why a removed todo left its list.
  func reason(of stored: StoredTodo, in list: Int64) throws(TodoError) -> RemovalReason {
    RemovalReason(author: try author(of: stored.todo.id, in: list) ?? .local, key: stored.key)
  }

  /// Returns the author of the removal of a todo; `nil` if the log does not contain the removal.
  func author(of id: TodoID, in list: Int64) throws(TodoError) -> ChangeAuthor? {
    try lastAuthor.first(.integer(list), .text(EntryID.todo(id).text)) { row in
      ChangeAuthor(rawValue: row.text(0))
    } ?? nil
  }

  /// Deletes all stored data of a removed todo. If the newest change in the log is a change of this
  /// todo, the change stays in the log without its text, because its sequence number must not be
  /// used again.
  func forget(_ stored: StoredTodo, in list: Int64) throws(TodoError) {
    let (id, entry) = (stored.todo.id.text, EntryID.todo(stored.todo.id).text)
    try deleteTodo.run(.integer(stored.row))
    try deleteDrafts.run(.integer(list), .text(id))
    try deleteConflictTexts.run(.integer(list), .text(id))
    try eraseChanges.run(.integer(list), .text(entry))
    try deleteChanges.run(.integer(list), .text(entry))
  }
}

extension RemovalReason {
  /// Determines the reason for a removal from its author and from the source's key of the todo's
  /// item. The key is `nil` if the item was deleted at the source.
  fileprivate init(author: ChangeAuthor, key: String?) {
    self =
      switch author {
      case .local, .document, .assistant: .removed
      case .source: key == nil ? .deleted : .closed
      }
  }
}
