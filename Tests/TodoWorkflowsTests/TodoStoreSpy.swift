import Synchronization
import TestSupport
import TodoModel

/// Records the calls of a store in memory, and fails on demand.
final class TodoStoreSpy: TodoStore {
  enum Call: Sendable, Equatable {
    case todos, rows, position, undo, redo
    case todo(TodoID)
    case add(NewTodo)
    case edit(TodoID, TodoEdit)
    case remove(TodoID, expectedVersion: Int64?)
    case group([TodoID], GroupChange)
  }

  enum Capability { case localReads, history, groups, sharedFile }

  let journal: (any SyncJournal)?
  private let memory = MemoryTodoStore(environment: .counting())
  private let capabilities: Set<Capability>
  private let recorded = Mutex<[Call]>([])
  private let failure = Mutex<TodoError?>(nil)

  /// - Parameter capabilities: By default, those of a store on this machine.
  init(
    _ titles: [String] = [], in list: TodoListKey = .local,
    offering capabilities: Set<Capability> = [.localReads, .history, .groups, .sharedFile],
    journal: (any SyncJournal)? = nil
  ) {
    (self.capabilities, self.journal) = (capabilities, journal)
    for title in titles.reversed() {
      _ = try? memory.add(NewTodo(title: title), to: list)
    }
  }

  /// All calls, in order.
  var calls: [Call] { recorded.withLock { $0 } }

  /// Makes all later calls throw an error, or succeed again if the error is `nil`.
  func fail(_ failure: TodoError?) { self.failure.withLock { $0 = failure } }

  // The contents, without a call.

  func all(in list: TodoListKey = .local) -> [Todo] {
    (try? memory.todos(TodoQuery(limit: .max), in: list).elements) ?? []
  }

  func rows(in list: TodoListKey = .local) -> [TodoRow] { all(in: list).map { TodoRow($0) } }

  private func record(_ call: Call) throws(TodoError) {
    recorded.withLock { $0.append(call) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  // MARK: TodoStore

  let days = DayClock.fixed(.sample)

  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo> {
    try record(.todos)
    return try memory.todos(query, in: list)
  }

  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try record(.todo(id))
    return try memory.todo(id, in: list)
  }

  func add(_ draft: NewTodo, to list: TodoListKey) throws(TodoError) -> Todo {
    try record(.add(draft))
    return try memory.add(draft, to: list)
  }

  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) throws(TodoError) -> Todo {
    try record(.edit(id, edit))
    return try memory.edit(id, edit, in: list)
  }

  func remove(_ id: TodoID, expectedVersion: Int64?, in list: TodoListKey) throws(TodoError) {
    try record(.remove(id, expectedVersion: expectedVersion))
    try memory.remove(id, expectedVersion: expectedVersion, in: list)
  }

  // MARK: Capabilities

  var localReads: (any LocalReads)? { capabilities.contains(.localReads) ? self : nil }
  var history: (any TodoHistory)? { capabilities.contains(.history) ? self : nil }
  var groups: (any GroupedChanges)? { capabilities.contains(.groups) ? self : nil }
  var sharedFile: (any SharedStoreFile)? { capabilities.contains(.sharedFile) ? self : nil }
}

extension TodoStoreSpy: LocalReads {
  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow> {
    try record(.rows)
    return try memory.rows(query, in: list)
  }

  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try record(.position)
    return try memory.position(of: id, query, in: list)
  }

  func labels(in list: TodoListKey) throws(TodoError) -> [String] { try memory.labels(in: list) }
}

extension TodoStoreSpy: GroupedChanges {
  func change(
    _ ids: [TodoID], _ change: GroupChange, in list: TodoListKey
  ) throws(TodoError) -> [Todo] {
    try record(.group(ids, change))
    return try memory.change(ids, change, in: list)
  }
}

/// A history without changes.
extension TodoStoreSpy: TodoHistory {
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try record(.undo)
    throw .nothingToUndo
  }

  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    try record(.undo)
    throw .nothingOwnToUndo
  }

  func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try record(.redo)
    throw .nothingToRedo
  }
}

/// No other process changes anything.
extension TodoStoreSpy: SharedStoreFile {
  func watchChanges(_ onChange: @escaping @Sendable () -> Void) async {}
  func close() {}
}
