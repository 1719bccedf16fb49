import SQLiteDatabase
import TodoModel

/// The lists, and the counts that the database maintains for each list.
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

  /// The list that was looked up last, with its number. Only a reading connection caches it: the
  /// writing connection may see a list whose addition is rolled back later. A number from a reading
  /// connection stays valid, because lists are never deleted.
  private var last: (list: TodoListKey, number: Int64)?

  private lazy var edit = Statement(
    "UPDATE list SET edit_version = edit_version + 1 WHERE id = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Returns the number of a list, and creates the list if necessary.
  func number(of list: TodoListKey) throws(TodoError) -> Int64 {
    if let number = try knownNumber(of: list) { return number }
    try add.run(.text(list.profile), .text(list.source))
    return connection.lastInsertedRow
  }

  /// Returns the number of a list; `nil` if nothing was ever stored in it.
  func knownNumber(of list: TodoListKey) throws(TodoError) -> Int64? {
    if let last, last.list == list { return last.number }
    let found = try number.first(.text(list.profile), .text(list.source)) { row in row.integer(0) }
    // For the writing connection, the addition of the list may still be rolled back.
    if connection.onlyReads, let found { last = (list, found) }
    return found
  }

  /// Counts a change of data other than todos as an edit of the list. SQL triggers count the
  /// changes of todos.
  func recordEdit(in number: Int64) throws(TodoError) { try edit.run(.integer(number)) }

  /// Returns the number of a list, and its counts of todos and of changes; `nil` if nothing was
  /// ever stored in the list.
  func state(of list: TodoListKey) throws(TodoError) -> ListState? {
    try counts.first(.text(list.profile), .text(list.source)) { row in
      ListState(
        number: row.integer(0), total: row.count(1), done: min(row.count(2), row.count(1)),
        versions: ListVersions(
          order: row.integer(3), text: row.integer(4), edit: row.integer(5)))
    }
  }
}

/// The number of a list, and its counts of todos and of changes. The database maintains the counts,
/// so that reading a page requires no counting.
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

  /// Returns the key of the cached order for a query.
  ///
  /// - Parameter isDone: The done state of the todos in the order; `nil` for all todos.
  func key(_ query: TodoQuery, isDone: Bool? = nil) -> ListOrders.Key {
    ListOrders.Key(list: number, isDone: isDone, sort: query.sort)
  }
}

/// The counts of the changes of a list so far, by kind of change. Each change is counted in the
/// transaction that makes the change, by SQL triggers or by `ListTable.recordEdit`.
struct ListVersions: Equatable {
  /// The number of additions, removals, restorations and moves of todos.
  var order: Int64
  /// The number of changes of titles or notes.
  var text: Int64
  /// The number of changes of existing todos, and of data other than todos.
  var edit: Int64
}
