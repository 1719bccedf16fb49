import TodoModel

/// What a source delivers.
extension SQLiteStore {
  /// One transaction a page, so that a page is there whole or not at all. A todo that is as it was
  /// is not written.
  package func keep(
    _ issues: [Issue], at position: Int, in list: TodoListKey
  ) throws(TodoError) {
    guard !issues.isEmpty else { return }
    let now = environment.now()
    try database.change { connection throws(TodoError) in
      let number = try connection.tables.lists.number(of: list)
      for (index, issue) in issues.enumerated() {
        try keep(
          issue, at: Int64(position + index), now: now, in: number, of: connection.tables.todos)
      }
    }
  }

  private func keep(
    _ issue: Issue, at place: Int64, now: Timestamp, in list: Int64, of table: TodoTable
  ) throws(TodoError) {
    if try table.has(issue, at: place, in: list) { return }
    if let before = try table.stored(number: issue.number, in: list) {
      var after = before
      after.receive(issue, at: place, now: now)
      try table.save(after, replacing: before)
    } else {
      let todo = Todo(
        id: environment.newID(), content: TodoContent(issue), version: 1,
        createdAt: issue.createdAt ?? now, updatedAt: issue.updatedAt ?? now,
        origin: TodoOrigin(url: issue.url, number: issue.number), sync: .synced)
      try table.insert(todo, at: place, in: list)
    }
  }

  package func finishLoad(
    keeping numbers: Set<Int64>, in list: TodoListKey
  ) throws(TodoError) {
    try database.withWriter { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return }
      let gone = try tables.todos.syncedRows(in: number).filter { !numbers.contains($0.number) }
      guard !gone.isEmpty else { return }
      try connection.change { () throws(TodoError) in
        for todo in gone { try tables.todos.deleteSynced(row: todo.row) }
      }
    }
  }
}
