/// Fields to fill in, and how they want to be laid out.
package struct ScreenForm: Sendable, Equatable {
  package enum Layout: String, Sendable, CaseIterable {
    /// A document to be edited at length.
    case text
    /// Sides to be compared: each field says which it is.
    case compare
  }

  package var fields: [ScreenField]
  /// Which stored version of what is edited here the texts were made from; to be sent back with
  /// what is typed. Nil where nothing of it is stored.
  package var base: String?
  /// Nil: a few fields under each other.
  package var layout: Layout?

  package init(_ fields: [ScreenField], base: String? = nil, layout: Layout? = nil) {
    self.fields = fields
    self.base = base
    self.layout = layout
  }
}

/// A form of a few fields needs no more than them.
extension ScreenForm: ExpressibleByArrayLiteral {
  package init(arrayLiteral fields: ScreenField...) { self.init(fields) }
}

/// A side of what is compared.
package enum ComparedSide: String, Sendable, CaseIterable { case base, mine, theirs, merged }

/// One field of a form, or one that an action asks for.
package struct ScreenField: Sendable, Equatable {
  package var name: String
  package var label: String
  /// Never set for a secret field: what was typed there does not come back.
  package var value: String?
  package var isSecret: Bool
  package var isMultiline: Bool
  /// There to be read: what is typed into it changes nothing.
  package var isReadOnly: Bool
  /// Which side of a comparison it is.
  package var side: ComparedSide?
  /// What is wrong with the value.
  package var error: String?
  /// Values that a front-end may offer to complete.
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

  /// Several lines that are there to be read.
  package static func text(name: String, label: String, value: String) -> ScreenField {
    ScreenField(
      name: name, label: label, value: value, isSecret: false, isMultiline: true, isReadOnly: true)
  }

  /// The same field as a side of a comparison.
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
