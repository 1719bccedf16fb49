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

  /// Returns the message for an imported value that is not valid, or nil. Merges may lead to values
  /// that a user may not give.
  static func importProblem(with value: Value) -> String?

  /// Returns the value for a text that a user typed into a line, or nil for a text without a
  /// meaning. Which texts have one does not depend on the day.
  static func value(typed text: String, on today: CivilDay) -> Value?

  /// Returns the value after a user has typed a change of it into a line, or nil for a text without
  /// a meaning.
  static func value(adjusting old: Value, by text: String, on today: CivilDay) -> Value?

  /// The message for a user who types a text without a meaning.
  static var expected: String { get }

  /// Returns the value to store where an edit replaces a value.
  static func replacing(_ old: Value, with new: Value) -> Value

  /// Returns why this value is not accepted from a source, as a clause that follows "a todo", or
  /// nil. Other values of a source are stored as they are.
  static func deliveryProblem(with value: Value) -> String?

  /// Merges two values with their base, which is nil if it is not known.
  ///
  /// - Returns: nil for a conflict, which the user has to resolve.
  static func join(base: Value?, mine: Value, theirs: Value) -> Value?

  /// Whether a source that had `base` has the change that was sent to it.
  static func isApplied(_ sent: Value, to base: Value, in theirs: Value) -> Bool

  /// Returns the local value after a source has answered a change that was sent to it.
  ///
  /// - Parameter theirs: The value in the answer.
  static func acknowledging(_ sent: Value, from base: Value, mine: Value, theirs: Value) -> Value

  /// Returns the resolution to suggest for a conflict.
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
  /// The action of a todo in a list that changes it, with one line of input; nil for none.
  package var itemAction: ItemAction?
  /// The description for an assistant.
  package var purpose: StaticString?
  /// Advice for an assistant that changes the field, instead of `purpose`.
  package var editAdvice: StaticString?
  /// The maximum number of characters of a text that is worth sending; nil for a field without such
  /// a limit.
  package var lengthMax: Int?

  package struct ItemAction: Sendable {
    package var name: StaticString
    package var title: StaticString
    package var key: Character
    /// Asks for the input.
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
