import SQLiteDatabase
import TodoModel

/// Which lists there are, and what the database counts of each.
final class ListTable {
  private unowned let connection: Connection
  private lazy var add = Statement(
    "INSERT INTO list (profile, source) VALUES (?, ?)", on: connection)
  private lazy var number = Statement(
    "SELECT id FROM list WHERE profile = ? AND source = ?", on: connection)
  private lazy var counts = Statement(
    """
    SELECT id, total, done, order_version, text_version, edit_version FROM list
    WHERE profile = ? AND source = ?
    """, on: connection)

  /// The list that was asked for last, where it is known for good: lists are never deleted.
  private var last: (list: TodoListKey, number: Int64)?

  private lazy var edit = Statement(
    "UPDATE list SET edit_version = edit_version + 1 WHERE id = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// The number of a list that is to be written to; it is made when it is missing.
  func number(of list: TodoListKey) throws(TodoError) -> Int64 {
    if let number = try knownNumber(of: list) { return number }
    try add.run(.text(list.profile), .text(list.source))
    return connection.lastInsertedRow
  }

  /// The number of a list, or nil where nothing was ever kept in it.
  func knownNumber(of list: TodoListKey) throws(TodoError) -> Int64? {
    if let last, last.list == list { return last.number }
    let found = try number.first(.text(list.profile), .text(list.source)) { row in row.integer(0) }
    // What is written may yet be rolled back.
    if connection.onlyReads, let found { last = (list, found) }
    return found
  }

  /// Counts a change of what is shown beside the todos, which no trigger sees.
  func recordEdit(in number: Int64) throws(TodoError) { try edit.run(.integer(number)) }

  /// Nil where nothing was ever kept in the list.
  func state(of list: TodoListKey) throws(TodoError) -> ListState? {
    try counts.first(.text(list.profile), .text(list.source)) { row in
      ListState(
        number: row.integer(0), total: row.count(1), done: min(row.count(2), row.count(1)),
        versions: ListVersions(
          order: row.integer(3), text: row.integer(4), edit: row.integer(5)))
    }
  }
}

/// What the database counts of a list, so that nothing is counted for a page.
struct ListState {
  var number: Int64
  var total: Int
  var done: Int
  var versions: ListVersions

  subscript(isDone: Bool?) -> Int {
    switch isDone {
    case nil: total
    case true?: done
    case false?: total - done
    }
  }

  /// - Parameter isDone: The done state of the todos in the order; `nil` for all.
  func key(_ query: TodoQuery, isDone: Bool? = nil) -> ListOrders.Key {
    ListOrders.Key(list: number, isDone: isDone, sort: query.sort)
  }
}

/// How often the parts of a list have changed, counted by triggers with the changes themselves.
struct ListVersions: Equatable {
  /// Todos came, went, or moved.
  var order: Int64
  /// Titles or notes changed.
  var text: Int64
  /// Anything changed.
  var edit: Int64
}
