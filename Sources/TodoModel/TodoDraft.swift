/// A todo that is about to be added, with values that follow the rules.
package struct TodoDraft: Sendable, Equatable {
  private var changes: FieldChanges

  package var content: TodoContent { changes.values }

  /// Checks values that a user gave. Throws `validation` with the fields that are wrong.
  package init(_ content: TodoContent) throws(TodoError) {
    try self.init(checking: FieldChanges(content, fields: .all))
  }

  /// Checks values that a user gave. Throws `validation` with the fields that are wrong or missing.
  package init(checking changes: FieldChanges) throws(TodoError) {
    var changes = changes
    for field in ContentField.allCases
    where field.traits.isRequired && !changes.fields.contains(field) {
      changes.set(field, to: changes.values[field])
    }
    self.changes = try changes.checked()
  }

  /// The todo with values in place of the user's input on a day. Throws `validation`.
  package func resolved(on today: CivilDay) throws(TodoError) -> TodoDraft {
    if changes.typed.isEmpty { return self }
    var draft = self
    draft.changes = try changes.checked(on: today)
    return draft
  }

  package init(title: String, note: String = "") throws(TodoError) {
    try self.init(TodoContent(title: title, note: note))
  }
}

/// An edit of a todo.
package struct TodoEdit: Sendable, Equatable {
  package var changes: FieldChanges
  /// The version that the edit was made from. When the todo has moved on, the edit is a conflict.
  package var expectedVersion: Int64?
  /// Text to add at the end of the note as it is when the edit is stored. It conflicts with no other
  /// change.
  package var appendedNote: String?

  /// Checks values that a user gave. Throws `validation` with the fields that are wrong.
  package init(checking changes: FieldChanges, expectedVersion: Int64? = nil) throws(TodoError) {
    self.init(unchecked: try changes.checked(), expectedVersion: expectedVersion)
  }

  /// An edit with values that follow the rules, or that are stored already.
  package init(unchecked changes: FieldChanges, expectedVersion: Int64? = nil) {
    self.changes = changes
    self.expectedVersion = expectedVersion
  }

  /// Checks values that a user gave. Throws `validation` with the fields that are wrong.
  package init(
    title: String? = nil, note: String? = nil, isDone: Bool? = nil, expectedVersion: Int64? = nil
  ) throws(TodoError) {
    var changes = FieldChanges()
    changes[TitleField.self] = title
    changes[NoteField.self] = note
    changes[DoneField.self] = isDone
    try self.init(checking: changes, expectedVersion: expectedVersion)
  }

  /// An edit of `done` alone, which nothing can be wrong with.
  package init(isDone: Bool) {
    self.init(unchecked: FieldChanges(TodoContent(isDone: isDone), fields: [.done]))
  }

  /// The edit with values in place of the user's input on a day. Throws `validation`.
  package func resolved(on today: CivilDay) throws(TodoError) -> TodoEdit {
    if changes.typed.isEmpty { return self }
    var edit = self
    edit.changes = try changes.checked(on: today)
    return edit
  }

  /// The content after this edit, without the text that it appends.
  package func applied(to content: TodoContent) -> TodoContent { changes.applied(to: content) }

  /// Adds the text that this edit appends to the note, on a line of its own. Throws `validation` if
  /// the note becomes invalid, such as too long.
  package func appending(to content: TodoContent) throws(TodoError) -> TodoContent {
    guard let appendedNote, !appendedNote.isEmpty else { return content }
    var content = content
    content.note = content.note.appendingLine(appendedNote)
    if let problem = NoteField.problem(with: content.note) {
      throw .validation([FieldProblem(field: ContentField.note.rawValue, message: problem)])
    }
    return content
  }
}

extension String {
  /// Without the white space at both ends.
  package var trimmed: String {
    // Nearly always there is none, and Unicode need not be asked.
    let visible: ClosedRange<UInt8> = 0x21...0x7E
    if let first = utf8.first, let last = utf8.last, visible ~= first, visible ~= last {
      return self
    }
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
