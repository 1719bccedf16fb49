import TodoModel

/// The rows of a list as state: shared, and compared by identity first, so that a change elsewhere
/// in the state costs nothing however long the list is.
package struct TodoRows: Sendable, Equatable {
  private final class Storage: Sendable {
    let rows: [TodoRow]
    init(_ rows: [TodoRow]) { self.rows = rows }
  }

  private let storage: Storage

  package init(_ rows: [TodoRow] = []) { storage = Storage(rows) }

  package var all: [TodoRow] { storage.rows }

  /// With a new row at the top, and nowhere else: a load may have brought it already.
  func adding(_ row: TodoRow) -> TodoRows { TodoRows([row] + all.filter { $0.id != row.id }) }

  /// With one row replaced; the same when the list does not show it.
  func replacing(_ row: TodoRow) -> TodoRows {
    guard let index = index(of: row.id), all[index] != row else { return self }
    var rows = all
    rows[index] = row
    return TodoRows(rows)
  }

  /// Without one row.
  func removing(_ id: TodoID) -> TodoRows {
    guard let index = index(of: id) else { return self }
    var rows = all
    rows.remove(at: index)
    return TodoRows(rows)
  }

  private func index(of id: TodoID) -> Int? { all.firstIndex { $0.id == id } }

  package static func == (a: TodoRows, b: TodoRows) -> Bool {
    a.storage === b.storage || a.storage.rows == b.storage.rows
  }
}
