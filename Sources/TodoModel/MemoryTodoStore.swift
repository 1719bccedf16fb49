import Synchronization

/// A store that keeps its todos only in a dictionary. Only tests use this store. With
/// `--store memory`, the program opens a SQLite store in memory instead.
///
/// ```swift
/// let store = MemoryTodoStore(environment: .live)
/// let todo = try store.add(NewTodo(title: "Buy milk"), to: list)
/// ```
///
/// It has no history and does not sync. Because it stores no earlier versions, conflicts have no
/// base.
package final class MemoryTodoStore: TodoStore, LocalReads {
  private let environment: Environment
  /// The todos of each list, newest first.
  private let lists = Mutex<[TodoListKey: [Todo]]>([:])

  package init(environment: Environment) { self.environment = environment }

  package var localReads: (any LocalReads)? { self }
  package var groups: (any GroupedChanges)? { self }
  package var ordering: (any TodoOrdering)? { self }
  package var days: DayClock { environment.days }

  // MARK: Reading

  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<Todo> {
    try now(list).todos(query, in: list)
  }

  package func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try now(list).todo(id, in: list)
  }

  package func rows(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<TodoRow> {
    try now(list).rows(query, in: list)
  }

  package func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try now(list).position(of: id, query, in: list)
  }

  package func labels(in list: TodoListKey) throws(TodoError) -> [String] {
    try now(list).labels(in: list)
  }

  private func now(_ list: TodoListKey) -> LoadedTodos {
    LoadedTodos(lists.withLock { $0[list] ?? [] }, days: days)
  }

  // MARK: Changing

  package func add(_ draft: NewTodo, to list: TodoListKey) throws(TodoError) -> Todo {
    let now = environment.now()
    let todo = Todo(
      id: environment.newID(),
      content: draft.content, version: 1, createdAt: now, updatedAt: now, origin: nil,
      sync: list.isLocal ? .local : .pending)
    lists.withLock { $0[list, default: []].insert(todo, at: 0) }
    return todo
  }

  package func edit(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    let now = environment.now()
    return try change(id, in: list, expecting: edit.expectedVersion, by: edit) {
      (todos, index, merged) throws(TodoError) in
      let content = merged ?? edit.applied(to: todos[index].content)
      todos[index].change(to: try edit.appending(to: content), at: now)
      return todos[index]
    }
  }

  package func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) throws(TodoError) {
    _ = try change(id, in: list, expecting: expectedVersion) { todos, index, _ in
      todos.remove(at: index)
    }
  }

  /// Checks the version of a todo, calls `body` to change the todo, and returns the changed todo.
  ///
  /// - Parameter body: Changes the todo. Its parameters are the todos of the list, the index of the
  ///   todo, and the merged content, which is `nil` if no merge was necessary.
  /// - Throws: `notFound`; `conflict` if the todo has another version and the edit cannot be
  ///   merged.
  private func change(
    _ id: TodoID, in list: TodoListKey, expecting version: Int64?, by edit: TodoEdit? = nil,
    _ body: (inout [Todo], Int, _ merged: TodoContent?) throws(TodoError) -> Todo
  ) throws(TodoError) -> Todo {
    try lists.withLock { lists throws(TodoError) in
      guard let index = lists[list]?.firstIndex(where: { $0.id == id }),
        let theirs = lists[list]?[index]
      else { throw .todoNotFound }
      var merged: TodoContent?
      if let version, version != theirs.version {
        // The merge has no base, because the store has no earlier versions.
        let merge = Merge(
          base: nil, mine: edit?.applied(to: theirs.content) ?? theirs.content,
          theirs: theirs.content)
        guard edit != nil, merge.content != nil else {
          throw .conflict(TodoConflict(merge, theirVersion: theirs.version))
        }
        merged = merge.content
      }
      return try body(&lists[list, default: []], index, merged)
    }
  }
}

extension MemoryTodoStore: GroupedChanges {
  package func change(
    _ ids: [TodoID], _ change: GroupChange, in list: TodoListKey
  ) throws(TodoError) -> [Todo] {
    let now = environment.now()
    return try lists.withLock { lists throws(TodoError) in
      var todos = lists[list] ?? []
      let changed = try ids.map { id throws(TodoError) in
        guard let todo = todos.first(where: { $0.id == id }) else { throw .gone(id) }
        return todo
      }
      let edits = try change.edits(of: changed, on: days.today)
      for (id, edit) in zip(ids, edits) {
        guard let index = todos.firstIndex(where: { $0.id == id }) else { continue }
        if let edit {
          todos[index].change(to: edit.applied(to: todos[index].content), at: now)
        } else {
          todos.remove(at: index)
        }
      }
      lists[list] = todos
      return changed.map { todo in todos.first { $0.id == todo.id } ?? todo }
    }
  }
}

extension MemoryTodoStore: TodoOrdering {
  package func move(
    _ id: TodoID, to target: MoveTarget, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try lists.withLock { lists throws(TodoError) in
      var todos = lists[list] ?? []
      guard let index = todos.firstIndex(where: { $0.id == id }),
        todos.contains(where: { $0.id == target.id })
      else { throw .todoNotFound }
      guard id != target.id else { return todos[index] }
      let todo = todos.remove(at: index)
      let other = todos.firstIndex { $0.id == target.id } ?? 0
      if case .after = target {
        todos.insert(todo, at: other + 1)
      } else {
        todos.insert(todo, at: other)
      }
      lists[list] = todos
      return todo
    }
  }

  package func move(
    _ id: TodoID, _ direction: MoveDirection, among query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    guard let next = try neighbor(of: id, direction, among: query, in: list) else {
      return try todo(id, in: list)
    }
    return try move(id, to: direction == .up ? .before(next) : .after(next), in: list)
  }
}

extension Todo {
  fileprivate mutating func change(to content: TodoContent, at now: Timestamp) {
    guard content != self.content else { return }
    (self.content, version, updatedAt) = (content, version + 1, now)
  }
}
