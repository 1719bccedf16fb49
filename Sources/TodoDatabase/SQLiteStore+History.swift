import TodoModel

/// Undo and redo.
extension SQLiteStore: TodoHistory {
  package func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try reverse(.undo, in: list)
  }

  package func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo {
    try reverse(.redo, in: list)
  }

  package func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    let end = try change(list) { (tables, session) throws(TodoError) -> HistoryEnd in
      guard let number = try tables.lists.knownNumber(of: list),
        let step = try tables.log.lastStep(of: id, in: number, list, session: session)
      else { return .nothingLeft }
      if let conflict = try tables.conflict(step, with: version) {
        return .conflict(conflict, ConflictingStep(step, in: [step]))
      }
      return try tables.reverse(
        [step], .undo, from: list, skipsConflicts: false,
        origin(in: number, session, at: environment.now())) ?? .nothingLeft
    }
    switch end {
    case .restored(let todo): return todo
    case .nothingLeft: throw .nothingOwnToUndo
    case .gone: throw HistoryDirection.undo.gone
    case .conflict(let conflict, _): throw .conflict(conflict)
    }
  }

  private func reverse(
    _ direction: HistoryDirection, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo {
    let refused = refusedSteps.withLock { $0.removeValue(forKey: list.profile) }
    let end = try change(list) { (tables, session) throws(TodoError) -> HistoryEnd in
      while true {
        let steps = try tables.log.nextSteps(direction, session)
        guard let first = steps.first else { return .nothingLeft }
        // A repeated undo after a conflict means that the user wants to skip the conflicting
        // changes.
        let end = try tables.reverse(
          steps, direction, from: list, skipsConflicts: first.sequence == refused,
          origin(in: first.list, session, at: environment.now()))
        if let end { return end }
      }
    }
    switch end {
    case .restored(let todo): return todo
    case .nothingLeft: throw direction.nothingLeft
    case .gone: throw direction.gone
    case .conflict(let conflict, let step):
      refusedSteps.withLock { $0[list.profile] = step.first }
      throw direction.conflict(conflict, of: step.id, in: step.count)
    }
  }
}

/// The result of an undo or a redo.
private enum HistoryEnd {
  case restored(RestoredTodo)
  case nothingLeft
  case gone
  /// The change was not reversed, because the reversal conflicts with a later change of the todo.
  /// The change can still be reversed later.
  case conflict(TodoConflict, ConflictingStep)
}

/// A change that could not be reversed because of a conflict.
private struct ConflictingStep {
  var id: TodoID
  /// The sequence number of the first change in the group.
  var first: Int64
  /// The number of changes in the group.
  var count: Int

  init(_ step: HistoryStep, in group: [HistoryStep]) {
    (id, first, count) = (step.id, group.first?.sequence ?? step.sequence, group.count)
  }
}

/// A change to reverse, and its todo before and after the reversal.
private struct Reversal {
  var step: HistoryStep
  var before: StoredTodo
  var after: StoredTodo
}

extension TodoTables {
  /// Reverses a change or a group of changes. The reversals of a group are recorded as a group.
  ///
  /// - Parameters:
  ///   - list: The list in which the user requested the undo or redo.
  ///   - skipsConflicts: Whether conflicting changes are skipped. If not, no change is reversed
  ///     when one of the changes conflicts.
  /// - Returns: `nil` if all changes were skipped because of conflicts.
  fileprivate func reverse(
    _ steps: [HistoryStep], _ direction: HistoryDirection, from list: TodoListKey,
    skipsConflicts: Bool, _ origin: ChangeOrigin
  ) throws(TodoError) -> HistoryEnd? {
    var reversals: [Reversal] = []
    var isGone = false
    for step in steps {
      guard let before = try todos.stored(step.id, in: step.list) else {
        // The todo cannot be restored, so this change must not block the changes before it.
        try log.skip(step)
        isGone = true
        continue
      }
      if step.isMove {
        guard !before.isRemoved else {
          try log.skip(step)
          isGone = true
          continue
        }
        reversals.append(Reversal(step: step, before: before, after: before))
        continue
      }
      let base = try log.content(of: before, at: step.version)
      switch step.reversed(on: before, base: base, at: origin.at) {
      case .todo(let after): reversals.append(Reversal(step: step, before: before, after: after))
      case .conflict(let conflict):
        guard skipsConflicts else {
          return .conflict(conflict, ConflictingStep(step, in: steps))
        }
        try log.skip(step)
      }
    }
    guard let first = reversals.first else { return isGone ? .gone : nil }
    try save(reversals, direction, origin)
    var restored = RestoredTodo(from: first.before, to: first.after, direction, first.step)
    restored.others = reversals.dropFirst().map {
      RestoredTodo(from: $0.before, to: $0.after, direction, $0.step)
    }
    if first.step.key != list { restored.list = first.step.key }
    return .restored(restored)
  }

  private func save(
    _ reversals: [Reversal], _ direction: HistoryDirection, _ origin: ChangeOrigin
  ) throws(TodoError) {
    func save(_ reversal: Reversal, _ origin: ChangeOrigin) throws(TodoError) {
      try log.settle(reversal.step)
      let origin = origin.reversing(reversal.step, direction)
      if reversal.step.isMove {
        _ = try move(reversal.before, position(of: reversal.step), origin)
      } else {
        try todos.save(reversal.after, replacing: reversal.before, origin)
      }
    }
    let origin = origin.reversing(reversals[0].step, direction)
    if reversals.count == 1 { return try save(reversals[0], origin) }
    try log.group(origin) { origin throws(TodoError) in
      for reversal in reversals { try save(reversal, origin) }
    }
  }

  /// Returns the position of a todo before a move: below the entry that was above it. If that entry
  /// is no longer stored, returns the current position.
  private func position(of step: HistoryStep) throws(TodoError) -> EntryOrder.Position {
    guard let above = step.before.movedFrom ?? nil else { return .first }
    let isStored = try order.place(of: above, in: step.list) != nil
    return .below(isStored ? above : .todo(step.id))
  }

  /// Returns a conflict if the todo of the step to undo does not have the version that the caller
  /// expects.
  ///
  /// - Returns: `nil` in any of these cases:
  ///   - The todo has the expected version.
  ///   - The todo is removed, and had the expected version before the step.
  ///   - The todo is not stored.
  fileprivate func conflict(
    _ step: HistoryStep, with version: Int64
  ) throws(TodoError) -> TodoConflict? {
    guard let stored = try todos.stored(step.id, in: step.list), stored.todo.version != version,
      !(stored.isRemoved && version == step.before.version)
    else { return nil }
    return step.conflict(with: stored, try log.content(of: stored, at: step.version))
  }
}

extension ChangeOrigin {
  fileprivate func reversing(_ step: HistoryStep, _ direction: HistoryDirection) -> ChangeOrigin {
    var origin = self
    origin.reversal = Reversal(direction: direction, sequence: step.sequence)
    return origin
  }
}
