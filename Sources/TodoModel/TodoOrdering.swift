/// The order of a list, which its user can change.
///
/// ```swift
/// guard let ordering = store.ordering else { return }
/// let todo = try ordering.move(milk.id, to: .before(rent.id), in: list)
/// ```
///
/// A move changes neither the version of a todo nor anything at a source. Of two moves the later wins.
package protocol TodoOrdering: Sendable {
  /// Moves a todo next to another one of its list. Throws `notFound` if the list does not have both.
  func move(_ id: TodoID, to target: MoveTarget, in list: TodoListKey) throws(TodoError) -> Todo

  /// Moves a todo past the one that is shown above or below it, but not further than into the next
  /// section: there it is the last or the first one. Throws `notFound`.
  ///
  /// - Parameter query: The query of the shown part of the list.
  func move(
    _ id: TodoID, _ direction: MoveDirection, among query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Todo
}

/// The new position of a todo.
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
  /// The todo that is shown next to another one; `nil` at the end of the list.
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
