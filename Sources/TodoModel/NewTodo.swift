/// The validated values of a new todo, before it is added.
package struct NewTodo: Sendable, Equatable {
  private var changes: FieldChanges

  package var content: TodoContent { changes.values }

  /// Validates the user's values, and creates a new todo from them.
  ///
  /// - Throws: `validation` with the invalid fields.
  package init(_ content: TodoContent) throws(TodoError) {
    try self.init(checking: FieldChanges(content, fields: .all))
  }

  /// Validates the user's values, and creates a new todo from them.
  ///
  /// - Throws: `validation` with the invalid and the missing fields.
  package init(checking changes: FieldChanges) throws(TodoError) {
    var changes = changes
    for field in ContentField.allCases
    where field.traits.isRequired && !changes.fields.contains(field) {
      changes.set(field, to: changes.values[field])
    }
    self.changes = try changes.checked()
  }

  /// Returns the new todo with the user's input, such as `tomorrow`, converted to values.
  ///
  /// - Parameter today: The day to which relative dates refer.
  /// - Throws: `validation` if the input is invalid.
  package func resolved(on today: CivilDay) throws(TodoError) -> NewTodo {
    if changes.typed.isEmpty { return self }
    var draft = self
    draft.changes = try changes.checked(on: today)
    return draft
  }

  package init(title: String, note: String = "") throws(TodoError) {
    try self.init(TodoContent(title: title, note: note))
  }
}

/// An edit of a todo: the changed fields, and the version on which the edit is based.
package struct TodoEdit: Sendable, Equatable {
  package var changes: FieldChanges
  /// The version on which the edit is based. If the todo has another version, the edit is merged,
  /// or is in conflict. With `nil`, the edit applies to any version.
  package var expectedVersion: Int64?
  /// The text to append to the todo's note when the edit is stored; `nil` for none. It never causes
  /// a conflict.
  package var appendedNote: String?

  /// Validates the user's values, and creates an edit from them.
  ///
  /// - Throws: `validation` with the invalid fields.
  package init(checking changes: FieldChanges, expectedVersion: Int64? = nil) throws(TodoError) {
    self.init(unchecked: try changes.checked(), expectedVersion: expectedVersion)
  }

  /// Creates an edit without validation, from values that are valid or already stored.
  package init(unchecked changes: FieldChanges, expectedVersion: Int64? = nil) {
    self.changes = changes
    self.expectedVersion = expectedVersion
  }

  /// Validates the user's values, and creates an edit from them.
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

  /// Creates an edit that only changes whether the todo is done.
  package init(isDone: Bool) {
    self.init(unchecked: FieldChanges(TodoContent(isDone: isDone), fields: [.done]))
  }

  /// Returns the edit with the user's input, such as `tomorrow`, converted to values.
  ///
  /// - Parameter today: The day to which relative dates refer.
  /// - Throws: `validation` if the input is invalid.
  package func resolved(on today: CivilDay) throws(TodoError) -> TodoEdit {
    if changes.typed.isEmpty { return self }
    var edit = self
    edit.changes = try changes.checked(on: today)
    return edit
  }

  /// Returns `content` with this edit applied, except for `appendedNote`.
  package func applied(to content: TodoContent) -> TodoContent { changes.applied(to: content) }

  /// Returns `content` with `appendedNote` appended to its note as a new line.
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
  /// The text without whitespace at its start and end.
  package var trimmed: String {
    // Fast path: most texts begin and end with visible ASCII, which needs no Unicode properties.
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
