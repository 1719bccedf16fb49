/// The log of changes, for clients that watch it.
///
/// ```swift
/// var position = try feed.endPosition()
/// for change in try feed.changes(after: position, limit: 100) { position = change.position }
/// ```
package protocol ChangeFeed: Sendable {
  /// Returns the position of the newest change; 0 for an empty log.
  func endPosition() throws(TodoError) -> Int64

  /// Returns at most `limit` changes of all lists after a position, oldest first.
  func changes(after position: Int64, limit: Int) throws(TodoError) -> [LoggedChange]

  /// Calls `onChange` within milliseconds after any process, including this one, has added changes
  /// to the log after a position. One call may report several changes. Returns when its task is
  /// cancelled, or immediately for a store in memory, which only the caller changes.
  func watchLog(after position: Int64, _ onChange: @escaping @Sendable () -> Void) async
}

/// An entry of the log of changes.
package struct LoggedChange: Sendable, Equatable {
  /// The position in the order of all changes.
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
  /// A removed todo came back.
  case restore
  /// The todo got another place in the list, and has the same version.
  case move
}

/// The changes that a client watches: those of some lists after a position.
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
