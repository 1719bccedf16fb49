import SQLiteDatabase
import TodoModel

/// Conflicts of todos that were changed both locally and at their source.
extension SQLiteStore {
  package func conflicts(
    offset: Int, limit: Int, in list: TodoListKey
  ) throws(TodoError) -> (conflicts: [SourceConflict], total: Int) {
    try database.read { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let tables = connection.tables
        guard let number = try tables.lists.knownNumber(of: list) else { return ([], 0) }
        return (
          try tables.outbox.conflicts(offset: offset, limit: limit, in: number),
          try tables.outbox.counts(of: number).conflicts
        )
      }
    }
  }

  package func conflict(
    of id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> SourceConflict? {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return nil }
      return try tables.todos.stored(id, in: number)?.conflict
    }
  }

  package func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try changeByUser(id, in: list) { (before, tables) throws(TodoError) in
      guard let conflict = before.conflict, conflict.version == version else {
        // Another process has changed the todo or resolved its conflict in the meantime. Therefore,
        // this resolution conflicts with the current content.
        let there = before.todo.content
        let merge =
          before.conflict?.merge ?? Merge(base: before.base, mine: there, theirs: there)
        throw .conflict(
          TodoConflict(
            base: before.base, mine: merge.content(after: resolution), theirs: there,
            theirVersion: before.todo.version))
      }
      var after = before
      after.resolve(to: conflict.merge.content(after: resolution), at: environment.now())
      return after
    }
  }

  package func counts(of list: TodoListKey) throws(TodoError) -> SyncCounts {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return SyncCounts() }
      return try tables.outbox.counts(of: number)
    }
  }
}
