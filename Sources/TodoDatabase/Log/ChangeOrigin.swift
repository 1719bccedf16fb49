import TodoModel

/// The list, the author and the time of the changes of one transaction.
struct ChangeOrigin {
  /// The number of the list.
  var list: Int64
  var author: ChangeAuthor
  var at: Timestamp
  /// The session that can undo the changes; `nil` for changes that cannot be undone, such as those
  /// by a source.
  var session: HistorySession?
  /// The change that this change undoes or redoes; `nil` for other changes.
  var reversal: Reversal?
  /// The group of the changes (see `ChangeLog.group`); `nil` if each change is undone separately.
  var group: Int64?

  struct Reversal {
    var direction: HistoryDirection
    var sequence: Int64
  }

  static func source(_ list: Int64, at now: Timestamp) -> ChangeOrigin {
    ChangeOrigin(list: list, author: .source, at: now)
  }
}

/// The changes that an undo can reverse: the changes made through this open store, and the changes
/// that the user's lists already had when this store first used the lists. A later change by
/// another server can be undone only by that server.
struct HistorySession {
  /// A random number that identifies this open store.
  var number: Int64
  /// The lists of one user that this store has used.
  var lists: [UsedList]

  struct UsedList: Equatable {
    var key: TodoListKey
    /// The sequence number of the newest change when this store first used the list.
    var start: Int64
  }
}
