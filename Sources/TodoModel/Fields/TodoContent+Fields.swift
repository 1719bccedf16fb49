extension ContentField {
  package var traits: FieldTraits {
    var traits = Traits()
    return visit(&traits)
  }

  /// The name of the field, for a JSON writer.
  package var name: StaticString {
    var name = Name()
    return visit(&name)
  }

  package var kind: FieldKind {
    var kind = Kind()
    return visit(&kind)
  }

  /// Whether the field may have no value.
  package var isOptional: Bool {
    var isOptional = IsOptional()
    return visit(&isOptional)
  }

  /// The message for invalid input, with the accepted forms.
  package var expected: String {
    var expected = Expected()
    return visit(&expected)
  }
}

extension ContentField {
  /// The fields that can be set when a todo is added.
  package static let setOnAdd = allCases.filter { $0.traits.isSetOnAdd }

  /// The fields that are shown with their names in a one-line description of a todo: all but the
  /// title, the note and done, which have fixed positions.
  package static let details = allCases.filter { ![.title, .note, .done].contains($0) }
}

extension TodoContent: Equatable {
  package static func == (a: TodoContent, b: TodoContent) -> Bool {
    var comparison = Comparison(a: a, b: b)
    return ContentField.allCases.allSatisfy { $0.visit(&comparison) }
  }

  /// Returns the fields in which this content differs from another one, compared byte for byte.
  ///
  /// A source gets the fields that differ from its own:
  ///
  ///     merged.fields(differingFrom: theirs)  // [.note]
  package func fields(differingFrom other: TodoContent) -> [ContentField] {
    ContentField.allCases.filter { !isSame($0, as: other) }
  }

  /// Whether both have the same bytes in a field.
  package func isSame(_ field: ContentField, as other: TodoContent) -> Bool {
    var comparison = Comparison(a: self, b: other)
    return field.visit(&comparison)
  }

  /// Copies one field from another content.
  package mutating func copy(_ field: ContentField, from other: TodoContent) {
    var copying = Copying(content: self, other: other)
    field.visit(&copying)
    self = copying.content
  }

  package mutating func copy(_ fields: some Sequence<ContentField>, from other: TodoContent) {
    for field in fields { copy(field, from: other) }
  }

  /// Returns the text of a field for forms and messages.
  package func text(of field: ContentField) -> String {
    switch self[field] {
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .texts(let texts): LabelWords.text(of: LabelSet(texts))
    case nil: ""
    }
  }

  package subscript(field: ContentField) -> FieldValue? {
    var reading = Reading(content: self)
    return field.visit(&reading)
  }

  /// Sets a field.
  ///
  /// - Returns: `false` if the value is of another kind than the field.
  @discardableResult
  package mutating func set(_ field: ContentField, to value: FieldValue?) -> Bool {
    var setting = Setting(content: self, value: value)
    defer { self = setting.content }
    return field.visit(&setting)
  }

  /// Replaces the value of a field, as an edit does.
  package mutating func replace(_ field: ContentField, from other: TodoContent) {
    var replacement = Replacement(content: self, other: other)
    field.visit(&replacement)
    self = replacement.content
  }

  /// Whether a source has applied a change of a field: `theirs` is its content, which was `base`
  /// before.
  package func hasApplied(
    _ field: ContentField, of sent: TodoContent, to base: TodoContent
  ) -> Bool {
    var check = ApplicationCheck(sent: sent, base: base, theirs: self)
    return field.visit(&check)
  }

  /// Updates a field after the answer of a source to its change.
  package mutating func acknowledge(
    _ field: ContentField, of sent: TodoContent, from base: TodoContent, as theirs: TodoContent
  ) {
    var acknowledgement = Acknowledgement(content: self, sent: sent, base: base, theirs: theirs)
    field.visit(&acknowledgement)
    self = acknowledgement.content
  }

  /// Normalizes fields of an imported todo.
  ///
  /// - Returns: The error message if the content is invalid, or `nil`.
  package mutating func normalizeImported(_ fields: [ContentField]) -> String? {
    var check = ImportCheck(content: self)
    for field in fields {
      if let problem = field.visit(&check) { return problem }
    }
    self = check.content
    return nil
  }

  /// The reason why a todo with this content is not accepted from a source, as a clause that follows "a todo",
  /// or nil.
  package var deliveryProblem: String? {
    var check = DeliveryCheck(content: self)
    for field in ContentField.allCases {
      if let problem = field.visit(&check) { return problem }
    }
    return nil
  }
}

// MARK: Visitors

private struct Traits: ContentFieldVisitor {
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> FieldTraits { Field.traits }
}

private struct Name: ContentFieldVisitor {
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> StaticString {
    Field.traits.name
  }
}

private struct Kind: ContentFieldVisitor {
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> FieldKind {
    Field.Value.kind
  }
}

private struct IsOptional: ContentFieldVisitor {
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Bool {
    Field.Value.isOptional
  }
}

private struct Expected: ContentFieldVisitor {
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> String { Field.expected }
}

private struct Comparison: ContentFieldVisitor {
  let a: TodoContent
  let b: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Bool {
    Field.value(in: a).isSame(as: Field.value(in: b))
  }
}

private struct Reading: ContentFieldVisitor {
  let content: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> FieldValue? {
    Field.value(in: content).fieldValue
  }
}

private struct Setting: ContentFieldVisitor {
  var content: TodoContent
  let value: FieldValue?

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Bool {
    guard let value = Field.Value(fieldValue: value) else { return false }
    Field.set(value, in: &content)
    return true
  }
}

private struct ApplicationCheck: ContentFieldVisitor {
  let sent: TodoContent
  let base: TodoContent
  let theirs: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Bool {
    Field.isApplied(
      Field.value(in: sent), to: Field.value(in: base), in: Field.value(in: theirs))
  }
}

private struct Acknowledgement: ContentFieldVisitor {
  var content: TodoContent
  let sent: TodoContent
  let base: TodoContent
  let theirs: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) {
    let value = Field.acknowledging(
      Field.value(in: sent), from: Field.value(in: base), mine: Field.value(in: content),
      theirs: Field.value(in: theirs))
    Field.set(value, in: &content)
  }
}

private struct DeliveryCheck: ContentFieldVisitor {
  let content: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> String? {
    Field.deliveryProblem(with: Field.value(in: content))
  }
}

private struct ImportCheck: ContentFieldVisitor {
  var content: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> String? {
    Field.set(Field.normalized(Field.value(in: content)), in: &content)
    return Field.importProblem(with: Field.value(in: content))
  }
}

private struct Copying: ContentFieldVisitor {
  var content: TodoContent
  let other: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) {
    Field.set(Field.value(in: other), in: &content)
  }
}

private struct Replacement: ContentFieldVisitor {
  var content: TodoContent
  let other: TodoContent

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) {
    let new = Field.replacing(Field.value(in: content), with: Field.value(in: other))
    Field.set(new, in: &content)
  }
}
