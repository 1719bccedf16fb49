import TodoModel

/// Undo and redo.
extension SQLiteStore: TodoHistory {
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
        let step = try tables.log.lastStep(of: id, in: number, list, session: session)
      else { return .nothingLeft }
      if let conflict = try tables.conflict(step, with: version) {
        return .conflict(conflict, step: step.sequence)
      }
      return try tables.go(
        step, .undo, from: list, origin(in: number, session, at: environment.now()))
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
    let refused = refusedSteps.withLock { $0.removeValue(forKey: list.profile) }
    let end = try change(list) { (tables, session) throws(TodoError) -> HistoryEnd in
      guard let step = try tables.log.nextStep(direction, session) else { return .nothingLeft }
      let end = try tables.go(
        step, direction, from: list, origin(in: step.list, session, at: environment.now()))
      guard case .conflict = end, step.sequence == refused else { return end }
      // The user repeats the request after a conflict to skip the change.
      try tables.log.skip(step)
      guard let next = try tables.log.nextStep(direction, session) else { return .nothingLeft }
      return try tables.go(
        next, direction, from: list, origin(in: next.list, session, at: environment.now()))
    }
    switch end {
    case .restored(let todo): return todo
    case .nothingLeft: throw direction.nothingLeft
    case .gone: throw direction.gone
    case .conflict(let conflict, let step):
      refusedSteps.withLock { $0[list.profile] = step }
      throw direction.conflict(conflict)
    }
  }
}

/// The result of an undo or a redo.
private enum HistoryEnd {
  case restored(RestoredTodo)
  case nothingLeft
  case gone
  /// The todo was changed elsewhere since; the step can still be reversed.
  case conflict(TodoConflict, step: Int64)
}

extension TodoTables {
  /// - Parameter list: The list in which the user asked for it.
  fileprivate func go(
    _ step: HistoryStep, _ direction: HistoryDirection, from list: TodoListKey,
    _ origin: ChangeOrigin
  ) throws(TodoError) -> HistoryEnd {
    guard let before = try todos.stored(step.id, in: step.list) else {
      // The todo cannot come back, so the step must not block the ones before it.
      try log.skip(step)
      return .gone
    }
    let base = try log.content(of: before, at: step.version)
    let after: StoredTodo
    switch step.reversed(on: before, base: base, at: origin.at) {
    case .todo(let reversed): after = reversed
    case .conflict(let conflict): return .conflict(conflict, step: step.sequence)
    }
    var origin = origin
    origin.reversal = ChangeOrigin.Reversal(direction: direction, sequence: step.sequence)
    try log.settle(step)
    try todos.save(after, replacing: before, origin)
    var restored = RestoredTodo(from: before, to: after, direction, step)
    if step.key != list { restored.list = step.key }
    return .restored(restored)
  }

  /// Returns `nil` if the caller names the current version, or the one before a removal.
  fileprivate func conflict(
    _ step: HistoryStep, with version: Int64
  ) throws(TodoError) -> TodoConflict? {
    guard let stored = try todos.stored(step.id, in: step.list), stored.todo.version != version,
      !(stored.isRemoved && version == step.before.version)
    else { return nil }
    return step.conflict(with: stored, try log.content(of: stored, at: step.version))
  }
}
