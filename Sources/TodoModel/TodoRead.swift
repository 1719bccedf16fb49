/// A read of a list as a value.
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

  /// The number of todos from which a sort or a search is too slow for the main thread, as it takes
  /// about 5 ms.
  package static let slowCountMin = 5_000
}

/// Synchronous reads of a store on this machine.
package protocol LocalReads: Sendable {
  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo>
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo

  /// Returns the todos without their notes, in the same order as `todos`.
  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow>

  /// Returns the position of a todo in the result of a query: the number of matching todos before
  /// it. The todo itself does not have to match the words of the query.
  ///
  /// - Returns: `nil` if the todo is not in the list, or does not have the done state that the
  ///   query requires.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int?

  /// Returns the labels of a list that are suggested to the user, sorted.
  func labels(in list: TodoListKey) throws(TodoError) -> [String]

  /// Whether the user may only read the list at its source.
  func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool
}

extension LocalReads {
  package func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool { false }
}

/// Slow reads that can run on another thread.
///
/// ```swift
/// if try reads.isSlow(read, in: list), let reader = try reads.reader(of: list) {
///   // On the main thread, when this read is next in the queue: `reader` is a snapshot.
///   run { try reader.answer(read) }   // on any thread; `reader.cancel()` stops it immediately
/// } else {
///   try reads.answer(read, in: list)
/// }
/// ```
package protocol BackgroundReads: Sendable {
  /// Whether a read is slow: it has to sort or search many todos, and no order from an earlier read
  /// of the unchanged list is cached. The check itself is fast, because it compares only counts.
  func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool

  func answer(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> TodoRead.Answer

  /// Returns a snapshot of a list; `nil` if it cannot be read on another thread.
  func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)?
}

/// A snapshot of a list, taken when the reader was created.
package protocol TodoReader: Sendable {
  /// Answers a read from the snapshot.
  ///
  /// - Throws: `storage`, also for a read that was cancelled.
  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer

  /// Cancels a read that is running. May be called on any thread.
  func cancel()
}
