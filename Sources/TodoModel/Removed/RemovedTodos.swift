/// The todos that left a list, for as long as they can come back.
///
/// ```swift
/// guard let removed = store.removedTodos else { throw .noRemovedTodos }
/// let todo = try removed.restore(id, in: list)
/// ```
package protocol RemovedTodos: Sendable {
  /// Returns the todos that left a list within `RemovedTodo.daysMax`, newest first, at most
  /// `RemovedTodo.countMax`.
  func removedTodos(in list: TodoListKey) throws(TodoError) -> [RemovedTodo]

  /// Restores a removed todo with its id, note, history and position, as a new version. An undo
  /// removes it again. If its source closed the item, the next sync reopens it; if the source
  /// deleted it, the next sync creates a new one.
  ///
  /// - Throws: `notFound` if there is no such removed todo; `validation` if it is in the list.
  func restore(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo

  /// Deletes a removed todo, its changes and its drafts. Nothing can bring it back.
  ///
  /// - Throws: As `restore`; `validation` also for a removal that its source does not have yet.
  func forget(_ id: TodoID, in list: TodoListKey) throws(TodoError)
}

/// A todo that left its list.
package struct RemovedTodo: Sendable, Equatable {
  package var id: TodoID
  package var title: String
  /// The number and the page of its item at the source, if that still has it.
  package var origin: TodoOrigin?
  package var reason: RemovalReason
  /// The author of the removal.
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

  /// The most todos of a list that are offered to be restored.
  package static let countMax = 1_000
  /// The days for which they are offered.
  package static let daysMax: Int64 = 30
}

/// Why a todo left its list.
package enum RemovalReason: String, Sendable, CaseIterable {
  /// A user, a program or an assistant removed it.
  case removed
  /// Its source closed it.
  case closed
  /// Its source deleted it.
  case deleted
  /// It is in the list, but its item is no longer in the view of the source. It cannot be restored.
  case leftFilter
}

/// Some of the removed todos of a list.
package struct RemovedPage: Sendable, Equatable {
  package var todos: [RemovedTodo]
  package var total: Int
  package var offset: Int

  /// A part of all removed todos, newest first.
  ///
  /// - Parameter limit: `nil` for the rest.
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
