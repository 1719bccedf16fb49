import TodoModel

extension TodoContent {
  /// Protects the fields that other clients have changed and changed back since the base of an
  /// edit. `self` is the result of merging the edit with the stored todo. The merge has replaced
  /// the restored values, because it compares only `base` and `theirs`, but the user has not seen
  /// that the values were restored.
  ///
  /// The labels of both sides are kept. Whether the todo is done is not protected.
  ///
  /// - Parameters:
  ///   - changed: The fields that have changed since the base.
  ///   - theirs: The stored todo.
  ///   - base: The content on which the edit is based.
  /// - Throws: `conflict` for a restored field. The conflict has no base, because the base would
  ///   make the field look unchanged.
  mutating func protect(
    _ changed: ContentFieldSet, of theirs: Todo, restoredTo base: TodoContent
  ) throws(TodoError) {
    for field in ContentField.allCases where changed.contains(field) {
      let value = theirs.content[field]
      guard value == base[field], value != self[field] else { continue }
      switch field {
      case .done: break
      case .labels:
        let joined = LabelField.join(base: nil, mine: labels, theirs: theirs.content.labels)
        labels = joined ?? labels
      case .title, .note, .due, .priority:
        throw .conflict(
          TodoConflict(
            base: nil, mine: self, theirs: theirs.content, theirVersion: theirs.version))
      }
    }
  }
}
