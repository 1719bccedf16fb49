/// The steps of a sync that send label changes to a source that accepts one label per request.
extension SyncEngine {
  /// Returns the request for the next label change of a todo; `nil` if there is none.
  mutating func writeLabel(
    of todo: OutgoingTodo, over labels: LabelSet, _ now: Timestamp
  ) throws(TodoError) -> SyncStep? {
    guard let key = todo.key, var content = todo.base,
      let change = todo.labelChange(over: labels)
    else { return nil }
    content.labels = change.applied(to: content.labels)
    return try write(
      .changeLabel(key: key, change), .change, todo, content: content, label: change, now)
  }

  /// Stores the response to a change. If the user has edited the todo during the request, the todo
  /// still differs from its item. The next round of changes (see `beginLastRound`) sends the
  /// difference.
  mutating func accept(
    _ item: RemoteItem, for todo: OutgoingTodo
  ) throws(TodoError) {
    let after = try journal.recordReceived(item, for: todo.id, isAnswer: true, in: list)
    countSent(todo.id)
    if item.isIncomplete {
      report.failed.append(
        SyncReport.Failed(
          id: todo.id, title: todo.content.title, failure: SyncFailure(.requirementsRefused)))
      return push.dropFirst()
    }
    let hasLabels = item.fields.contains(.labels)
    if hasLabels, todo.key == nil,
      !todo.content.labels.subtracting(item.content.labels).isEmpty
    {
      return try refuse(todo.id, .labelsRefused)
    }
    if hasLabels, capabilities.changesLabelsSingly, todo.key != nil, let after, !after.isRemoved,
      after.labelChange(over: item.content.labels) != nil
    {
      push.stage = .labelling(item.content.labels)
    } else {
      push.dropFirst()
    }
  }

  /// Stores the response to the change of a label. The item is not read again before the next label
  /// change, because a label change does not depend on other fields.
  mutating func accept(
    _ labels: LabelSet, after change: LabelChange, of todo: OutgoingTodo
  ) throws(TodoError) {
    let after = try journal.recordReceived(labels: labels, for: todo.id, in: list)
    guard change.isApplied(in: labels) else { return try refuse(todo.id, .labelsRefused) }
    countSent(todo.id)
    if after == nil { push.dropFirst() } else { push.stage = .labelling(labels) }
  }
}

extension OutgoingTodo {
  /// Returns the next label change to send for an item whose current labels are `labels`; `nil` if
  /// no label has to be changed. Removals come before additions.
  fileprivate func labelChange(over labels: LabelSet) -> LabelChange? {
    let known = base?.labels ?? LabelSet()
    if let label = labels.intersection(known).subtracting(content.labels).texts.first {
      return LabelChange(label: label, isAdded: false)
    }
    return content.labels.subtracting(labels).texts.first.map {
      LabelChange(label: $0, isAdded: true)
    }
  }
}

extension TodoError {
  /// The error for a response that does not contain the label change which was sent.
  package static let labelsRefused = TodoError(.forbidden, "You may not set labels here.")
  /// The error for a new item that the source has created without the assignee or milestone of the
  /// filter.
  package static let requirementsRefused = TodoError(
    .forbidden, "You may not set the assignee or the milestone that the filter requires.")
}
