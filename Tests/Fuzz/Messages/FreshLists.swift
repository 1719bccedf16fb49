import Synchronization
import TodoDatabase
import TodoModel
import TodoStores

/// Lists in their initial state, in a shared store: the list of `ann` has two todos, and all other
/// lists are empty.
///
/// Creating the tables of a store takes longer than the checks of a hundred inputs, so inputs share
/// a store. After an input that has changed its lists, the next input gets new lists. So no input
/// depends on earlier inputs.
final class FreshLists: TodoStore, LocalReads {
  private struct Shared {
    var store: SQLiteStore?
    var number = 0
    var isChanged = true
    var idCount = 0
  }

  private static let shared = Mutex(Shared())
  /// The number of lists after which the store is replaced, before it grows large.
  private static let listsOfStoreMax = 2_000
  private static let environment = Environment(
    now: { Timestamp(milliseconds: 0) },
    newID: {
      shared.withLock { shared in
        shared.idCount += 1
        return TodoID("t\(shared.idCount)")
      }
    }, offload: .inline)

  var days: DayClock { Self.environment.days }
  private let store: SQLiteStore
  private let number: Int

  init() throws(TodoError) {
    let (known, number, isChanged) = Self.shared.withLock { shared in
      if shared.isChanged { shared.number += 1 }
      if shared.number % Self.listsOfStoreMax == 0 { shared.store = nil }
      return (shared.store, shared.number, shared.isChanged)
    }
    self.number = number
    if let known {
      store = known
    } else {
      let new = try SQLiteStore(at: .memory, environment: Self.environment)
      Self.shared.withLock { $0.store = new }
      store = new
    }
    guard isChanged else { return }
    Self.shared.withLock { $0.idCount = 0 }
    let ann = TodoListKey(profile: "ann", source: "")
    for (title, note) in [("Milk", ""), ("Bread", "rye")] {
      _ = try add(NewTodo(title: title, note: note), to: ann)
    }
    Self.shared.withLock { $0.isChanged = false }
  }

  /// Records that an input changes the lists, and returns the key of the list in the shared store.
  private func changing(_ list: TodoListKey) -> TodoListKey {
    Self.shared.withLock { $0.isChanged = true }
    return fresh(list)
  }

  private func fresh(_ list: TodoListKey) -> TodoListKey {
    TodoListKey(profile: "\(number) \(list.profile)", source: list.source)
  }

  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo> {
    try store.todos(query, in: fresh(list))
  }

  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try store.todo(id, in: fresh(list))
  }

  func add(_ draft: NewTodo, to list: TodoListKey) throws(TodoError) -> Todo {
    try store.add(draft, to: changing(list))
  }

  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) throws(TodoError) -> Todo {
    try store.edit(id, edit, in: changing(list))
  }

  func remove(_ id: TodoID, expectedVersion: Int64?, in list: TodoListKey) throws(TodoError) {
    try store.remove(id, expectedVersion: expectedVersion, in: changing(list))
  }

  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow> {
    try store.rows(query, in: fresh(list))
  }

  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try store.position(of: id, query, in: fresh(list))
  }

  func labels(in list: TodoListKey) throws(TodoError) -> [String] {
    try store.labels(in: fresh(list))
  }

  var localReads: (any LocalReads)? { self }
  var history: (any TodoHistory)? { self }
}

extension FreshLists: TodoHistory {
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try store.undo(in: changing(list))
  }

  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    try store.undo(id, version: version, in: changing(list))
  }

  func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try store.redo(in: changing(list))
  }
}
