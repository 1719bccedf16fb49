/// The value of any field, as it is stored and sent. The optional type `FieldValue?` is used for
/// fields that can be without a value (`nil`).
package enum FieldValue: Sendable, Equatable {
  case text(String)
  case flag(Bool)
  case texts([String])

  /// Compares texts byte for byte.
  package static func == (a: FieldValue, b: FieldValue) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.flag(let a), .flag(let b)): a == b
    case (.texts(let a), .texts(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
    case (.text, _), (.flag, _), (.texts, _): false
    }
  }
}

/// The kind of values that a field has.
package enum FieldKind: Sendable { case text, flag, texts }

/// A Swift type for the values of a field.
package protocol ContentValue: Sendable {
  static var kind: FieldKind { get }

  /// Whether a field with values of this type can be without a value.
  static var isOptional: Bool { get }

  var fieldValue: FieldValue? { get }

  /// Creates a value from its stored form; `nil` if the stored value has another kind or is
  /// invalid.
  init?(fieldValue: FieldValue?)

  /// Returns whether both values are stored as the same bytes.
  func isSame(as other: Self) -> Bool
}

extension ContentValue {
  package static var isOptional: Bool { false }

  package func isSame(as other: Self) -> Bool { fieldValue == other.fieldValue }
}

extension String: ContentValue {
  package static var kind: FieldKind { .text }
  package var fieldValue: FieldValue? { .text(self) }

  package init?(fieldValue: FieldValue?) {
    guard case .text(let text)? = fieldValue else { return nil }
    self = text
  }

  package func isSame(as other: String) -> Bool { hasSameBytes(as: other) }
}

extension Bool: ContentValue {
  package static var kind: FieldKind { .flag }
  package var fieldValue: FieldValue? { .flag(self) }

  package init?(fieldValue: FieldValue?) {
    guard case .flag(let flag)? = fieldValue else { return nil }
    self = flag
  }

  package func isSame(as other: Bool) -> Bool { self == other }
}

extension Optional: ContentValue where Wrapped: ContentValue {
  package static var kind: FieldKind { Wrapped.kind }
  package static var isOptional: Bool { true }
  package var fieldValue: FieldValue? { self?.fieldValue }

  package init?(fieldValue: FieldValue?) {
    guard fieldValue != nil else {
      self = .none
      return
    }
    guard let value = Wrapped(fieldValue: fieldValue) else { return nil }
    self = .some(value)
  }
}
