import TodoModel

/// A change that can be undone, or an undo that can be redone.
struct HistoryStep {
  var sequence: Int64
  var list: Int64
  var key: TodoListKey
  var id: TodoID
  /// The todo's version after the change.
  var version: Int64
  var before: ReverseDifference
  /// Whether the user restored a removed todo, either by this change or by the change that this
  /// change undoes.
  var isRestoration: Bool
  /// The group that the change belongs to (see `ChangeLog.group`); `nil` if there is none.
  var group: Int64?

  /// Whether the change was a move of the todo.
  var isMove: Bool { before.movedFrom != nil }

  private var isRemoval: Bool { before.isRemoved == false }

  /// Returns the current todo without the change, or the conflict that prevents reversing the
  /// change. Merges the state before the change with later changes of the todo. Affects only the
  /// fields that the change altered, and whether the todo is in the list.
  ///
  /// - Parameter base: The content directly after the change; `nil` if the log does not reach
  ///   back to it.
  func reversed(
    on stored: StoredTodo, base: TodoContent?, at now: Timestamp
  ) -> Reversed {
    let theirs = stored.todo.content
    let isUnchanged = stored.todo.version == version
    let isRemovedBefore = before.isRemoved ?? false
    var after = stored
    if isRemovedBefore {
      // An added todo that was changed later is not removed by the undo.
      guard isUnchanged || !stored.isRemoved && base == theirs else {
        return .conflict(conflict(with: stored, base))
      }
      after.remove(at: now)
      return .todo(after)
    }
    let content =
      isUnchanged
      ? before.applied(to: theirs)
      : base.flatMap { Merge(base: $0, mine: before.applied(to: $0), theirs: theirs).content }
    guard let content, isUnchanged || !stored.isRemoved || isRemoval else {
      return .conflict(conflict(with: stored, base))
    }
    if stored.isRemoved {
      after.restore(to: content, at: now)
    } else {
      after.edit(to: content, at: now)
      if let base = before.base { after.compareAgain(with: base) }
    }
    return .todo(after)
  }

  /// The todo without the change, or the conflict that prevents reversing the change.
  enum Reversed {
    case todo(StoredTodo)
    case conflict(TodoConflict)
  }

  /// Returns the conflict between the state before the change (`mine`) and the current todo
  /// (`theirs`).
  func conflict(with stored: StoredTodo, _ base: TodoContent?) -> TodoConflict {
    let theirs = stored.todo
    return TodoConflict(
      base: base, mine: before.applied(to: base ?? theirs.content), theirs: theirs.content,
      theirVersion: theirs.version, isRemovedInMine: before.isRemoved ?? false,
      isRemovedInTheirs: stored.isRemoved)
  }
}

extension StoredTodo {
  /// Merges the todo with the source again, based on earlier content of the source. This undoes or
  /// redoes the resolution of a conflict. Does nothing while the outcome of a write is unknown.
  mutating func compareAgain(with earlier: TodoContent) {
    guard key != nil, sent == nil else { return }
    let source = theirs ?? base ?? todo.content
    (base, theirs) = (earlier, source == earlier ? nil : source)
    settle()
  }
}

/// Undo or redo.
enum HistoryDirection: String {
  case undo, redo

  var nothingLeft: TodoError {
    switch self {
    case .undo: .nothingToUndo
    case .redo: .nothingToRedo
    }
  }

  func conflict(_ conflict: TodoConflict) -> TodoError {
    var error = TodoError.conflict(conflict)
    error.message =
      "This todo was changed elsewhere since, so the change was not \(participle). "
      + "\(again) again to skip this change."
    return error
  }

  /// Returns the error for a conflict during an undo or redo.
  ///
  /// - Parameters:
  ///   - id: The todo with the conflict.
  ///   - count: The number of todos in the group.
  func conflict(_ conflict: TodoConflict, of id: TodoID, in count: Int) -> TodoError {
    guard count > 1 else { return self.conflict(conflict) }
    var error = self.conflict(conflict)
    error.message =
      "“\(conflict.theirs.title)” was changed elsewhere since, so none of the \(count) todos was "
      + "\(participle). \(again) again to skip such todos."
    error.item = id
    return error
  }

  var gone: TodoError {
    TodoError(.notFound, "This todo was removed elsewhere. The change cannot be \(participle).")
  }

  private var again: String {
    switch self {
    case .undo: "Undo"
    case .redo: "Redo"
    }
  }

  private var participle: String {
    switch self {
    case .undo: "undone"
    case .redo: "redone"
    }
  }
}

extension RestoredTodo {
  /// Creates the description of how the undo or redo of a step has changed a todo.
  init(
    from before: StoredTodo, to after: StoredTodo, _ direction: HistoryDirection,
    _ step: HistoryStep
  ) {
    let (old, new) = (before.todo.content, after.todo.content)
    let isTick = new.fields(differingFrom: old).allSatisfy { $0 == .done }
    let change: Change =
      switch (before.isRemoved, after.isRemoved, direction) {
      case (false, true, .undo), (true, false, .redo): step.isRestoration ? .restore : .add
      case (true, false, .undo), (false, true, .redo): .remove
      case (false, false, _), (true, true, _): step.isMove ? .move : isTick ? .done : .edit
      }
    self.init(
      id: after.todo.id, change: change, title: after.isRemoved ? old.title : new.title,
      todo: after.isRemoved ? nil : after.todo)
  }
}
