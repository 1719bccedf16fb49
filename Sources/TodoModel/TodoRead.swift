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

  /// The number of todos from which sorting or searching takes too long for the main thread: about
  /// 5 ms.
  package static let slowCountMin = 5_000
}

/// Reads that a store on this machine answers without waiting.
package protocol LocalReads: Sendable {
  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo>
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo

  /// Returns the list without notes, in the same order as `todos`.
  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow>

  /// Returns the number of matching todos before one, whether or not that one matches the words of
  /// the query; `nil` if the list, or the part of it that `isDone` selects, does not contain it.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int?

  /// Returns the labels of a list to suggest to the user, in their order.
  func labels(in list: TodoListKey) throws(TodoError) -> [String]

  /// Whether the user may only read the list at its source.
  func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool
}

extension LocalReads {
  package func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool { false }
}

/// Long reads that can run on another thread.
///
/// ```swift
/// if try reads.isSlow(read, in: list), let reader = try reads.reader(of: list) {
///   // At its turn, on the main thread: `reader` is a snapshot of the list.
///   run { try reader.answer(read) }   // on any thread; `reader.cancel()` stops it immediately
/// } else {
///   try reads.answer(read, in: list)
/// }
/// ```
package protocol BackgroundReads: Sendable {
  /// Whether a read takes long: it has to sort or search many todos, and this has not been done
  /// since the last change of the list. Checks only counts.
  func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool

  func answer(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> TodoRead.Answer

  /// Returns a snapshot of a list; `nil` if it cannot be read on another thread.
  func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)?
}

/// A snapshot of a list, taken when the reader was created.
package protocol TodoReader: Sendable {
  /// Throws `storage`, also after `cancel`.
  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer

  /// Cancels a read that is running. May be called on any thread.
  func cancel()
}
