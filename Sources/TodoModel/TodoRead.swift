/// A read of a list, as a value that can be sent to another thread.
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

  /// The smallest number of todos for which a read counts as slow. Sorting or searching this many
  /// todos takes about 5 ms, which is too long for the main thread.
  package static let slowCountMin = 5_000
}

/// Synchronous reads of a store on this machine.
package protocol LocalReads: Sendable {
  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo>
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo

  /// Returns the content of a todo at an earlier version; `nil` if this version is not stored.
  func content(
    of id: TodoID, at version: Int64, in list: TodoListKey
  ) throws(TodoError) -> TodoContent?

  /// Returns the same todos as `todos`, but as rows: without notes, and with previews if the query
  /// includes them.
  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow>

  /// Returns the position of a todo in the result of a query: the number of matching todos before
  /// it. The todo itself must have the done state that the query requires, but does not have to
  /// match the rest of the query.
  ///
  /// - Returns: `nil` if the todo is not in the list, or does not have the required done state.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int?

  /// Returns the labels that are suggested to the user for todos of a list, sorted.
  func labels(in list: TodoListKey) throws(TodoError) -> [String]

  /// Returns whether the user has only read access to the list at its source.
  func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool
}

extension LocalReads {
  package func content(
    of id: TodoID, at version: Int64, in list: TodoListKey
  ) throws(TodoError) -> TodoContent? { nil }

  package func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool { false }
}

/// Reads that are too slow for the main thread, and can run on another thread.
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
  /// Returns whether a read is slow: it must sort or search many todos, and no earlier read of the
  /// same data has cached their order. This check is fast, because it compares only counts.
  func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool

  func answer(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> TodoRead.Answer

  /// Returns a snapshot of a list; `nil` if the list cannot be read on another thread.
  func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)?
}

/// A snapshot of a list, which can be read on any thread.
package protocol TodoReader: Sendable {
  /// Answers a read from the snapshot.
  ///
  /// - Throws: `storage`, also if the read was cancelled.
  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer

  /// Cancels a running read. Can be called on any thread.
  func cancel()
}
