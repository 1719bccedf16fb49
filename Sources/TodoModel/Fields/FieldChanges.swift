/// New values of some fields of a todo; the others stay unchanged.
package struct FieldChanges: Sendable, Equatable {
  /// The new values; initial ones in the fields that do not change.
  package private(set) var values = TodoContent()
  package private(set) var fields: ContentFieldSet = []

  package init() {}

  /// Changes some fields to the values of a content.
  package init(_ content: TodoContent, fields: ContentFieldSet) {
    for field in ContentField.allCases where fields.contains(field) {
      values.copy(field, from: content)
    }
    self.fields = fields
  }

  /// The new value of a field; `nil` if it stays unchanged.
  package subscript<Field: ContentFieldType>(_ type: Field.Type) -> Field.Value? {
    get { fields.contains(Field.field) ? Field.value(in: values) : nil }
    set {
      Field.set(newValue ?? Field.value(in: TodoContent()), in: &values)
      if newValue == nil { fields.remove(Field.field) } else { fields.insert(Field.field) }
    }
  }

  /// Changes a field, unless the value is of another kind than those of the field.
  package mutating func set(_ field: ContentField, to value: FieldValue?) {
    if values.set(field, to: value) { fields.insert(field) }
  }

  /// The content with the new values.
  package func applied(to content: TodoContent) -> TodoContent {
    var content = content
    for field in ContentField.allCases where fields.contains(field) {
      content.copy(field, from: values)
    }
    return content
  }

  /// Replaces these changes by later ones of the same fields.
  package mutating func merge(_ later: FieldChanges) {
    for field in ContentField.allCases where later.fields.contains(field) {
      values.copy(field, from: later.values)
      fields.insert(field)
    }
  }

  /// Removes the changes to values that a content has already.
  package mutating func drop(equalTo content: TodoContent) {
    for field in ContentField.allCases
    where fields.contains(field) && values.isSame(field, as: content) {
      values.copy(field, from: TodoContent())
      fields.remove(field)
    }
  }

  /// Returns the changes with the line ends of the stored texts: many widgets turn CR LF into LF.
  ///
  /// A note whose every line ends in CR LF gets them back.
  package func restoringLineEnds(of stored: TodoContent) -> FieldChanges {
    guard let note = self[NoteField.self] else { return self }
    var changes = self
    changes[NoteField.self] = note.withLineEnds(of: stored.note)
    return changes
  }

  /// Returns the values to store for those that a user gave. Throws `validation` with the fields
  /// that are wrong.
  func checked() throws(TodoError) -> FieldChanges {
    var check = FieldCheck(content: values)
    for field in ContentField.allCases where fields.contains(field) { field.visit(&check) }
    if !check.problems.isEmpty { throw .validation(check.problems) }
    var changes = self
    changes.values = check.content
    return changes
  }
}

/// Normalizes the value of a field, and collects why a user cannot give it.
private struct FieldCheck: ContentFieldVisitor {
  var content: TodoContent
  var problems: [FieldProblem] = []

  init(content: TodoContent) { self.content = content }

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) {
    let value = Field.normalized(Field.value(in: content))
    if let problem = Field.problem(with: value) {
      problems.append(FieldProblem(field: Field.field.rawValue, message: problem))
    }
    Field.set(value, in: &content)
  }
}
