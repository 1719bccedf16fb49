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

  /// Returns the normalized form of a user's value, which is stored. For a title, it has no
  /// surrounding whitespace.
  static func normalized(_ value: Value) -> Value

  /// Returns the error message for an invalid value from a user; `nil` for a valid one.
  static func problem(with value: Value) -> String?

  /// Returns the error message for an invalid value from an import; `nil` for a valid one. The
  /// rules may be weaker than for users, because merges can produce values that a user may not
  /// enter.
  static func importProblem(with value: Value) -> String?

  /// Parses the user's input for the field; `nil` if it is invalid. Whether it is valid does not
  /// depend on the day.
  static func value(typed text: String, on today: CivilDay) -> Value?

  /// Parses the user's input for a change of `old`, such as `bug -old` for labels, and returns the
  /// changed value; `nil` if the input is invalid.
  static func value(adjusting old: Value, by text: String, on today: CivilDay) -> Value?

  /// The error message for invalid input, which names the valid forms.
  static var expected: String { get }

  /// Returns the value to store when an edit replaces `old` with `new`.
  static func replacing(_ old: Value, with new: Value) -> Value

  /// Returns the reason why a value from a source is rejected, as a clause that follows "a todo";
  /// `nil` if it is accepted. Accepted values are stored unchanged.
  static func deliveryProblem(with value: Value) -> String?

  /// Merges two values.
  ///
  /// - Parameter base: The common ancestor of the values; `nil` if it is not known.
  /// - Returns: The merged value; `nil` for a conflict, which the user has to resolve.
  static func join(base: Value?, mine: Value, theirs: Value) -> Value?

  /// Whether a source has applied a change.
  ///
  /// - Parameters:
  ///   - sent: The value that was sent.
  ///   - base: The value of the source before the change.
  ///   - theirs: The present value of the source.
  static func isApplied(_ sent: Value, to base: Value, in theirs: Value) -> Bool

  /// Returns the local value after the response to a change.
  ///
  /// - Parameters:
  ///   - sent: The value that was sent.
  ///   - base: The value of the source before the change.
  ///   - mine: The local value before the response.
  ///   - theirs: The value in the response.
  static func acknowledging(_ sent: Value, from base: Value, mine: Value, theirs: Value) -> Value

  /// Returns the suggested resolution of a conflict.
  static func proposal(base: Value?, mine: Value, theirs: Value) -> Value
}

extension ContentFieldType {
  package static func normalized(_ value: Value) -> Value { value }
  package static func problem(with value: Value) -> String? { nil }
  package static func importProblem(with value: Value) -> String? { problem(with: value) }
  package static func value(typed text: String, on today: CivilDay) -> Value? {
    Value(fieldValue: .text(text))
  }
  package static func value(
    adjusting old: Value, by text: String, on today: CivilDay
  ) -> Value? {
    value(typed: text, on: today)
  }
  package static var expected: String { "This is not a value of \(traits.name)." }
  package static func replacing(_ old: Value, with new: Value) -> Value { new }
  package static func deliveryProblem(with value: Value) -> String? { nil }

  /// Returns the value of the side that changed it; `nil` for a conflict, if both sides changed it
  /// to different values. Without a base, every difference is a conflict.
  package static func join(base: Value?, mine: Value, theirs: Value) -> Value? {
    joinChanges(base: base, mine: mine, theirs: theirs)
  }

  static func joinChanges(base: Value?, mine: Value, theirs: Value) -> Value? {
    if mine.isSame(as: theirs) { return theirs }
    guard let base else { return nil }
    if mine.isSame(as: base) { return theirs }
    return theirs.isSame(as: base) ? mine : nil
  }

  package static func isApplied(_ sent: Value, to base: Value, in theirs: Value) -> Bool {
    theirs.isSame(as: sent)
  }

  package static func acknowledging(
    _ sent: Value, from base: Value, mine: Value, theirs: Value
  ) -> Value {
    mine.isSame(as: sent) ? theirs : mine
  }

  package static func proposal(base: Value?, mine: Value, theirs: Value) -> Value { mine }
}

/// The properties of a field that do not depend on its value.
package struct FieldTraits: Sendable {
  /// The name on the wire, which is also the raw value of the field's `ContentField`.
  package var name: StaticString
  /// Whether every new todo must have a value for the field.
  package var isRequired: Bool
  /// Whether the field can be set when a todo is added.
  package var isSetOnAdd: Bool
  /// Whether the field is part of a short description of a todo, such as the result of a tool.
  package var isBrief: Bool
  /// How the form of a todo shows the field; `nil` for a field that the form does not contain.
  package var formField: FormField?
  /// The action that changes the field of a todo in a list, with one line of input; `nil` for none.
  package var itemAction: ItemAction?
  /// The description of the field for an assistant.
  package var purpose: StaticString?
  /// The advice for an assistant that changes the field, shown instead of `purpose`.
  package var editAdvice: StaticString?
  /// The maximum number of characters of a value, for schemas; `nil` for a field without such a
  /// limit.
  package var lengthMax: Int?

  package struct ItemAction: Sendable {
    package var name: StaticString
    package var title: StaticString
    package var key: Character
    /// The label of the input line in which the user types the new value.
    package var label: StaticString
  }

  package enum FormField: Sendable {
    case line(label: StaticString)
    case multiline(label: StaticString)
  }

  package init(
    name: StaticString, isRequired: Bool = false, isSetOnAdd: Bool = true, isBrief: Bool,
    formField: FormField?, itemAction: ItemAction? = nil, purpose: StaticString? = nil,
    editAdvice: StaticString? = nil, lengthMax: Int? = nil
  ) {
    self.itemAction = itemAction
    self.name = name
    self.isRequired = isRequired
    self.isSetOnAdd = isSetOnAdd
    self.isBrief = isBrief
    self.formField = formField
    self.purpose = purpose
    self.editAdvice = editAdvice
    self.lengthMax = lengthMax
  }
}
