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

  /// Returns the stored form of a value that a user entered, such as a title without the whitespace
  /// around it.
  static func normalized(_ value: Value) -> Value

  /// Returns the error message for a value that a user must not enter; `nil` if it is valid.
  static func problem(with value: Value) -> String?

  /// Returns the error message for an invalid value in an import; `nil` if it is valid. Imports
  /// accept some values that users cannot enter, because merges may lead to them.
  static func importProblem(with value: Value) -> String?

  /// Parses a value that a user has typed into a line; `nil` if it is not a value of the field.
  /// Whether it is one does not depend on the day.
  static func value(typed text: String, on today: CivilDay) -> Value?

  /// Returns the value after a change that a user has typed into a line, such as `+2d`; `nil` if
  /// the text is not a change of the field.
  static func value(adjusting old: Value, by text: String, on today: CivilDay) -> Value?

  /// The message for invalid input, with the accepted forms.
  static var expected: String { get }

  /// Returns the value to store if an edit replaces a value.
  static func replacing(_ old: Value, with new: Value) -> Value

  /// Returns the reason why a value of a source is rejected, as a clause that follows "a todo";
  /// `nil` if it is stored unchanged.
  static func deliveryProblem(with value: Value) -> String?

  /// Merges two values with their base, which is `nil` if it is unknown.
  ///
  /// - Returns: `nil` for a conflict, which the user has to resolve.
  static func join(base: Value?, mine: Value, theirs: Value) -> Value?

  /// Whether a source has applied a change: `theirs` is its value, which was `base` before.
  static func isApplied(_ sent: Value, to base: Value, in theirs: Value) -> Bool

  /// Returns the local value after a source has answered a change that was sent to it.
  ///
  /// - Parameter theirs: The value in the answer.
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

  /// Returns the value of the side that changed it; `nil` if both sides changed it to different
  /// values. Without a base every difference is a conflict.
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
  /// The name on the wire, which is also the raw value of its `ContentField`.
  package var name: StaticString
  /// Whether a new todo must have a value.
  package var isRequired: Bool
  /// Whether the value can be set when a todo is added.
  package var isSetOnAdd: Bool
  /// Whether short descriptions of a todo, such as the result of a tool, contain the field.
  package var isBrief: Bool
  /// The widget of the field in the form of a todo; `nil` if the form does not have the field.
  package var formField: FormField?
  /// The action in a list that changes the field with one line of input, if any.
  package var itemAction: ItemAction?
  /// The description for an assistant.
  package var purpose: StaticString?
  /// Advice for an assistant that changes the field, instead of `purpose`.
  package var editAdvice: StaticString?
  /// The maximum number of characters that front-ends need to send; `nil` without such a limit.
  package var lengthMax: Int?

  package struct ItemAction: Sendable {
    package var name: StaticString
    package var title: StaticString
    package var key: Character
    /// The label of the input prompt.
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
