/// Changes of some fields of a todo. The other fields stay unchanged.
package struct FieldChanges: Sendable, Equatable {
  /// The new values. A field has its initial value, such as an empty text, if it is unchanged or
  /// its input is not converted yet.
  package private(set) var values = TodoContent()
  package private(set) var fields: ContentFieldSet = []
  /// The user's input for fields that are not plain texts, such as `tomorrow` for the due date.
  /// `checked` converts the input to values. Until then, the input may be invalid.
  package private(set) var typed: [ContentField: String] = [:]

  package init() {}

  /// Creates changes that set some fields to their values in `content`.
  package init(_ content: TodoContent, fields: ContentFieldSet) {
    for field in ContentField.allCases where fields.contains(field) {
      values.copy(field, from: content)
    }
    self.fields = fields
  }

  /// The new value of a field; `nil` if the field stays unchanged.
  package subscript<Field: ContentFieldType>(_ type: Field.Type) -> Field.Value? {
    get { fields.contains(Field.field) ? Field.value(in: values) : nil }
    set {
      Field.set(newValue ?? Field.value(in: TodoContent()), in: &values)
      if !typed.isEmpty { typed[Field.field] = nil }
      if newValue == nil { fields.remove(Field.field) } else { fields.insert(Field.field) }
    }
  }

  /// Sets the new value of a field. A text that is not a value of the field, such as `tomorrow`, is
  /// stored as the user's input. Any other invalid value is ignored.
  package mutating func set(_ field: ContentField, to value: FieldValue?) {
    if values.set(field, to: value) {
      if !typed.isEmpty { typed[field] = nil }
      fields.insert(field)
    } else if case .text(let text)? = value {
      type(text, into: field)
    }
  }

  /// Sets a field to text that the user has typed.
  package mutating func type(_ text: String, into field: ContentField) {
    if field.kind == .text, !field.isOptional { return set(field, to: .text(text)) }
    values.copy(field, from: TodoContent())
    typed[field] = text
    fields.insert(field)
  }

  /// Returns the text that a form shows for a field: the user's input or, without input, the value
  /// in `content`.
  package func text(of field: ContentField, in content: TodoContent) -> String {
    typed[field] ?? content.text(of: field)
  }

  /// Returns the new value of a changed field; `nil` if the change removes the value. Input that is
  /// not converted yet is returned as text. For an unchanged field, the initial value is returned.
  package func given(_ field: ContentField) -> FieldValue? {
    typed[field].map { .text($0) } ?? values[field]
  }

  /// Returns `content` with the new values. Input that is not converted yet is ignored.
  package func applied(to content: TodoContent) -> TodoContent {
    var content = content
    for field in ContentField.allCases
    where fields.contains(field) && (typed.isEmpty || typed[field] == nil) {
      content.replace(field, from: values)
    }
    return content
  }

  /// Adds later changes. They replace the present changes of the same fields.
  package mutating func merge(_ later: FieldChanges) {
    for field in ContentField.allCases where later.fields.contains(field) {
      values.copy(field, from: later.values)
      if !typed.isEmpty || !later.typed.isEmpty { typed[field] = later.typed[field] }
      fields.insert(field)
    }
  }

  /// Removes the changes of fields that already have their new values in `content`. The user's
  /// input is compared as text.
  package mutating func drop(equalTo content: TodoContent) {
    for field in ContentField.allCases
    where fields.contains(field) && isSame(field, as: content) {
      values.copy(field, from: TodoContent())
      if !typed.isEmpty { typed[field] = nil }
      fields.remove(field)
    }
  }

  /// Returns whether `content` has all the new values. The user's input is compared as text.
  package func isStored(in content: TodoContent) -> Bool {
    ContentField.allCases.allSatisfy { !fields.contains($0) || isSame($0, as: content) }
  }

  /// Returns whether a changed field already has its new value in `content`. The user's input is
  /// compared as text.
  package func isSame(_ field: ContentField, as content: TodoContent) -> Bool {
    if let text = typed.isEmpty ? nil : typed[field] {
      return text.hasSameBytes(as: content.text(of: field))
    }
    return values.isSame(field, as: content)
  }

  /// Returns these changes, with CR LF line ends in the note if the stored note has only CR LF.
  ///
  /// Many input controls turn CR LF into LF. Without this method, every edit of such a note would
  /// change all its line ends.
  package func restoringLineEnds(of stored: TodoContent) -> FieldChanges {
    guard let note = self[NoteField.self] else { return self }
    var changes = self
    changes[NoteField.self] = note.withLineEnds(of: stored.note)
    return changes
  }

  /// Validates and normalizes the new values, and converts the user's input to values.
  ///
  /// - Parameter today: The day to which relative dates refer. With `nil`, the input is validated
  ///   but not converted.
  /// - Throws: `validation` with all invalid fields.
  func checked(on today: CivilDay? = nil) throws(TodoError) -> FieldChanges {
    var check = FieldCheck(content: values, typed: typed, today: today)
    for field in ContentField.allCases where fields.contains(field) { field.visit(&check) }
    if !check.problems.isEmpty { throw .validation(check.problems) }
    var changes = self
    changes.values = check.content
    if today != nil { changes.typed = [:] }
    return changes
  }
}

/// A visitor that normalizes the values of fields, and collects an error message for each invalid
/// value.
private struct FieldCheck: ContentFieldVisitor {
  var content: TodoContent
  let typed: [ContentField: String]
  let today: CivilDay?
  var problems: [FieldProblem] = []

  init(content: TodoContent, typed: [ContentField: String], today: CivilDay?) {
    (self.content, self.typed, self.today) = (content, typed, today)
  }

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) {
    guard let text = typed.isEmpty ? nil : typed[Field.field] else {
      let value = checked(Field.value(in: content), of: type)
      return Field.set(value, in: &content)
    }
    guard let parsed = Field.value(typed: text, on: today ?? .first) else {
      return addProblem(Field.expected, of: Field.field)
    }
    let value = checked(parsed, of: type)
    if today != nil { Field.set(value, in: &content) }
  }

  private mutating func checked<Field: ContentFieldType>(
    _ value: Field.Value, of type: Field.Type
  ) -> Field.Value {
    let value = Field.normalized(value)
    if let problem = Field.problem(with: value) { addProblem(problem, of: Field.field) }
    return value
  }

  private mutating func addProblem(_ message: String, of field: ContentField) {
    problems.append(FieldProblem(field: field.rawValue, message: message))
  }
}
