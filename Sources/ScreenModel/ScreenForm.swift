/// A form with fields that the user can edit.
package struct ScreenForm: Sendable, Equatable {
  package enum Layout: String, Sendable, CaseIterable {
    /// A single document, such as a todo, which the user edits like a text.
    case text
    /// Texts to compare. Each field is a side of the comparison.
    case compare
  }

  package var fields: [ScreenField]
  /// The stored version on which the texts are based; `nil` if nothing in the form is stored.
  /// Front-ends send the base back with the user's edits.
  package var base: String?
  /// The layout of the fields; `nil` if the form has only a few fields, which are shown one below
  /// the other.
  package var layout: Layout?
  /// The names of the fields that the form does not show because they have no value. Edits can
  /// contain these fields.
  package var hiddenFields: [String]

  package init(
    _ fields: [ScreenField], base: String? = nil, layout: Layout? = nil, hiddenFields: [String] = []
  ) {
    self.fields = fields
    self.base = base
    self.layout = layout
    self.hiddenFields = hiddenFields
  }
}

/// Creates a form from an array of fields, without a base and a layout.
extension ScreenForm: ExpressibleByArrayLiteral {
  package init(arrayLiteral fields: ScreenField...) { self.init(fields) }
}

/// A side of a comparison.
package enum ComparedSide: String, Sendable, CaseIterable { case base, mine, theirs, merged }

/// A field in a form, or in the input of an action.
package struct ScreenField: Sendable, Equatable {
  package var name: String
  package var label: String
  /// The text of the field. It is always `nil` for a secret, because secrets are not sent to
  /// front-ends.
  package var value: String?
  package var isSecret: Bool
  package var isMultiline: Bool
  /// Whether the user cannot edit the field.
  package var isReadOnly: Bool
  /// The side of the comparison that the field shows; `nil` if the form is not a comparison.
  package var side: ComparedSide?
  /// The error message for an invalid value; `nil` for a valid value.
  package var error: String?
  /// Values that the front-end can suggest to the user.
  package var suggestions: [String] = []
}

extension ScreenField {
  package init(
    name: String, label: String, value: String = "", error: String? = nil,
    suggestions: [String] = []
  ) {
    self.init(
      name: name, label: label, value: value, isSecret: false, isMultiline: false,
      isReadOnly: false, error: error, suggestions: suggestions)
  }

  package static func secret(name: String, label: String, error: String? = nil) -> ScreenField {
    ScreenField(
      name: name, label: label, isSecret: true, isMultiline: false, isReadOnly: false, error: error)
  }

  package static func multiline(
    name: String, label: String, value: String = "", error: String? = nil
  ) -> ScreenField {
    ScreenField(
      name: name, label: label, value: value, isSecret: false, isMultiline: true,
      isReadOnly: false, error: error)
  }

  /// Creates a read-only field with several lines.
  package static func text(name: String, label: String, value: String) -> ScreenField {
    ScreenField(
      name: name, label: label, value: value, isSecret: false, isMultiline: true, isReadOnly: true)
  }

  /// Returns the field as a side of a comparison.
  package func compared(as side: ComparedSide) -> ScreenField {
    var field = self
    field.side = side
    return field
  }

  package static func == (a: ScreenField, b: ScreenField) -> Bool {
    a.hasSameDeclaration(as: b) && sameBytes(a.value, b.value) && a.error == b.error
  }

  /// Returns whether both fields are equal except for their values and errors.
  package func hasSameDeclaration(as other: ScreenField) -> Bool {
    name == other.name && label == other.label && isSecret == other.isSecret
      && isMultiline == other.isMultiline && isReadOnly == other.isReadOnly && side == other.side
      && sameBytes(suggestions, other.suggestions)
  }
}
