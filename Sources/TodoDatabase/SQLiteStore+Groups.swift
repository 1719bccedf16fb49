import TodoModel

extension SQLiteStore: GroupedChanges {
  package func change(
    _ ids: [TodoID], _ change: GroupChange, in list: TodoListKey
  ) throws(TodoError) -> [Todo] {
    try self.change(list) { (tables, session) throws(TodoError) in
      try tables.checkIsWritable(list)
      let number = try tables.lists.knownNumber(of: list)
      let before = try ids.map { id throws(TodoError) in
        guard let number, let stored = try tables.todos.stored(id, in: number), !stored.isRemoved
        else { throw .gone(id) }
        return stored
      }
      guard let number else { return [] }
      let now = environment.now()
      let edits = try change.edits(of: before.map(\.todo), on: days.today)
      let after = zip(before, edits).map { $0.changed(by: $1, at: now) }
      try tables.log.group(origin(in: number, session, at: now)) { origin throws(TodoError) in
        for (after, before) in zip(after, before) {
          guard after.todo.version != before.todo.version else { continue }
          try tables.todos.save(after, replacing: before, origin)
        }
      }
      return after.map(\.todo)
    }
  }
}

extension StoredTodo {
  /// Returns the todo after an edit by the user or, if `edit` is `nil`, after its removal by the
  /// user.
  fileprivate func changed(by edit: TodoEdit?, at now: Timestamp) -> StoredTodo {
    var after = self
    if let edit {
      let content = edit.applied(to: todo.content)
      if content != todo.content { after.edit(to: content, at: now) }
    } else {
      after.remove(at: now)
    }
    return after
  }
}
