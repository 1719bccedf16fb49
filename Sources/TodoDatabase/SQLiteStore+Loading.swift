import TodoModel

/// What a source delivers, page by page, to a load that keeps in mind itself what it has brought.
extension SQLiteStore {
  /// One transaction a page, so that a page is there whole or not at all. A todo that is as it was
  /// is not written. The order comes from the issues, not from where they stood.
  package func keep(
    _ issues: [Issue], at position: Int, in list: TodoListKey
  ) throws(TodoError) {
    guard !issues.isEmpty else { return }
    _ = try deliver(issues.map { RemoteItem($0) }, of: nil, to: list)
  }

  package func finishLoad(
    keeping numbers: Set<Int64>, in list: TodoListKey
  ) throws(TodoError) {
    let now = environment.now()
    try database.withWriter { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return }
      let keys = Set(numbers.map { String($0) })
      guard !(try tables.remotes.synced(allBut: keys, in: number)).isEmpty else { return }
      try connection.change { () throws(TodoError) in
        for row in try tables.remotes.synced(allBut: keys, in: number) {
          try tables.todos.leave(row: row, at: now)
        }
      }
    }
  }
}
