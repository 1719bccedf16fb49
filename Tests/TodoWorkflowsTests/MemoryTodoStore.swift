import Synchronization
import TodoModel

/// A fake store: todos in a dictionary, and failures on demand.
final class MemoryTodoStore: LocalTodoStore {
  private struct Contents {
    var todos: [TodoListKey: [Todo]] = [:]
    var count = 0
    var failure: TodoError?
  }

  private let contents = Mutex(Contents())

  init(_ titles: [String] = [], in list: TodoListKey = .local) {
    for title in titles.reversed() { _ = insert(title, "", in: list) }
  }

  /// What every call throws from now on.
  func fail(_ failure: TodoError?) { contents.withLock { $0.failure = failure } }

  func all(in list: TodoListKey = .local) -> [Todo] {
    contents.withLock { $0.todos[list] ?? [] }
  }

  func rows(in list: TodoListKey = .local) -> [TodoRow] { all(in: list).map { TodoRow($0) } }

  private func insert(
    _ title: String, _ note: String, in list: TodoListKey
  ) -> Todo {
    contents.withLock { contents in
      contents.count += 1
      let time = Timestamp(milliseconds: Int64(contents.count))
      let todo = Todo(
        id: TodoID("t\(contents.count)"),
        content: TodoContent(title: title, note: note, isDone: false), version: 1,
        createdAt: time, updatedAt: time, origin: nil, sync: .local)
      contents.todos[list, default: []].insert(todo, at: 0)
      return todo
    }
  }

  private func check() throws(TodoError) {
    if let failure = contents.withLock({ $0.failure }) { throw failure }
  }

  // MARK: LocalTodoStore

  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try todos(TodoQuery(text: query.text, limit: .max), in: list).elements
      .firstIndex { $0.id == id }
  }

  func todos(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<Todo> {
    try check()
    let matches = all(in: list).filter { todo in
      query.text.map { $0.isEmpty || todo.content.title.contains($0) } ?? true
    }
    let page = matches.dropFirst(query.offset).prefix(query.limit)
    return TodoPage(elements: Array(page), total: matches.count, offset: query.offset)
  }

  func rows(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoPage<TodoRow> {
    let page = try todos(query, in: list)
    return TodoPage(
      elements: page.elements.map { TodoRow($0) }, total: page.total, offset: page.offset)
  }

  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try check()
    guard let todo = all(in: list).first(where: { $0.id == id }) else { throw .todoNotFound }
    return todo
  }

  func add(_ draft: TodoDraft, to list: TodoListKey) throws(TodoError) -> Todo {
    try check()
    return insert(draft.content.title, draft.content.note, in: list)
  }

  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) throws(TodoError) -> Todo {
    var todo = try todo(id, in: list)
    if let version = edit.expectedVersion, version != todo.version {
      throw .conflict(
        TodoConflict(
          base: nil, mine: edit.applied(to: todo.content), theirs: todo.content,
          theirVersion: todo.version))
    }
    todo.content = edit.applied(to: todo.content)
    todo.version += 1
    replace(id, with: todo, in: list)
    return todo
  }

  func remove(_ id: TodoID, expectedVersion: Int64?, in list: TodoListKey) throws(TodoError) {
    _ = try todo(id, in: list)
    replace(id, with: nil, in: list)
  }

  private func replace(_ id: TodoID, with todo: Todo?, in list: TodoListKey) {
    contents.withLock { contents in
      guard let index = contents.todos[list]?.firstIndex(where: { $0.id == id }) else { return }
      contents.todos[list]?.remove(at: index)
      if let todo { contents.todos[list]?.insert(todo, at: index) }
    }
  }
}
