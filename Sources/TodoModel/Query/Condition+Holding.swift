extension TodoFilter {
  /// Returns whether a todo has the done state that the filter requires. Without a required state,
  /// every todo matches.
  func matchesDoneState(of todo: Todo) -> Bool {
    !selectsNone && (isDone == nil || todo.content.isDone == isDone)
  }

  /// Returns whether all qualifiers hold for a todo. The todo's done state and the search words of
  /// the query are not checked.
  func matchesQualifiers(of todo: Todo) -> Bool {
    qualifiers.allSatisfy { $0.condition.holds(for: todo) != $0.isNegated }
  }
}

extension Condition {
  /// Returns whether the condition holds for a todo of a list that is searched in memory. The
  /// stores of such lists (`MemoryTodoStore`, `SourceStore`) have no drafts, so the condition
  /// `draft` never holds.
  fileprivate func holds(for todo: Todo) -> Bool {
    switch self {
    case .done(let isDone): todo.content.isDone == isDone
    case .sync(let state): todo.sync == state
    case .draft: false
    // These stores have no journal, and return only todos in the view.
    case .view: true
    case .overdue(let day):
      !todo.content.isDone && (todo.effectiveDue.map { $0.day < day } ?? false)
    case .labels(let keys):
      todo.content.labels.texts.contains { keys.contains(LabelSet.key(of: $0)) }
    case .noLabel: todo.content.labels.isEmpty
    case .due(let days): todo.effectiveDue.map { days.contains($0.day) } ?? false
    case .noDue: todo.effectiveDue == nil
    case .priority(let priority): todo.content.priority == priority
    case .number(let number): todo.origin?.number == number
    case .assignees(let keys):
      todo.origin?.details?.assignees.contains { keys.contains(LabelSet.key(of: $0)) } ?? false
    case .milestones(let keys):
      todo.origin?.details?.milestone.map { keys.contains(LabelSet.key(of: $0)) } ?? false
    case .comments(let numbers): numbers.contains(todo.origin?.details?.comments ?? 0)
    }
  }
}
