import TodoModel

/// A change that can be undone, or one that was undone and can be redone.
struct HistoryStep {
  /// Its place in the order in which the changes of the list were made.
  var sequence: Int64
  var id: TodoID
  /// The version that the step leads away from.
  var here: Int64
  /// The version whose content the step brings back.
  var there: Int64
  var far: FarSide

  /// What the todo has at the other end of a step.
  struct FarSide {
    var isRemoved: Bool
    var isDone: Bool
    /// Nil: the same as at this end.
    var title: String?
    /// Nil: the same as at this end, so that a long note is not kept for each tick.
    var note: String?

    /// The end where a todo has `content`, seen from the end where it has `other`.
    init(_ content: TodoContent, isRemoved: Bool, from other: TodoContent) {
      self.isRemoved = isRemoved
      isDone = content.isDone
      title = content.title.hasSameBytes(as: other.title) ? nil : content.title
      note = content.note.hasSameBytes(as: other.note) ? nil : content.note
    }

    init(isRemoved: Bool, isDone: Bool, title: String?, note: String?) {
      self.isRemoved = isRemoved
      self.isDone = isDone
      self.title = title
      self.note = note
    }

    func content(from content: TodoContent) -> TodoContent {
      TodoContent(title: title ?? content.title, note: note ?? content.note, isDone: isDone)
    }
  }

  /// The todo at the far end, with a new version.
  func applied(to stored: StoredTodo, at now: Timestamp) -> StoredTodo {
    var after = stored
    switch (far.isRemoved, stored.isRemoved) {
    case (true, _): after.remove(at: now)
    case (false, true): after.restore(to: far.content(from: stored.todo.content), at: now)
    case (false, false): after.edit(to: far.content(from: stored.todo.content), at: now)
    }
    return after
  }
}

/// Whose changes an undo takes back: those of this open store, and those that were there before a
/// list was first used over it. Another server's changes since are for that server to undo.
struct HistorySession {
  /// This open store among all that ever were.
  var number: Int64
  /// The list's turn when this store first used it.
  var turnsBefore: Int64
}

/// Which way to go in the history.
enum HistoryDirection {
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
      + "Ask again to leave it as it is and go on to the one before it."
    return error
  }

  var gone: TodoError {
    TodoError(.notFound, "This todo was removed elsewhere. The change cannot be \(participle).")
  }

  private var participle: String {
    switch self {
    case .undo: "undone"
    case .redo: "redone"
    }
  }
}

extension RestoredTodo {
  /// What a step has done that led from one state of a todo to another.
  init(from before: StoredTodo, to after: StoredTodo, _ direction: HistoryDirection) {
    let (old, new) = (before.todo.content, after.todo.content)
    let isSameText = old.title.hasSameBytes(as: new.title) && old.note.hasSameBytes(as: new.note)
    let change: Change =
      switch (before.isRemoved, after.isRemoved, direction) {
      case (false, true, .undo), (true, false, .redo): .add
      case (true, false, .undo), (false, true, .redo): .remove
      case (false, false, _), (true, true, _): isSameText ? .done : .edit
      }
    self.init(
      id: after.todo.id, change: change, title: after.isRemoved ? old.title : new.title,
      todo: after.isRemoved ? nil : after.todo)
  }
}
