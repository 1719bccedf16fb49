/// Access to the todos that were removed from a list, as long as they can be restored.
///
/// ```swift
/// guard let removed = store.removedTodos else { throw .noRemovedTodos }
/// let todo = try removed.restore(id, in: list)
/// ```
package protocol RemovedTodos: Sendable {
  /// Returns the todos that left a list within the last `RemovedTodo.daysMax` days, newest first.
  /// Returns at most `RemovedTodo.countMax` todos.
  func removedTodos(in list: TodoListKey) throws(TodoError) -> [RemovedTodo]

  /// Returns the last version of a todo that has left its list; `nil` if it is not stored.
  func lastVersion(ofRemoved id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo?

  /// Restores a removed todo with its id, note, history and position. The todo gets a new version.
  /// An undo removes the todo again. If the todo's item was closed at the source, the next sync
  /// reopens the item. If the item was deleted at the source, the next sync creates a new item.
  ///
  /// - Throws: `notFound` if there is no such removed todo; `validation` if the todo is in the
  ///   list.
  func restore(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo

  /// Deletes a removed todo permanently, with its changes and drafts.
  ///
  /// - Throws: The errors of `restore`; also `validation` if the removal was not sent to the source
  ///   yet.
  func forget(_ id: TodoID, in list: TodoListKey) throws(TodoError)
}

/// A todo that has left its list.
package struct RemovedTodo: Sendable, Equatable {
  package var id: TodoID
  package var title: String
  /// The item at the source; `nil` if the source has none, because it was deleted or never existed.
  package var origin: TodoOrigin?
  package var reason: RemovalReason
  /// The author of the change that removed the todo.
  package var author: ChangeAuthor
  package var removedAt: Timestamp

  package init(
    id: TodoID, title: String, origin: TodoOrigin? = nil, reason: RemovalReason,
    author: ChangeAuthor, removedAt: Timestamp
  ) {
    self.id = id
    self.title = title
    self.origin = origin
    self.reason = reason
    self.author = author
    self.removedAt = removedAt
  }

  /// The maximum number of todos that `removedTodos` returns.
  package static let countMax = 1_000
  /// The number of days for which a removed todo is listed.
  package static let daysMax: Int64 = 30
}

/// The reason why a todo left its list.
package enum RemovalReason: String, Sendable, CaseIterable {
  /// A user, a program or an assistant removed the todo.
  case removed
  /// The item was closed at the source.
  case closed
  /// The item was deleted at the source.
  case deleted
  /// The item no longer matches the filter of the source. The todo is only hidden, so it cannot be
  /// restored.
  case leftFilter
}

/// A page of the removed todos of a list.
package struct RemovedPage: Sendable, Equatable {
  package var todos: [RemovedTodo]
  package var total: Int
  package var offset: Int

  /// Creates a page from all removed todos of a list, which are sorted newest first.
  ///
  /// - Parameter limit: The maximum number of todos on the page; `nil` for no limit.
  package init(_ all: [RemovedTodo], offset: Int, limit: Int?) {
    (total, self.offset) = (all.count, min(offset, all.count))
    todos = Array(all.dropFirst(self.offset).prefix(limit ?? .max))
  }
}

extension TodoError {
  package static let removedNotFound = TodoError(
    .notFound, "There is no removed todo with this id. It may have been forgotten.")
  package static let notRemoved = TodoError(
    .validation, "This todo is in the list: it was not removed.")
  package static let leftFilter = TodoError(
    .validation,
    "This todo left the filter of its list, and comes back when its issue matches again.")
  package static let addingRefused = TodoError(
    .validation, "Todos cannot be added to this list: new issues would not be in it.")
  package static let readOnlyList = TodoError(
    .forbidden, "You may only read this list. Its owner can allow you to change it.")
  package static let removalNotSent = TodoError(
    .validation,
    "The source does not know of this removal yet. Sync first, then the todo can be forgotten.")
  package static let noRemovedTodos = TodoError(
    .validation, "This store keeps no removed todos. Use a store in a file or in memory.")
}
