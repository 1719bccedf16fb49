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

/// A store whose long answers can be read on another thread.
///
/// ```swift
/// if try store.isSlow(read, in: list), let reader = try store.reader(of: list) {
///   // At its turn, on the deciding thread: `reader` is the list as it is now.
///   run { try reader.answer(read) }   // on any thread; `reader.cancel()` ends it at once
/// } else {
///   try store.answer(read, in: list)
/// }
/// ```
package protocol SlowReadingStore: Sendable {
  /// Whether an answer takes long: it has to be sorted or searched for among many, and that has not
  /// been done since the list changed last. It looks at counts only.
  func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool

  func answer(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> TodoRead.Answer

  /// A list as it is now; nil where a store cannot be read on another thread.
  func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)?
}

/// A list as it was when the reader was made.
package protocol TodoReader: Sendable {
  /// Throws `storage`, also after `cancel`.
  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer

  /// Ends an answer that is under way, from any thread.
  func cancel()
}

/// A store whose answers never take long.
extension LocalTodoStore {
  package func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool { false }

  package func answer(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> TodoRead.Answer {
    switch read {
    case .todos(let query): .todos(try todos(query, in: list))
    case .rows(let query): .rows(try rows(query, in: list))
    case .position(let id, let query): .position(try position(of: id, query, in: list))
    }
  }

  package func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)? { nil }
}
