/// Where todos are kept: in memory, in SQLite, or at GitHub. One suite of tests runs over all.
///
/// A change that has returned is kept as well as the store can keep it (SQLite: on disk).
package protocol TodoStore: Sendable {
  /// Whole todos, in the list's order: what was added here first, the newest at the top, then what
  /// was loaded, in the source's own order.
  func todos(_ query: TodoQuery, in list: TodoListKey) async throws(TodoError) -> TodoPage<Todo>

  /// One todo. Throws `notFound`.
  func todo(_ id: TodoID, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Adds a todo at the top of the list.
  func add(_ draft: TodoDraft, to list: TodoListKey) async throws(TodoError) -> Todo

  /// Changes a todo. Throws `notFound`, or `conflict` when it has moved on from the expected
  /// version; then nothing is changed. An edit that changes nothing returns the todo as it is.
  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Removes a todo. Throws `notFound`, or `conflict` as `edit` does.
  func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) async throws(TodoError)
}

/// Undo and redo of local changes. One order has the changes of all lists of a user that this store has
/// used.
package protocol TodoHistory: Sendable {
  /// Reverts the change by the user of this list that was made (or redone) last, in any of their
  /// lists, here or before this store first used the list; what others have done since is theirs to
  /// undo. It is a merge: only the fields that the change altered are touched. The todo gets its place
  /// back, and a new version.
  ///
  /// Throws `nothingToUndo`; `conflict` when one of these fields was changed elsewhere since: then
  /// nothing is changed, "mine" is the state before the change and "base" the one after it, and the
  /// next undo skips the change; `notFound` when the todo is gone, which also skips the change.
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo

  /// Takes back the change of one todo that was made last over this open store. What was changed
  /// before it was opened, or by somebody else, is never taken back.
  ///
  /// - Parameter version: the todo's, as whoever asks knows it; where it is removed, that which it
  ///   had before may be named as well. Another one is a conflict.
  ///
  /// Throws as `undo`.
  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo

  /// Makes the change again that was undone last, until another change is made. Throws as `undo`.
  func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo
}

/// A store on this machine: it answers without waiting for anybody, lists rows without their
/// notes, and keeps what a source delivered beside what was changed here.
package protocol LocalTodoStore: TodoStore, TodoHistory, SlowReadingStore {
  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo>
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo
  func add(_ draft: TodoDraft, to list: TodoListKey) throws(TodoError) -> Todo
  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) throws(TodoError) -> Todo
  func remove(_ id: TodoID, expectedVersion: Int64?, in list: TodoListKey) throws(TodoError)

  /// The list without its notes, in the same order as `todos`.
  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow>

  /// How many of the todos that match the query come before one, whether or not it has the query's
  /// words; nil when the list, or what `isDone` leaves of it, does not have that one.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int?

  /// Calls `onChange` after another program has changed what this store keeps: at most 10 times a
  /// second, and at once for what was changed since the store was opened or last watched. Returns
  /// when its task is cancelled, or at once where nobody else can change anything.
  func watchChanges(_ onChange: @escaping @Sendable () -> Void) async

  /// Tidies up, as the last thing that is asked: afterwards a copy of the file alone has everything.
  /// It waits for nobody.
  func tidyUp()
}

/// A store that keeps no history and that nobody else uses.
extension LocalTodoStore {
  package func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    throw .nothingToUndo
  }

  package func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    throw .nothingToUndo
  }

  package func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    throw .nothingToRedo
  }

  package func watchChanges(_ onChange: @escaping @Sendable () -> Void) async {}

  package func tidyUp() {}
}

extension TodoError {
  package static let nothingOwnToUndo = TodoError(
    .nothingToUndo, "Nothing that was done to this todo from here is left to undo.")
  package static let nothingToUndo = TodoError(.nothingToUndo, "There is nothing to undo.")
  package static let nothingToRedo = TodoError(.nothingToUndo, "There is nothing to redo.")
}
