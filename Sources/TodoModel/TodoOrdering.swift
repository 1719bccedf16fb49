/// Moves of todos within a list, by which the user changes the order of the list.
///
/// ```swift
/// guard let ordering = store.ordering else { return }
/// let todo = try ordering.move(milk.id, to: .before(rent.id), in: list)
/// ```
///
/// A move does not change the version of the todo, and is not sent to the source. If two processes
/// move the same todo, the later move wins.
package protocol TodoOrdering: Sendable {
  /// Moves a todo directly before or after another todo of its list, and returns the moved todo.
  ///
  /// - Throws: `notFound` if one of the todos is not in the list.
  func move(_ id: TodoID, to target: MoveTarget, in list: TodoListKey) throws(TodoError) -> Todo

  /// Moves a todo past the next visible todo above or below it, and returns the moved todo. If a
  /// heading is nearer than the next visible todo, the todo moves only past the heading. It becomes
  /// the last todo of the section above, or the first visible todo of the section below.
  ///
  /// - Parameter query: The query that selects the visible todos.
  /// - Throws: `notFound` if the todo is not in the list.
  func move(
    _ id: TodoID, _ direction: MoveDirection, among query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Todo
}

/// The new position of a todo, next to another todo.
package enum MoveTarget: Sendable, Equatable {
  case before(TodoID)
  case after(TodoID)

  package var id: TodoID {
    switch self {
    case .before(let id), .after(let id): id
    }
  }
}

package enum MoveDirection: Sendable { case up, down }

extension TodoError {
  package static let noOrdering = TodoError(
    .validation, "This store keeps the order of the source, so a todo cannot be moved.")
}

extension LocalReads {
  /// Returns the todo directly above or below a todo in the result of a query; `nil` if the todo is
  /// the first or the last.
  package func neighbor(
    of id: TodoID, _ direction: MoveDirection, among query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoID? {
    guard let position = try position(of: id, query, in: list) else { throw .todoNotFound }
    var query = query
    query.offset = direction == .up ? position - 1 : position + 1
    query.limit = 1
    return query.offset < 0 ? nil : try rows(query, in: list).elements.first?.id
  }
}
