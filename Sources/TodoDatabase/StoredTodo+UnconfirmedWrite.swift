import TodoModel

extension StoredTodo {
  /// Merges the fields of an unconfirmed write with an item that was read after it.
  ///
  /// The item shows which fields the source has applied. A field with neither the content before
  /// the write nor the written content was changed by others, maybe after the write. If the user has
  /// put back the former content since the write, this is an edit of the written content. So it
  /// conflicts with the change by others, which would replace it otherwise. Labels never conflict.
  mutating func mergeUnconfirmedWrite(with item: TodoContent, now: Timestamp) {
    guard let sent else { return }
    let base = base ?? sent.content
    let changed = sent.content.fields(differingFrom: base)
    let applied = changed.filter { item.hasApplied($0, of: sent.content, to: base) }
    recognize(applied, of: sent.content, from: base, in: item, now: now)
    let putBack = changed.filter { field in
      field != .labels && !applied.contains(field) && !item.isSame(field, as: base)
        && todo.content.isSame(field, as: base)
    }
    self.base?.copy(putBack, from: sent.content)
    if sent.kind == .change, applied == changed { self.sent = nil }
  }
}
