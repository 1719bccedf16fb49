import TodoModel

/// Undo and redo.
extension SQLiteStore {
  package func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try go(.undo, in: list)
  }

  package func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try go(.redo, in: list)
  }

  private func go(
    _ direction: HistoryDirection, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    let restored = try change(list) { (connection, session) throws(TodoError) -> RestoredTodo? in
      guard let number = try connection.knownNumber(of: list),
        let step = try connection.nextStep(direction, in: number, session: session)
      else { throw direction.nothingLeft }
      guard let before = try connection.stored(step.id, in: number),
        !before.isRemoved || before.todo.version == step.here
      else {
        // Nobody can bring the todo back for this step, so it must not bar the way to others.
        try connection.forget(step, in: number)
        return nil
      }
      try connection.check(step, of: before, direction)
      let after = step.applied(to: before, at: environment.now())
      try connection.save(after, replacing: before)
      try connection.turn(step, direction, from: before, to: after, in: number, session: session)
      return RestoredTodo(id: step.id, todo: after.isRemoved ? nil : after.todo)
    }
    guard let restored else { throw direction.gone }
    return restored
  }
}

extension Connection {
  /// Throws `conflict` when the todo is not at the version that the step leads away from.
  fileprivate func check(
    _ step: HistoryStep, of stored: StoredTodo, _ direction: HistoryDirection
  ) throws(TodoError) {
    let theirs = stored.todo
    guard theirs.version != step.here else { return }
    let base = try content(of: stored, at: step.here)
    let mine = step.far.content(from: base ?? theirs.content)
    throw direction.conflict(
      TodoConflict(
        base: base, mine: mine, theirs: theirs.content, theirVersion: theirs.version))
  }
}
