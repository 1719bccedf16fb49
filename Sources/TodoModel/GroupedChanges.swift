/// Changes of several todos of a list as one: in one transaction, and reversed by one undo.
///
/// ```swift
/// guard let groups = store.groups else { return }
/// let removed = try groups.change([milk.id, rent.id], .remove, in: list)
/// ```
package protocol GroupedChanges: Sendable {
  /// Changes all todos, or none.
  ///
  /// - Parameter ids: Distinct.
  /// - Returns: The todos after the change, in the order of their ids; removed ones as they were last.
  /// - Throws: `notFound`, with the id in `item`, if a todo is not in the list.
  func change(
    _ ids: [TodoID], _ change: GroupChange, in list: TodoListKey
  ) throws(TodoError) -> [Todo]
}

/// A change of several todos.
package enum GroupChange: Sendable, Equatable {
  /// Ticks all off if any is open; otherwise opens all.
  case toggle
  /// Makes the same edit in each. Its expected version is not used.
  case edit(TodoEdit)
  case remove

  /// The edit of each todo, in their order; `nil` for a removal.
  package func edits(of todos: [Todo]) -> [TodoEdit]? {
    switch self {
    case .toggle:
      let isDone = todos.contains { !$0.content.isDone }
      return todos.map { _ in TodoEdit(isDone: isDone) }
    case .edit(let edit): return todos.map { _ in edit }
    case .remove: return nil
    }
  }
}

extension TodoError {
  /// The failure of a group of which a todo is gone.
  package static func gone(_ id: TodoID) -> TodoError {
    var error = TodoError(
      .notFound, "One of these todos was removed elsewhere. Nothing was changed.")
    error.item = id
    return error
  }
}
