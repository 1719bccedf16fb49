import SQLiteDatabase
import TodoModel

/// What an export and an import ask of the tables.
final class ExchangeTable {
  private unowned let connection: Connection
  private lazy var lists = Statement(
    """
    SELECT id, profile, source, (SELECT count(*) FROM todo WHERE todo.list = list.id AND \(isKept))
    FROM list WHERE (?1 IS NULL OR profile = ?1) AND (?2 IS NULL OR source = ?2)
    ORDER BY profile, source
    """, on: connection)
  private lazy var todos = Statement(
    "\(TodoColumns.selectStored) WHERE todo.list = ? AND \(isKept) ORDER BY todo.place, todo.id",
    on: connection)
  private lazy var bottomPlace = Statement(
    "SELECT max(place) FROM todo WHERE list = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// The lists of a profile (nil: everybody's) and of a source (nil: of all).
  func lists(
    profile: String?, source: String?
  ) throws(TodoError) -> [(number: Int64, list: ExchangeList)] {
    try lists.all(SQLValue(profile), SQLValue(source)) { row in
      let key = TodoListKey(profile: row.text(1), source: row.text(2))
      return (row.integer(0), ExchangeList(key: key, count: row.integer(3)))
    }
  }

  func eachTodo(
    in list: Int64, _ body: (StoredTodo) throws(TodoError) -> Void
  ) throws(TodoError) {
    try todos.each([.integer(list)]) { row throws(TodoError) in
      try body(row.storedTodo)
      return true
    }
  }

  /// The place below everything in a list.
  func placeBelow(in list: Int64) throws(TodoError) -> Int64 {
    let last = try bottomPlace.first(.integer(list)) { row in
      row.isNull(0) ? nil : row.number(0)
    }
    return last.flatMap { $0 }.map { min($0, TodoColumns.integerMax - 1) + 1 } ?? 0
  }
}

/// A removed todo of a source is kept, so that a load does not bring it back; one that was only
/// here is gone but for the undo.
private let isKept = "(is_removed = 0 OR remote_key IS NOT NULL)"
