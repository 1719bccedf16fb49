/// What can be asked of a list without changing it.
package enum TodoRead: Sendable, Equatable {
  case todos(TodoQuery)
  case rows(TodoQuery)
  case position(TodoID, TodoQuery)

  package enum Answer: Sendable, Equatable {
    case todos(TodoPage<Todo>)
    case rows(TodoPage<TodoRow>)
    case position(Int?)
  }

  package var query: TodoQuery {
    switch self {
    case .todos(let query), .rows(let query), .position(_, let query): query
    }
  }

  /// From so many todos on, to sort or to search takes longer than a person should wait for the
  /// thread that decides everything: some 5 ms.
  package static let slowCountMin = 5_000
}

/// Reads that a store on this machine answers without waiting for anybody.
package protocol LocalReads: Sendable {
  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo>
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo

  /// The list without its notes, in the same order as `todos`.
  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow>

  /// The number of todos that match the query and come before one, whether or not it has the query's
  /// words; `nil` if the list, or the part of it that `isDone` selects, does not contain it.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int?

  /// The labels of a list that a user may be offered, in their order.
  func labels(in list: TodoListKey) throws(TodoError) -> [String]
}

/// Long reads on another thread.
///
/// ```swift
/// if try reads.isSlow(read, in: list), let reader = try reads.reader(of: list) {
///   // At its turn, on the deciding thread: `reader` is the list as it is now.
///   run { try reader.answer(read) }   // on any thread; `reader.cancel()` ends it at once
/// } else {
///   try reads.answer(read, in: list)
/// }
/// ```
package protocol BackgroundReads: Sendable {
  /// Whether an answer takes long: it has to be sorted or searched for among many, and that has not
  /// been done since the list changed last. It looks at counts only.
  func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool

  func answer(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> TodoRead.Answer

  /// A list as it is now; `nil` if it cannot be read on another thread.
  func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)?
}

/// A list as it was when the reader was made.
package protocol TodoReader: Sendable {
  /// Throws `storage`, also after `cancel`.
  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer

  /// Ends an answer that is under way, from any thread.
  func cancel()
}
