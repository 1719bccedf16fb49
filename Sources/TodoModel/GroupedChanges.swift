/// Changes of several todos of a list in one transaction. One undo reverses all of them.
///
/// ```swift
/// guard let groups = store.groups else { return }
/// let removed = try groups.change([milk.id, rent.id], .remove, in: list)
/// ```
package protocol GroupedChanges: Sendable {
  /// Changes all the given todos, or none of them.
  ///
  /// - Parameter ids: The todos to change, without duplicates.
  /// - Returns: The todos after the change, in the order of `ids`; for a removal, the todos as they
  ///   were before.
  /// - Throws: `notFound`, with the id in `item`, if a todo is not in the list; `validation` if the
  ///   change is invalid.
  func change(
    _ ids: [TodoID], _ change: GroupChange, in list: TodoListKey
  ) throws(TodoError) -> [Todo]
}

/// A change to apply to each todo of a group.
package enum GroupChange: Sendable, Equatable {
  /// Marks all todos as done if at least one of them is open; otherwise reopens all.
  case toggle
  /// Changes one field of each todo in the same way.
  case adjust(FieldAdjustment)
  case remove

  /// Returns the edit for each todo, or `nil` for a removal. The edits are valid only for the given
  /// versions of the todos.
  ///
  /// - Throws: `validation` if the text of the adjustment is invalid.
  package func edits(of todos: [Todo], on today: CivilDay) throws(TodoError) -> [TodoEdit?] {
    switch self {
    case .toggle:
      let edit = TodoEdit(isDone: todos.contains { !$0.content.isDone })
      return todos.map { _ in edit }
    case .adjust(let adjustment):
      return try todos.map { todo throws(TodoError) in try adjustment.edit(of: todo, on: today) }
    case .remove: return todos.map { _ in nil }
    }
  }
}

extension TodoError {
  /// Returns the error for a change of several todos if the todo `id` no longer exists.
  package static func gone(_ id: TodoID) -> TodoError {
    var error = TodoError(
      .notFound, "One of these todos was removed elsewhere. Nothing was changed.")
    error.item = id
    return error
  }
}
