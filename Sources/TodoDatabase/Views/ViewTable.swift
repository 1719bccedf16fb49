import SQLiteDatabase
import TodoModel

/// The identity of a view of a list (see `RemoteView`).
struct ViewKey {
  /// The number of the list.
  var list: Int64
  /// The key of the view; empty for the whole list.
  var view: String

  var isWhole: Bool { view.isEmpty }
}

/// The table of the todos that are or were in the views of lists.
final class ViewTable {
  private unowned let connection: Connection
  private lazy var join = Statement(
    """
    INSERT INTO view_todo (list, view, todo)
      SELECT list, ?2, id FROM todo WHERE list = ?1 AND remote_key = ?3
    ON CONFLICT (list, view, todo) DO UPDATE SET left_at = NULL WHERE left_at IS NOT NULL
    RETURNING 1
    """, on: connection)
  private lazy var leave = Statement(
    """
    UPDATE view_todo SET left_at = ?4
    WHERE list = ?1 AND view = ?2 AND left_at IS NULL
      AND todo = (SELECT id FROM todo WHERE list = ?1 AND remote_key = ?3)
    RETURNING 1
    """, on: connection)
  private lazy var addLeft = Statement(
    """
    INSERT OR IGNORE INTO view_todo (list, view, todo, left_at)
      SELECT list, ?2, id, ?4 FROM todo WHERE list = ?1 AND remote_key = ?3
    """, on: connection)
  private lazy var leaveRow = Statement(
    """
    UPDATE view_todo SET left_at = ?4
    WHERE list = ?1 AND view = ?2 AND todo = ?3 AND left_at IS NULL
    """, on: connection)
  private lazy var has = Statement(
    "\(ViewTable.rows) SELECT 1 FROM shown WHERE id = ?3", on: connection)
  /// The query that selects the todos that left a view since a time. Todos with unsent edits are
  /// not selected, because the view still shows them.
  private lazy var left = Statement(
    """
    SELECT todo.name, todo.title, todo.remote_key, todo.remote_url, view_todo.left_at
    FROM view_todo JOIN todo ON todo.id = view_todo.todo
    WHERE view_todo.list = ?1 AND view_todo.view = ?2 AND view_todo.left_at >= ?3
      AND todo.is_removed = 0 AND todo.sync = 'synced'
    ORDER BY view_todo.left_at DESC, todo.id LIMIT \(RemovedTodo.countMax)
    """, on: connection)

  /// The start of the queries for the rows that a view shows: a `WITH` clause for the todos in the
  /// view, and for the todos of the list with unsent edits.
  private static let rows = """
    WITH shown (id) AS (
      SELECT todo FROM view_todo WHERE list = ?1 AND view = ?2 AND left_at IS NULL
      UNION ALL
      SELECT id FROM todo WHERE list = ?1 AND sync IN ('pending', 'conflict', 'failed'))
    """

  /// A statement that marks, as hits, all rows that a view shows (see `RowFunction.withMarking`).
  static let marking = "\(rows) SELECT todo_mark(id) FROM shown"

  init(over connection: Connection) { self.connection = connection }

  /// Records whether the todo of an item is in the view.
  ///
  /// - Parameter isNew: Whether the todo was linked to its item just now. Until then, the view
  ///   showed the todo. Therefore, if the item is outside of the view, the todo has left the view.
  /// - Returns: Whether the todo has joined or left the view since it was last recorded.
  func record(
    _ item: RemoteItem, isNew: Bool = false, in view: ViewKey, at now: Timestamp
  ) throws(TodoError) -> Bool {
    guard !view.isWhole else { return false }
    let values: [SQLValue] = [.integer(view.list), .text(view.view), .text(item.key)]
    if item.isInView { return try join.first(values) { _ in true } ?? false }
    let time = SQLValue.integer(now.milliseconds)
    if isNew { try addLeft.run(values + [time]) }
    return try leave.first(values + [time]) { _ in true } ?? false
  }

  /// Records that a todo has left the view.
  func leave(row: Int64, _ view: ViewKey, at now: Timestamp) throws(TodoError) {
    try leaveRow.run(
      .integer(view.list), .text(view.view), .integer(row), .integer(now.milliseconds))
  }

  /// Whether a view shows the todo in a row.
  func shows(row: Int64, _ view: ViewKey) throws(TodoError) -> Bool {
    guard !view.isWhole else { return true }
    return try has.first(.integer(view.list), .text(view.view), .integer(row)) { _ in true }
      ?? false
  }

  /// Returns the todos that left a view since a time, newest first.
  func left(_ view: ViewKey, since time: Timestamp) throws(TodoError) -> [RemovedTodo] {
    guard !view.isWhole else { return [] }
    return try left.all(.integer(view.list), .text(view.view), .integer(time.milliseconds)) { row in
      RemovedTodo(
        id: TodoID(row.text(0)), title: row.text(1),
        origin: row.optionalText(2).map { TodoOrigin(url: row.text(3), key: $0) },
        reason: .leftFilter, author: .source, removedAt: row.time(4))
    }
  }
}
