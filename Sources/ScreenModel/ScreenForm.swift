/// A form: fields that the user edits, with a layout.
package struct ScreenForm: Sendable, Equatable {
  package enum Layout: String, Sendable, CaseIterable {
    /// A document to edit at length.
    case text
    /// Texts to compare; each field has a side.
    case compare
  }

  package var fields: [ScreenField]
  /// The stored version that the texts are based on, to be sent back with the user's edits; `nil`
  /// if nothing in the form is stored.
  package var base: String?
  /// The layout; `nil` for a few fields below each other.
  package var layout: Layout?

  package init(_ fields: [ScreenField], base: String? = nil, layout: Layout? = nil) {
    self.fields = fields
    self.base = base
    self.layout = layout
  }
}

/// An array literal creates a form with these fields, without a base or a layout.
extension ScreenForm: ExpressibleByArrayLiteral {
  package init(arrayLiteral fields: ScreenField...) { self.init(fields) }
}

/// A side of a comparison.
package enum ComparedSide: String, Sendable, CaseIterable { case base, mine, theirs, merged }

/// A field of a form, or of an action's input.
package struct ScreenField: Sendable, Equatable {
  package var name: String
  package var label: String
  /// The text; always `nil` for a secret field, because secrets are not sent to the front-end.
  package var value: String?
  package var isSecret: Bool
  package var isMultiline: Bool
  /// Whether the user cannot change the value.
  package var isReadOnly: Bool
  /// The side of a comparison that the field shows; `nil` outside comparisons.
  package var side: ComparedSide?
  /// The error message for an invalid value.
  package var error: String?
  /// Values that a front-end may offer for completion.
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

  /// Creates a read-only field of several lines.
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
    a.name == b.name && a.label == b.label && a.isSecret == b.isSecret
      && a.isMultiline == b.isMultiline && a.isReadOnly == b.isReadOnly && a.side == b.side
      && sameBytes(a.value, b.value) && a.error == b.error
      && sameBytes(a.suggestions, b.suggestions)
  }
}
