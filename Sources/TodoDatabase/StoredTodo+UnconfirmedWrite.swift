import TodoModel

extension StoredTodo {
  /// Merges the fields of an unconfirmed write with an item that was read after the write.
  ///
  /// The item shows which fields the source has applied. If a field of the item equals neither the
  /// written value nor the value before the write, others have changed the field, possibly after
  /// the write.
  ///
  /// If the user has set such a field back to the value that it had before the write, the written
  /// value becomes the base of the field. Then the user's value conflicts with the change by
  /// others. With the old base, this change would replace the user's value. Labels never conflict.
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
