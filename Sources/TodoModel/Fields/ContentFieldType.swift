/// The declaration of one field of a todo: its value, its rules, and how two changes are merged.
///
/// A new field has a type that conforms to this protocol, a property of `TodoContent` and a case of
/// `ContentField`. Rules and merging have defaults.
package protocol ContentFieldType {
  associatedtype Value: ContentValue

  static var field: ContentField { get }
  static var traits: FieldTraits { get }

  static func value(in content: TodoContent) -> Value
  static func set(_ value: Value, in content: inout TodoContent)

  /// Returns the value to store for one that a user gave, such as a title without the whitespace
  /// around it.
  static func normalized(_ value: Value) -> Value

  /// Returns the message for a user who gives a value that is not valid, or nil.
  static func problem(with value: Value) -> String?

  /// Returns why this value is not accepted from a source, as a clause that follows "a todo", or
  /// nil. Other values of a source are stored as they are.
  static func deliveryProblem(with value: Value) -> String?

  /// Merges two values with their base, which is nil if it is not known.
  ///
  /// - Returns: nil for a conflict, which the user has to resolve.
  static func join(base: Value?, mine: Value, theirs: Value) -> Value?

  /// Returns the resolution to suggest for a conflict.
  static func proposal(base: Value?, mine: Value, theirs: Value) -> Value
}

extension ContentFieldType {
  package static func normalized(_ value: Value) -> Value { value }
  package static func problem(with value: Value) -> String? { nil }
  package static func deliveryProblem(with value: Value) -> String? { nil }

  /// The value of the side that changed it; a conflict if both did, and differently. Without a base
  /// every difference is a conflict.
  package static func join(base: Value?, mine: Value, theirs: Value) -> Value? {
    joinChanges(base: base, mine: mine, theirs: theirs)
  }

  static func joinChanges(base: Value?, mine: Value, theirs: Value) -> Value? {
    if mine.isSame(as: theirs) { return theirs }
    guard let base else { return nil }
    if mine.isSame(as: base) { return theirs }
    return theirs.isSame(as: base) ? mine : nil
  }

  package static func proposal(base: Value?, mine: Value, theirs: Value) -> Value { mine }
}

/// The facts about a field that do not depend on its value.
package struct FieldTraits: Sendable {
  /// The name on the wire, which is also the raw value of its `ContentField`.
  package var name: StaticString
  /// Whether a new todo cannot be without it.
  package var isRequired: Bool
  /// Whether it can be given when a todo is added.
  package var isSetOnAdd: Bool
  /// Whether it belongs to a short description of a todo, such as the result of a tool.
  package var isBrief: Bool
  /// How the form of a todo shows it; nil for a field that the form does not have.
  package var formField: FormField?
  /// Advice for an assistant that changes the field.
  package var editAdvice: StaticString?

  package enum FormField: Sendable {
    case line(label: StaticString)
    case multiline(label: StaticString)
  }

  package init(
    name: StaticString, isRequired: Bool = false, isSetOnAdd: Bool = true, isBrief: Bool,
    formField: FormField?, editAdvice: StaticString? = nil
  ) {
    self.name = name
    self.isRequired = isRequired
    self.isSetOnAdd = isSetOnAdd
    self.isBrief = isBrief
    self.formField = formField
    self.editAdvice = editAdvice
  }
}
