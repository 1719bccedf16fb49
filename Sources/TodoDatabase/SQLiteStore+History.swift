import TodoModel

/// Undo and redo.
extension SQLiteStore {
  package func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try go(.undo, in: list)
  }

  package func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try go(.redo, in: list)
  }

  package func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    let end = try change(list) { (tables, session) throws(TodoError) -> HistoryEnd in
      guard let number = try tables.lists.knownNumber(of: list),
        let step = try tables.history.lastStep(of: id, in: number, session: session)
      else { return .nothingLeft }
      if let conflict = try tables.conflict(step, with: version, in: number) {
        return .conflict(conflict, step: step.sequence)
      }
      return try tables.go(step, .undo, in: number, at: environment.now(), session)
    }
    switch end {
    case .restored(let todo): return todo
    case .nothingLeft: throw .nothingOwnToUndo
    case .gone: throw HistoryDirection.undo.gone
    case .conflict(let conflict, _): throw .conflict(conflict)
    }
  }

  private func go(
    _ direction: HistoryDirection, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    let told = toldConflicts.withLock { $0.removeValue(forKey: list) }
    let end = try change(list) { (tables, session) throws(TodoError) -> HistoryEnd in
      guard let number = try tables.lists.knownNumber(of: list),
        let step = try tables.history.nextStep(direction, in: number, session: session)
      else { return .nothingLeft }
      let end = try tables.go(step, direction, in: number, at: environment.now(), session)
      guard case .conflict = end, step.sequence == told else { return end }
      // Who asks again after a conflict wants to get past it.
      try tables.history.forget(step, in: number)
      guard let next = try tables.history.nextStep(direction, in: number, session: session) else {
        return .nothingLeft
      }
      return try tables.go(next, direction, in: number, at: environment.now(), session)
    }
    switch end {
    case .restored(let todo): return todo
    case .nothingLeft: throw direction.nothingLeft
    case .gone: throw direction.gone
    case .conflict(let conflict, let step):
      toldConflicts.withLock { $0[list] = step }
      throw direction.conflict(conflict)
    }
  }
}

/// What came of an undo or a redo.
private enum HistoryEnd {
  case restored(RestoredTodo)
  case nothingLeft
  case gone
  /// Somebody else changed the todo since; the step stands as it was.
  case conflict(TodoConflict, step: Int64)
}

extension TodoTables {
  fileprivate func go(
    _ step: HistoryStep, _ direction: HistoryDirection, in list: Int64, at now: Timestamp,
    _ session: HistorySession
  ) throws(TodoError) -> HistoryEnd {
    guard let before = try todos.stored(step.id, in: list) else {
      // Nobody can bring the todo back for this step, so it must not bar the way to others.
      try history.forget(step, in: list)
      return .gone
    }
    if let conflict = try conflict(step, of: before) {
      return .conflict(conflict, step: step.sequence)
    }
    let after = step.applied(to: before, at: now)
    try todos.save(after, replacing: before)
    try history.turn(step, direction, from: before, to: after, in: list, session: session)
    return .restored(RestoredTodo(from: before, to: after, direction))
  }

  /// Nil when whoever asks for an undo knows the todo as it is now.
  fileprivate func conflict(
    _ step: HistoryStep, with version: Int64, in list: Int64
  ) throws(TodoError) -> TodoConflict? {
    guard let stored = try todos.stored(step.id, in: list), stored.todo.version != version,
      !(stored.isRemoved && version == step.there)
    else { return nil }
    return try sides(of: step, stored)
  }

  /// Nil when the todo is at the version that the step leads away from.
  private func conflict(
    _ step: HistoryStep, of stored: StoredTodo
  ) throws(TodoError) -> TodoConflict? {
    stored.todo.version == step.here ? nil : try sides(of: step, stored)
  }

  private func sides(of step: HistoryStep, _ stored: StoredTodo) throws(TodoError) -> TodoConflict {
    let theirs = stored.todo
    let base = try versions.content(of: stored, at: step.here)
    return TodoConflict(
      base: base, mine: step.far.content(from: base ?? theirs.content),
      theirs: theirs.content, theirVersion: theirs.version,
      isRemovedInMine: step.far.isRemoved, isRemovedInTheirs: stored.isRemoved)
  }
}
