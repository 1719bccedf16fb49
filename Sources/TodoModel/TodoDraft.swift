/// The validated values of a todo to add.
package struct TodoDraft: Sendable, Equatable {
  private var changes: FieldChanges

  package var content: TodoContent { changes.values }

  /// Validates values of a user.
  ///
  /// - Throws: `validation` with the invalid fields.
  package init(_ content: TodoContent) throws(TodoError) {
    try self.init(checking: FieldChanges(content, fields: .all))
  }

  /// Validates values of a user.
  ///
  /// - Throws: `validation` with the invalid or missing fields.
  package init(checking changes: FieldChanges) throws(TodoError) {
    var changes = changes
    for field in ContentField.allCases
    where field.traits.isRequired && !changes.fields.contains(field) {
      changes.set(field, to: changes.values[field])
    }
    self.changes = try changes.checked()
  }

  /// Returns the todo with the user's input converted to values on a day.
  ///
  /// - Throws: `validation`.
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
  /// The version that the edit is based on. If the todo has another one, the edit is merged or
  /// conflicts.
  package var expectedVersion: Int64?
  /// The text to append to the note at the time when the edit is stored. It never conflicts.
  package var appendedNote: String?

  /// Validates values of a user.
  ///
  /// - Throws: `validation` with the invalid fields.
  package init(checking changes: FieldChanges, expectedVersion: Int64? = nil) throws(TodoError) {
    self.init(unchecked: try changes.checked(), expectedVersion: expectedVersion)
  }

  /// Creates an edit from values that are valid or already stored.
  package init(unchecked changes: FieldChanges, expectedVersion: Int64? = nil) {
    self.changes = changes
    self.expectedVersion = expectedVersion
  }

  /// Validates values of a user.
  ///
  /// - Throws: `validation` with the invalid fields.
  package init(
    title: String? = nil, note: String? = nil, isDone: Bool? = nil, expectedVersion: Int64? = nil
  ) throws(TodoError) {
    var changes = FieldChanges()
    changes[TitleField.self] = title
    changes[NoteField.self] = note
    changes[DoneField.self] = isDone
    try self.init(checking: changes, expectedVersion: expectedVersion)
  }

  /// Creates an edit of `done` alone, which is always valid.
  package init(isDone: Bool) {
    self.init(unchecked: FieldChanges(TodoContent(isDone: isDone), fields: [.done]))
  }

  /// Returns the edit with the user's input converted to values on a day.
  ///
  /// - Throws: `validation`.
  package func resolved(on today: CivilDay) throws(TodoError) -> TodoEdit {
    if changes.typed.isEmpty { return self }
    var edit = self
    edit.changes = try changes.checked(on: today)
    return edit
  }

  /// Returns the content after this edit, without the text that it appends.
  package func applied(to content: TodoContent) -> TodoContent { changes.applied(to: content) }

  /// Appends the text of this edit to the note, on a line of its own.
  ///
  /// - Throws: `validation` if the note becomes invalid, such as too long.
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
  /// The text without whitespace at both ends.
  package var trimmed: String {
    // Fast path: nearly always there is none, which takes no Unicode properties to find out.
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
