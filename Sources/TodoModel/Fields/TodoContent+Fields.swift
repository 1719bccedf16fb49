extension ContentField {
  package var traits: FieldTraits {
    var traits = Traits()
    return visit(&traits)
  }

  /// The name of the field on the wire, as a static string for the JSON writer.
  package var name: StaticString {
    var name = Name()
    return visit(&name)
  }

  package var kind: FieldKind {
    var kind = Kind()
    return visit(&kind)
  }

  /// Whether the field can be without a value.
  package var isOptional: Bool {
    var isOptional = IsOptional()
    return visit(&isOptional)
  }

  /// The error message for invalid input. It names the valid forms.
  package var expected: String {
    var expected = Expected()
    return visit(&expected)
  }
}

extension ContentField {
  /// The fields that a request can set when it adds a todo.
  package static let setOnAdd = allCases.filter { $0.traits.isSetOnAdd }

  /// The fields that one-line descriptions of a todo show with their names: all except title, note
  /// and done.
  package static let details = allCases.filter { ![.title, .note, .done].contains($0) }
}

extension TodoContent: Equatable {
  package static func == (a: TodoContent, b: TodoContent) -> Bool {
    var comparison = Comparison(a: a, b: b)
    return ContentField.allCases.allSatisfy { $0.visit(&comparison) }
  }

  /// Returns the fields whose values differ from those in `other`, compared byte for byte.
  ///
  /// A sync sends only the fields that differ from the item at the source:
  ///
  ///     merged.fields(differingFrom: theirs)  // [.note]
  package func fields(differingFrom other: TodoContent) -> [ContentField] {
    ContentField.allCases.filter { !isSame($0, as: other) }
  }

  /// Returns whether a field has the same bytes in this content and in `other`.
  package func isSame(_ field: ContentField, as other: TodoContent) -> Bool {
    var comparison = Comparison(a: self, b: other)
    return field.visit(&comparison)
  }

  /// Copies the value of one field from `other`.
  package mutating func copy(_ field: ContentField, from other: TodoContent) {
    var copying = Copying(content: self, other: other)
    field.visit(&copying)
    self = copying.content
  }

  package mutating func copy(_ fields: some Sequence<ContentField>, from other: TodoContent) {
    for field in fields { copy(field, from: other) }
  }

  /// Returns the text that forms and messages show for a field.
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

  /// Sets the value of a field.
  ///
  /// - Returns: `false` if the value is not valid for the field; the field is then unchanged.
  @discardableResult
  package mutating func set(_ field: ContentField, to value: FieldValue?) -> Bool {
    var setting = Setting(content: self, value: value)
    defer { self = setting.content }
    return field.visit(&setting)
  }

  /// Replaces the value of a field with the value in `other`. The field's own rule for edits
  /// applies (see `ContentFieldType.replacing`).
  package mutating func replace(_ field: ContentField, from other: TodoContent) {
    var replacement = Replacement(content: self, other: other)
    field.visit(&replacement)
    self = replacement.content
  }

  /// Returns whether this content, received from the source, contains a change that was sent to the
  /// source.
  ///
  /// - Parameters:
  ///   - sent: The content that was sent.
  ///   - base: The source's content before the change.
  package func hasApplied(
    _ field: ContentField, of sent: TodoContent, to base: TodoContent
  ) -> Bool {
    var check = ApplicationCheck(sent: sent, base: base, theirs: self)
    return field.visit(&check)
  }

  /// Updates a field of the local content after the source has responded to a change of the field.
  ///
  /// - Parameters:
  ///   - sent: The content that was sent.
  ///   - base: The source's content before the change.
  ///   - theirs: The content in the response.
  package mutating func acknowledge(
    _ field: ContentField, of sent: TodoContent, from base: TodoContent, as theirs: TodoContent
  ) {
    var acknowledgement = Acknowledgement(content: self, sent: sent, base: base, theirs: theirs)
    field.visit(&acknowledgement)
    self = acknowledgement.content
  }

  /// Normalizes and validates fields of an imported todo. If one field is invalid, none is changed.
  ///
  /// - Returns: The error message for the first invalid field; `nil` if all are valid.
  package mutating func normalizeImported(_ fields: [ContentField]) -> String? {
    var check = ImportCheck(content: self)
    for field in fields {
      if let problem = field.visit(&check) { return problem }
    }
    self = check.content
    return nil
  }

  /// The reason to reject a todo with this content from a source; `nil` if the todo is accepted.
  /// Messages contain the reason after the words "a todo". An example of a reason is "whose title
  /// has more than 1048576 bytes".
  package var remoteProblem: String? {
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
    Field.remoteProblem(with: Field.value(in: content))
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
