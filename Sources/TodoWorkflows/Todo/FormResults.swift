import ScreenModel
import TodoModel

/// The effects of ended operations on the open form.
extension TodoWorkflow.State {
  /// Handles an edit that was stored. A form or comparison that has sent the edit is closed (see
  /// `closeForm`). Another open form or comparison of the same todo is updated.
  mutating func showEdited(_ todo: Todo, by edit: TodoEdit? = nil, _ entry: QueuedOperation) {
    switch (step, entry.origin) {
    case (.edit, .editScreen), (.conflict, .conflictScreen):
      closeForm(todo, storing: edit, stays: entry.stays)
    case (.edit(var form), .request), (.edit(var form), .list), (.edit(var form), .refresh),
      (.edit(var form), .conflictScreen), (.edit(var form), .removedScreen):
      guard form.todo.id == todo.id else { return }
      form.follow(todo)
      step = .edit(form)
    case (.conflict(let comparison), .request), (.conflict(let comparison), .list),
      (.conflict(let comparison), .refresh), (.conflict(let comparison), .editScreen),
      (.conflict(let comparison), .removedScreen):
      if comparison.sides.id == todo.id { refreshFront() }
    case (.list, _), (.drafts, _), (.removed, _), (.loadFailed, _): break
    }
  }

  /// Closes a form whose text was stored. If `stays` is `true`, shows the stored todo in a new form
  /// instead.
  ///
  /// - Parameter edit: The edit that was merged into the todo; `nil` for a new todo.
  mutating func closeForm(_ todo: Todo, storing edit: TodoEdit? = nil, stays: Bool) {
    if restored != nil || list.drafted.contains(where: { $0.id == todo.id }) { readDrafts() }
    guard stays else {
      step = .list
      return
    }
    if case .edit(let form) = step {
      step = .edit(TodoForm(todo, after: form, storing: edit))
    } else {
      step = .edit(TodoForm(todo, in: key))
    }
  }

  /// Updates the open form after its todo was read again.
  mutating func refresh(_ todo: Todo, _ conflict: SourceConflict?) {
    switch step {
    case .edit(var form):
      guard form.todo.id == todo.id else { return }
      form.follow(todo)
      step = .edit(form)
    case .conflict(var comparison):
      guard comparison.sides.id == todo.id else { return }
      step = comparison.follow(todo, conflict) ? .conflict(comparison) : .list
    case .list, .drafts, .removed, .loadFailed: break
    }
  }

  /// Marks the todo of the open form as removed. If a comparison is open for the todo, replaces the
  /// comparison with a form that has the unsaved text of the comparison.
  ///
  /// - Parameter last: The last version of the todo; `nil` if it is not known.
  mutating func markRemoved(_ id: TodoID, _ last: Todo? = nil) {
    switch step {
    case .edit(var form):
      guard form.todo.id == id else { return }
      form.markRemoved(last)
      step = .edit(form)
    case .conflict(let comparison):
      guard comparison.sides.id == id else { return }
      step = comparison.formAfterRemoval().map { .edit($0) } ?? .list
    case .list, .drafts, .removed, .loadFailed: break
    }
  }

  // MARK: Failures

  /// Handles a failed save: shows the error in the form, or opens the comparison for a conflict.
  mutating func show(_ error: TodoError, ofSave entry: QueuedOperation) -> TodoOutcome {
    guard case .edit(var form) = step else { return .failed(error) }
    if let conflict = error.conflict {
      step = .conflict(
        Comparison(
          ConflictSides(form.todo.id, conflict), in: key, edit: form.draft,
          restored: form.restored))
      return .needsDecision
    }
    if error.kind == .notFound {
      markRemoved(form.todo.id)
      return .failed(.todoRemovedElsewhere)
    }
    form.failure = error
    step = .edit(form)
    return .failed(error)
  }

  /// Handles a failed resolution of a conflict: shows the error in the comparison.
  mutating func show(_ error: TodoError, ofDecision entry: QueuedOperation) -> TodoOutcome {
    guard case .conflict(var comparison) = step else { return .failed(error) }
    comparison.failure = error
    if let conflict = error.conflict {
      comparison.follow(conflict)
      step = .conflict(comparison)
      // The new sides of a conflict with the source are in the store.
      if comparison.sides.isWithSource { refreshFront() }
      return .needsDecision
    }
    step = .conflict(comparison)
    guard error.kind == .notFound, case .settle(let id, _, let edit) = entry.operation else {
      return .failed(error)
    }
    if let edit {
      step = .edit(comparison.formAfterRemoval(saving: edit.changes.values))
    } else {
      markRemoved(id)
    }
    return .failed(.todoRemovedElsewhere)
  }

  mutating func show(_ error: TodoError, ofRefresh entry: QueuedOperation) -> TodoOutcome {
    if case .importDrafts = entry.operation { list.notify(.warning, error.message) }
    return .failed(error)
  }
}
