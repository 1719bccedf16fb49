import TodoModel

/// The author, the time and the list of the changes of one transaction.
struct ChangeOrigin {
  /// The number of the list.
  var list: Int64
  var author: ChangeAuthor
  var at: Timestamp
  /// The session that can undo the changes; `nil` for changes of a source.
  var session: HistorySession?
  /// The change that is undone or redone; `nil` for other changes.
  var reversal: Reversal?
  /// The group of the changes, see `ChangeLog.group`; `nil` if each one is undone separately.
  var group: Int64?

  struct Reversal {
    var direction: HistoryDirection
    var sequence: Int64
  }

  static func source(_ list: Int64, at now: Timestamp) -> ChangeOrigin {
    ChangeOrigin(list: list, author: .source, at: now)
  }
}

/// The changes that an undo can reverse: those of this open store, and those that the user's lists
/// had before this store first used them. Later changes of another server are undone by that
/// server.
struct HistorySession {
  /// A random number that identifies this open store.
  var number: Int64
  /// The lists of one user that this store has used.
  var lists: [UsedList]

  struct UsedList: Equatable {
    var key: TodoListKey
    /// The sequence number of the last change at the first use of the list by this store.
    var start: Int64
  }
}
