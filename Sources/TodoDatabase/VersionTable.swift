import SQLiteDatabase
import TodoModel

/// What todos were at earlier versions: the bases of later conflicts.
final class VersionTable {
  /// How many earlier contents a list keeps.
  static let versionsMax = 1_000

  private unowned let connection: Connection
  private lazy var find = Statement(
    """
    SELECT title, is_done, (
      SELECT note FROM todo_version AS later
      WHERE later.todo = this.todo AND later.version >= this.version AND note IS NOT NULL
      ORDER BY later.version LIMIT 1
    ) FROM todo_version AS this WHERE todo = ? AND version = ?
    """, on: connection)
  private lazy var add = Statement(
    """
    INSERT INTO todo_version (list, sequence, todo, version, title, note, is_done)
    SELECT list, 1 + coalesce(
        (SELECT max(sequence) FROM todo_version AS other WHERE other.list = todo.list), 0),
      id, ?, ?, ?, ?
    FROM todo WHERE id = ?
    """, on: connection)
  /// After such a number there would be none.
  private lazy var forgetStrange = Statement(
    """
    DELETE FROM todo_version
    WHERE list = (SELECT list FROM todo WHERE id = ?) AND sequence > \(Row.numberMax)
    """, on: connection)
  private lazy var forgetOld = Statement(
    """
    DELETE FROM todo_version WHERE
      list = (SELECT list FROM todo_version WHERE rowid = ?1) AND
      sequence <= (SELECT sequence FROM todo_version WHERE rowid = ?1) - \(VersionTable.versionsMax)
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// What a todo was at an earlier version, where that is still known.
  func content(of stored: StoredTodo, at version: Int64) throws(TodoError) -> TodoContent? {
    try find.first(.integer(stored.row), .integer(version)) { row in
      TodoContent(
        title: row.text(0), note: row.optionalText(2) ?? stored.todo.content.note,
        isDone: row.flag(1))
    }
  }

  /// Keeps the content that a change replaces. Without its note that is the next version's.
  func remember(_ before: StoredTodo, withNote: Bool) throws(TodoError) {
    let content = before.todo.content
    try forgetStrange.run(.integer(before.row))
    try add.run(
      .integer(before.todo.version), .text(content.title),
      SQLValue(withNote ? content.note : nil), SQLValue(content.isDone), .integer(before.row))
    try forgetOld.run(.integer(connection.lastInsertedRow))
  }

  /// What an edit makes of a todo. Where somebody else has changed it since the version that the
  /// edit was made from, both are joined. Throws `conflict` where that cannot be.
  func content(after edit: TodoEdit, of stored: StoredTodo) throws(TodoError) -> TodoContent {
    let theirs = stored.todo
    guard let version = edit.expectedVersion, version != theirs.version else {
      return edit.applied(to: theirs.content)
    }
    let merge = Merge(
      base: try content(of: stored, at: version), edit: edit, theirs: theirs.content)
    guard let content = merge.content else {
      throw .conflict(TodoConflict(merge, theirVersion: theirs.version))
    }
    return content
  }

  /// Throws `conflict` when the todo is no longer at `version`.
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
