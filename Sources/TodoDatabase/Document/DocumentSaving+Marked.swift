import TodoModel

/// New lines whose marks (the IDs of todos in documents) were reserved before the save.
extension DocumentSaving {
  /// Adds a todo with a reserved mark. If the list already has a todo with this mark, the line is
  /// an edit of this todo. If the mark belongs to a todo of another list, or to a deleted todo, the
  /// new todo gets another mark.
  mutating func add(
    _ id: TodoID, _ edit: DocumentEdit, _ position: LinePosition
  ) throws(TodoError) {
    if try tables.todos.stored(id, in: list) != nil {
      let wasShown = try shown(id) != nil
      try self.edit(id, edit, dropping: [])
      if !wasShown { try move(.todo(id), position) }
    } else if try tables.todos.isUnused(id) {
      try tables.marks.recordUse(of: id, in: list)
      try record(edit.additionKey, became: try insert(edit.content, position, as: id))
    } else {
      try add(edit.content, edit.additionKey, position)
    }
  }
}
