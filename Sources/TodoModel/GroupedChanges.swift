/// Changes of several todos of a list as one: in one transaction, and reversed by one undo.
///
/// ```swift
/// guard let groups = store.groups else { return }
/// let removed = try groups.change([milk.id, rent.id], .remove, in: list)
/// ```
package protocol GroupedChanges: Sendable {
  /// Changes all given todos, or none of them.
  ///
  /// - Parameter ids: The ids of the todos, each once.
  /// - Returns: The todos after the change, in the order of the ids; a removed one as it was
  ///   before.
  /// - Throws: `notFound`, with the id in `item`, if a todo is not in the list; `validation`.
  func change(
    _ ids: [TodoID], _ change: GroupChange, in list: TodoListKey
  ) throws(TodoError) -> [Todo]
}

/// A change of several todos.
package enum GroupChange: Sendable, Equatable {
  /// Marks all as done if any of them is open; otherwise reopens all.
  case toggle
  /// Makes the same change of a field in each.
  case adjust(FieldAdjustment)
  case remove

  /// Returns the edit of each todo, without an expected version; `nil` for a removal.
  ///
  /// - Throws: `validation` for a text without a meaning.
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
  /// The error if a todo of the group is no longer in the list.
  package static func gone(_ id: TodoID) -> TodoError {
    var error = TodoError(
      .notFound, "One of these todos was removed elsewhere. Nothing was changed.")
    error.item = id
    return error
  }
}
