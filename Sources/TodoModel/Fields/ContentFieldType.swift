/// The declaration of a field of a todo: the type of its values, its rules, and how it is merged.
///
/// To add a field, add a type that conforms to this protocol, a property of `TodoContent` and a
/// case of `ContentField`. Rules and merging have default implementations.
package protocol ContentFieldType {
  associatedtype Value: ContentValue

  static var field: ContentField { get }
  static var traits: FieldTraits { get }

  static func value(in content: TodoContent) -> Value
  static func set(_ value: Value, in content: inout TodoContent)

  /// Returns the user's value as it is stored, such as a title without the surrounding whitespace.
  static func normalized(_ value: Value) -> Value

  /// Returns the error message for an invalid value from the user; `nil` for a valid value.
  static func problem(with value: Value) -> String?

  /// Returns the error message for an invalid value from an import; `nil` for a valid value. An
  /// import also accepts values that only merges can produce, and that a user must not enter.
  static func importProblem(with value: Value) -> String?

  /// Parses the user's input for the field; `nil` if it is invalid. The value of a relative date
  /// depends on `today`; the validity of the input does not.
  static func value(typed text: String, on today: CivilDay) -> Value?

  /// Parses the user's input for a change of the value `old`, such as `bug -old` for labels.
  /// Returns the new value, or `nil` if the input is invalid.
  static func value(adjusting old: Value, by text: String, on today: CivilDay) -> Value?

  /// The error message for invalid input. It names the valid forms.
  static var expected: String { get }

  /// Returns the value to store when an edit replaces the value `old` with `new`.
  static func replacing(_ old: Value, with new: Value) -> Value

  /// Returns the reason to reject a value from a source; `nil` for an accepted value. Accepted
  /// values are stored unchanged.
  ///
  /// Messages contain the reason after the words "a todo". An example of a reason is "whose title
  /// has more than 1048576 bytes".
  static func remoteProblem(with value: Value) -> String?

  /// Merges the local value `mine` with the value `theirs` from the source or from another client.
  ///
  /// - Parameter base: The common ancestor of both values; `nil` if it is not known.
  /// - Returns: The merged value; `nil` for a conflict, which the user has to resolve.
  static func join(base: Value?, mine: Value, theirs: Value) -> Value?

  /// Returns whether the source has applied a change that was sent to it.
  ///
  /// - Parameters:
  ///   - sent: The value that was sent.
  ///   - base: The source's value before the change.
  ///   - theirs: The source's current value.
  static func isApplied(_ sent: Value, to base: Value, in theirs: Value) -> Bool

  /// Returns the new local value after the source has responded to a change.
  ///
  /// - Parameters:
  ///   - sent: The value that was sent.
  ///   - base: The source's value before the change.
  ///   - mine: The local value before the response.
  ///   - theirs: The value in the response.
  static func acknowledging(_ sent: Value, from base: Value, mine: Value, theirs: Value) -> Value

  /// Returns the value to propose to the user for resolving a conflict.
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
  package static func remoteProblem(with value: Value) -> String? { nil }

  /// Returns the value of the side that has changed the value, or the common value of both sides.
  /// Returns `nil` for a conflict: both sides have changed the value differently, or the values
  /// differ and there is no base.
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

/// The properties of a field that do not depend on its value, such as its name and its label.
package struct FieldTraits: Sendable {
  /// The name on the wire. It equals the raw value of the `ContentField`.
  package var name: StaticString
  /// Whether every new todo must have a value for the field.
  package var isRequired: Bool
  /// Whether a request that adds a todo can set the field.
  package var isSetOnAdd: Bool
  /// Whether short descriptions of a todo, such as the results of tools, contain the field.
  package var isBrief: Bool
  /// The way in which the form shows the field; `nil` if the form does not contain the field.
  package var formField: FormField?
  /// The action with which the user changes the field in the list, without opening the todo's form;
  /// `nil` if there is none. The action asks the user for one line of text.
  package var itemAction: ItemAction?
  /// The description of the field for assistants.
  package var purpose: StaticString?
  /// The description of the field in edit requests, for assistants; `nil` to use `purpose`.
  package var editAdvice: StaticString?
  /// The maximum number of characters of a value, for schemas; `nil` without a limit.
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
