import TodoModel

/// The author, the time and the list of the changes of one transaction.
struct ChangeOrigin {
  /// The number of the list.
  var list: Int64
  var author: ChangeAuthor
  var at: Timestamp
  /// The session that can undo the changes; `nil` for changes of a source.
  var session: HistorySession?
  /// The change that is undone or redone.
  var reversal: Reversal?
  /// The group of the changes, see `ChangeLog.group`; `nil` if each is a step of its own.
  var group: Int64?

  struct Reversal {
    var direction: HistoryDirection
    var sequence: Int64
  }

  static func source(_ list: Int64, at now: Timestamp) -> ChangeOrigin {
    ChangeOrigin(list: list, author: .source, at: now)
  }
}

/// The changes that an undo reverts: those of this open store, and those that the lists of the user had
/// before this store first used them. Another server's changes since are for that server to undo.
struct HistorySession {
  /// The number of this open store among all that ever were.
  var number: Int64
  /// The lists of one user that this store has used.
  var lists: [UsedList]

  struct UsedList: Equatable {
    var key: TodoListKey
    /// The sequence of the last change when this store first used the list.
    var start: Int64
  }
}
