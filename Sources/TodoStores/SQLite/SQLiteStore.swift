import Synchronization
import TodoModel

/// Todos in SQLite, in a file or in memory.
///
/// ```swift
/// let store = try SQLiteStore(at: .file("/home/ann/todos.sqlite"), environment: environment)
/// let todo = try store.add(TodoDraft(title: "Buy milk"), to: list)
/// ```
///
/// A change that returned is on disk (WAL, synchronous FULL): one transaction each, which waits up
/// to 5 s for the changes of other programs. Everything that goes wrong with the file is `storage`
/// with a sentence that says what happened and what to do.
package final class SQLiteStore: LocalTodoStore {
  let environment: Environment
  private let connection: Mutex<Connection>

  /// Opens the database, makes it where it is missing, and brings an older one up to date.
  ///
  /// Throws `storage`: no permission, no database, a database of another program or of a newer
  /// version, read-only, in use for too long.
  package init(at location: SQLiteLocation, environment: Environment) throws(TodoError) {
    let connection = try Connection(to: location)
    try connection.prepareForUse()
    self.connection = Mutex(connection)
    self.environment = environment
  }

  /// All access goes through here, one at a time.
  func withConnection<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try connection.withLock { connection throws(TodoError) in try body(connection) }
  }

  // MARK: Reading

  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<Todo> {
    try withConnection { connection throws(TodoError) in
      try connection.page(query, of: list, part: .whole) { row in row.todo }
    }
  }

  package func rows(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<TodoRow> {
    try withConnection { connection throws(TodoError) in
      try connection.page(query, of: list, part: .withoutNote) { row in row.todoRow }
    }
  }

  package func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try withConnection { connection throws(TodoError) in
      try connection.position(of: id, query, in: list)
    }
  }

  package func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try withConnection { connection throws(TodoError) in
      try connection.stored(id, in: list).todo
    }
  }

  // MARK: Changing

  package func add(_ draft: TodoDraft, to list: TodoListKey) throws(TodoError) -> Todo {
    let now = environment.now()
    let todo = Todo(
      id: environment.newID(),
      content: TodoContent(title: draft.title, note: draft.note, isDone: false),
      version: 1, createdAt: now, updatedAt: now, origin: nil,
      sync: list.isLocal ? .local : .pending)
    return try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        let number = try connection.listNumber(of: list)
        try connection.insert(todo, at: connection.topPlace(in: number), in: number)
        return todo
      }
    }
  }

  package func edit(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        let before = try connection.stored(id, in: list)
        try connection.check(edit.expectedVersion, of: before) { edit.applied(to: $0) }
        let content = edit.applied(to: before.todo.content)
        guard content != before.todo.content else { return before.todo }
        var after = before
        after.edit(to: content, at: environment.now())
        try connection.save(after, replacing: before)
        return after.todo
      }
    }
  }

  package func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) throws(TodoError) {
    try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        let before = try connection.stored(id, in: list)
        try connection.check(expectedVersion, of: before) { $0 }
        guard before.todo.origin != nil else { return try connection.delete(row: before.row) }
        var after = before
        after.remove(at: environment.now())
        try connection.save(after, replacing: before)
      }
    }
  }
}
