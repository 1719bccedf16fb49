extension Draft {
  /// Returns whether this draft continues another draft of the same todo: each text of this draft
  /// begins with the text of the other draft. Labels, the due date and the priority are compared
  /// word by word, so `homework` does not continue `home`.
  package func continues(_ other: Draft) -> Bool {
    base.isForSameTodo(as: other.base) && edit.continues(other.edit)
  }

  /// Returns whether the user typed this draft without having seen another draft of the same todo.
  /// For example, this draft was typed in a pane that was opened earlier.
  ///
  /// The result is always `false` if the drafts are for different screens, or if this draft
  /// continues `other`. Otherwise:
  /// - For two drafts of a form, the result is `true` if the bases differ.
  /// - For two drafts of a conflict's screen, the result is `true` if this draft's base is older
  ///   than the base of `other`. If this draft's base is newer, the result is `false`, because the
  ///   screen on which the user typed this draft has then shown `other`.
  package func isUnaware(of other: Draft) -> Bool {
    switch (edit, other.edit) {
    case (.fields, .fields): base != other.base && !edit.continues(other.edit)
    case (.merged, .merged):
      base.version < other.base.version && !edit.continues(other.edit)
    case (.fields, .merged), (.merged, .fields): false
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
      var changes = mine?.changes ?? FieldChanges()
      changes.merge(edit.changes)
      return changes.applied(to: content) == content
    }
  }
}

extension Draft.Edit {
  /// Returns whether each text of this edit begins with the text of another edit (see
  /// `Draft.continues`).
  fileprivate func continues(_ other: Draft.Edit) -> Bool {
    switch (self, other) {
    case (.fields(let changes), .fields(let others)):
      ContentField.allCases.allSatisfy { field in
        !others.fields.contains(field)
          || changes.fields.contains(field)
            && Self.value(changes.given(field), continues: others.given(field), in: field)
      }
    case (.merged(let text, let mine), .merged(let other, let otherMine)):
      text.utf8.starts(with: other.utf8) && (mine == nil || mine == otherMine)
    case (.fields, .merged), (.merged, .fields): false
    }
  }

  private static func value(
    _ value: FieldValue?, continues other: FieldValue?, in field: ContentField
  ) -> Bool {
    guard case (.text(let text)?, .text(let other)?) = (value, other) else {
      return value == other
    }
    guard text.utf8.starts(with: other.utf8) else { return false }
    switch field {
    case .title, .note: return true
    case .done, .due, .labels, .priority:
      guard let next = text.utf8.dropFirst(other.utf8.count).first else { return true }
      return !other.isEmpty && [UInt8(ascii: " "), UInt8(ascii: ",")].contains(next)
    }
  }
}
