/// Access to the log of all changes in a store, for clients that watch the log.
///
/// ```swift
/// var position = try feed.endPosition()
/// for change in try feed.changes(after: position, limit: 100) { position = change.position }
/// ```
package protocol ChangeFeed: Sendable {
  /// Returns the position of the newest change in the log; 0 if the log is empty.
  func endPosition() throws(TodoError) -> Int64

  /// Returns the changes of all lists after a position: at most `limit`, oldest first.
  func changes(after position: Int64, limit: Int) throws(TodoError) -> [LoggedChange]

  /// Watches the log: calls `onChange` within milliseconds after any process, including this one,
  /// has added changes after `position`. One call may stand for several changes.
  ///
  /// Returns when the calling task is cancelled. For a store in memory, it returns immediately,
  /// because only the calling process can change such a store.
  func watchLog(after position: Int64, _ onChange: @escaping @Sendable () -> Void) async
}

/// An entry of the log of changes.
package struct LoggedChange: Sendable, Equatable {
  /// The position of this change in the log. Later changes have greater positions.
  package var position: Int64
  package var list: TodoListKey
  package var id: TodoID
  /// The todo's version after the change.
  package var version: Int64
  package var kind: ChangeKind
  package var author: ChangeAuthor

  package init(
    position: Int64, list: TodoListKey, id: TodoID, version: Int64, kind: ChangeKind,
    author: ChangeAuthor
  ) {
    self.position = position
    self.list = list
    self.id = id
    self.version = version
    self.kind = kind
    self.author = author
  }
}

/// The effect of a change on a todo, as the log stores it.
package enum ChangeKind: String, Sendable, CaseIterable {
  case add, edit, done, remove
  /// A removed todo was restored.
  case restore
  /// The todo was moved within its list. A move does not change the version of the todo.
  case move
}

/// The changes that a client watches: all changes of `lists` after `position`.
package struct WatchedChanges: Sendable, Equatable {
  package var lists: [TodoListKey]
  package var position: Int64

  package init(lists: [TodoListKey], position: Int64) {
    self.lists = lists
    self.position = position
  }
}

extension TodoError {
  package static let noChangeLog = TodoError(
    .validation,
    "This store keeps no log of changes, so it cannot be watched. Use a store in a file or in memory."
  )
}
