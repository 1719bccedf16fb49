extension Draft {
  /// Returns whether this draft continues another one: both have the same base, and each text of
  /// this draft begins with the text of the other draft.
  package func continues(_ other: Draft) -> Bool {
    guard base == other.base else { return false }
    switch (edit, other.edit) {
    case (.fields(let changes), .fields(let others)):
      return ContentField.allCases.allSatisfy { field in
        !others.fields.contains(field)
          || changes.fields.contains(field)
            && Self.value(changes.given(field), continues: others.given(field))
      }
    case (.merged(let text, let mine), .merged(let other, let otherMine)):
      return text.utf8.starts(with: other.utf8) && (mine.fields.isEmpty || mine == otherMine)
    case (.fields, .merged), (.merged, .fields): return false
    }
  }

  private static func value(_ value: FieldValue?, continues other: FieldValue?) -> Bool {
    switch (value, other) {
    case (.text(let text)?, .text(let other)?): text.utf8.starts(with: other.utf8)
    case (let value, let other): value == other
    }
  }

  /// Returns whether a todo with this content already has all values of the draft.
  package func isStored(in content: TodoContent) -> Bool {
    switch edit {
    case .fields(let changes):
      guard let edit = try? TodoEdit(checking: changes) else { return false }
      return edit.changes.typed.isEmpty && edit.applied(to: content) == content
    case .merged(let text, let mine):
      let (title, note) = TodoText.split(text)
      guard
        let edit = try? TodoEdit(title: title, note: note.withLineEnds(of: content.note))
      else { return false }
      var changes = mine
      changes.merge(edit.changes)
      return changes.applied(to: content) == content
    }
  }
}
