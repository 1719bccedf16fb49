extension TodoFilter {
  /// Whether the done state of a todo is the one that the filter requires.
  func isDoneHolds(for todo: Todo) -> Bool {
    !selectsNone && (isDone == nil || todo.content.isDone == isDone)
  }

  /// Whether a todo matches the qualifiers other than the done state.
  func qualifiersHold(for todo: Todo) -> Bool {
    qualifiers.allSatisfy { $0.condition.holds(for: todo) != $0.isNegated }
  }
}

extension Condition {
  /// Whether the condition holds for a todo. `is:draft` never does: only SQLite stores drafts.
  fileprivate func holds(for todo: Todo) -> Bool {
    switch self {
    case .done(let isDone): todo.content.isDone == isDone
    case .sync(let state): todo.sync == state
    case .draft: false
    // Only a store with a journal has todos outside of a view.
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
