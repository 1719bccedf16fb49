import SQLiteDatabase
import TodoModel

extension SQLiteStore: RemovedTodos {
  package func removedTodos(in list: TodoListKey) throws(TodoError) -> [RemovedTodo] {
    let oldest = environment.now().milliseconds - RemovedTodo.daysMax * 86_400_000
    return try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      let (view, time) = (viewKey(of: list, number), Timestamp(milliseconds: oldest))
      let removed = try tables.removed.todos(in: view, since: time)
      let left = try tables.views.left(view, since: time)
      guard !left.isEmpty else { return removed }
      let all = (removed + left).sorted { $0.removedAt > $1.removedAt }
      return Array(all.prefix(RemovedTodo.countMax))
    }
  }

  package func lastVersion(
    ofRemoved id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> Todo? {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return nil }
      return try tables.todos.stored(id, in: number)?.todo
    }
  }

  package func restore(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    let now = environment.now()
    return try change(list) { (tables, session) throws(TodoError) in
      let (number, before) = try removedTodo(id, in: list, tables)
      try tables.checkIsWritable(list)
      if before.key == nil { try checkAcceptsNew(list) }
      var content = before.todo.content
      if try tables.removed.reason(of: before, in: number) == .closed { content.isDone = false }
      var after = before
      after.restore(to: content, at: now)
      try tables.todos.save(after, replacing: before, origin(in: number, session, at: now))
      return after.todo
    }
  }

  package func forget(_ id: TodoID, in list: TodoListKey) throws(TodoError) {
    // The drafts of ended processes are in files until they are imported.
    try importDrafts()
    try change(list) { (tables, _) throws(TodoError) in
      let (number, stored) = try removedTodo(id, in: list, tables)
      // If the removal were not sent, the next load would add the item again.
      guard !stored.isOutgoing else { throw .removalNotSent }
      try tables.removed.forget(stored, in: number)
      try tables.lists.recordEdit(in: number)
    }
  }
}

extension SQLiteStore {
  package func createAgain(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try checkAcceptsNew(list)
    return try changeByUser(id, in: list) { (before, tables) throws(TodoError) in
      var after = before
      let content = try tables.log.content(after: edit, of: before)
      after.createAgain(with: content, at: environment.now())
      return after
    }
  }
}

extension SQLiteStore {
  /// Returns a removed todo and the number of its list.
  private func removedTodo(
    _ id: TodoID, in list: TodoListKey, _ tables: TodoTables
  ) throws(TodoError) -> (list: Int64, todo: StoredTodo) {
    guard let number = try tables.lists.knownNumber(of: list),
      let todo = try tables.todos.stored(id, in: number)
    else { throw .removedNotFound }
    guard todo.isRemoved else {
      let isShown = try tables.views.shows(row: todo.row, viewKey(of: list, number))
      throw isShown ? .notRemoved : .leftFilter
    }
    return (number, todo)
  }
}
