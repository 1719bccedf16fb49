import TodoModel

/// Saved lines of removed todos.
extension DocumentSaving {
  /// Whether a saved document removed a todo; `false` if the current save names no generation
  /// (recorded version of the document).
  ///
  /// If the result is `true`, a saved line with the mark of this todo restores the todo. If the
  /// result is `false`, and an earlier generation showed the line, the line may instead be treated
  /// as a line of an outdated buffer.
  func wasRemovedByDocument(_ id: TodoID) throws(TodoError) -> Bool {
    guard generation != 0, let stored = try tables.todos.stored(id, in: list), stored.isRemoved
    else { return false }
    return try tables.removed.author(of: id, in: list) == .document
  }

  /// Restores a removed todo whose line was edited. Adds a new todo if the removed todo is no
  /// longer stored. An edit that cannot be merged becomes a conflict.
  mutating func editRemoved(_ id: TodoID, _ edit: DocumentEdit) throws(TodoError) {
    guard let before = try tables.todos.stored(id, in: list) else {
      return try add(edit.content, edit.additionKey, .below(.todo(id)))
    }
    var after = before
    var isConflict = false
    do throws(TodoError) {
      let change = try TodoEdit(checking: edit.changes, expectedVersion: edit.version)
      after.restore(
        to: try tables.log.content(after: change, of: before), at: environment.now())
    } catch {
      guard error.kind == .conflict || error.kind == .validation else { throw error }
      isConflict = true
      after.restore(to: before.todo.content, at: environment.now())
    }
    try record(edit.additionKey, became: .todo(id))
    try save(after, before)
    report.addedCount += 1
    report.editedCount -= 1
    if isConflict { try keepConflict(edit.content, edit.sideDigest, against: id) }
  }
}
