/// New values of some fields of a todo; the others stay unchanged.
package struct FieldChanges: Sendable, Equatable {
  /// The new values; initial values in the fields that do not change.
  package private(set) var values = TodoContent()
  package private(set) var fields: ContentFieldSet = []
  /// The user's input for fields whose values are not texts. `checked` converts it to values, so that an
  /// invalid text stays unchanged.
  package private(set) var typed: [ContentField: String] = [:]

  package init() {}

  /// Creates changes of some fields to the values of a content.
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
      if !typed.isEmpty { typed[Field.field] = nil }
      if newValue == nil { fields.remove(Field.field) } else { fields.insert(Field.field) }
    }
  }

  /// Changes a field. A text for a field of another kind counts as typed input; any other value of
  /// another kind is ignored.
  package mutating func set(_ field: ContentField, to value: FieldValue?) {
    if values.set(field, to: value) {
      if !typed.isEmpty { typed[field] = nil }
      fields.insert(field)
    } else if case .text(let text)? = value {
      type(text, into: field)
    }
  }

  /// Changes a field to typed input.
  package mutating func type(_ text: String, into field: ContentField) {
    if field.kind == .text, !field.isOptional { return set(field, to: .text(text)) }
    values.copy(field, from: TodoContent())
    typed[field] = text
    fields.insert(field)
  }

  /// Returns the text of a field in a form: the typed input, or else the stored text.
  package func text(of field: ContentField, in content: TodoContent) -> String {
    typed[field] ?? content.text(of: field)
  }

  /// Returns the new value of a field before validation; typed input is a text.
  package func given(_ field: ContentField) -> FieldValue? {
    typed[field].map { .text($0) } ?? values[field]
  }

  /// Returns the content with the new values. Typed input that is not converted yet is ignored.
  package func applied(to content: TodoContent) -> TodoContent {
    var content = content
    for field in ContentField.allCases
    where fields.contains(field) && (typed.isEmpty || typed[field] == nil) {
      content.replace(field, from: values)
    }
    return content
  }

  /// Replaces these changes by later ones of the same fields.
  package mutating func merge(_ later: FieldChanges) {
    for field in ContentField.allCases where later.fields.contains(field) {
      values.copy(field, from: later.values)
      if !typed.isEmpty || !later.typed.isEmpty { typed[field] = later.typed[field] }
      fields.insert(field)
    }
  }

  /// Removes the changes that a content already has.
  package mutating func drop(equalTo content: TodoContent) {
    for field in ContentField.allCases
    where fields.contains(field) && isSame(field, as: content) {
      values.copy(field, from: TodoContent())
      if !typed.isEmpty { typed[field] = nil }
      fields.remove(field)
    }
  }

  /// Whether a content already has all changes, including the typed input.
  package func isStored(in content: TodoContent) -> Bool {
    ContentField.allCases.allSatisfy { !fields.contains($0) || isSame($0, as: content) }
  }

  private func isSame(_ field: ContentField, as content: TodoContent) -> Bool {
    if let text = typed.isEmpty ? nil : typed[field] {
      return text.hasSameBytes(as: content.text(of: field))
    }
    return values.isSame(field, as: content)
  }

  /// Returns the changes with the line ends of the stored texts, because many widgets turn CR LF
  /// into LF.
  ///
  /// If every line of the stored note ends in CR LF, the new note gets CR LF, too.
  package func restoringLineEnds(of stored: TodoContent) -> FieldChanges {
    guard let note = self[NoteField.self] else { return self }
    var changes = self
    changes[NoteField.self] = note.withLineEnds(of: stored.note)
    return changes
  }

  /// Normalizes and validates the changes, and converts typed input to values.
  ///
  /// - Parameter today: The day of the input. With `nil` the typed input is only checked, and stays
  ///   unchanged.
  /// - Throws: `validation` with the fields that are wrong.
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

/// Normalizes the value of a field, and collects why a user cannot give it.
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
