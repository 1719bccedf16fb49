/// The importance of a todo.
package enum Priority: String, Sendable, CaseIterable {
  case high, medium, low
}

/// The priority of a todo: high, medium, low or none.
package enum PriorityField: ContentFieldType {
  package static var field: ContentField { .priority }
  package static let traits = FieldTraits(
    name: "priority", isBrief: true, formField: .line(label: "Priority"),
    itemAction: FieldTraits.ItemAction(
      name: "priority", title: "Priority", key: "p", label: "Priority (none removes it)"),
    purpose: "high, medium or low",
    editAdvice: "high, medium, low or none", lengthMax: charactersMax)

  package static func value(in content: TodoContent) -> Priority? { content.priority }
  package static func set(_ value: Priority?, in content: inout TodoContent) {
    content.priority = value
  }

  /// The maximum length of the user's input, in characters.
  static let charactersMax = 16
  /// The word that a user types to remove the priority.
  package static let none = "none"
  /// The words that a user can type as a priority.
  package static let words = Priority.allCases.map(\.rawValue) + [none]

  package static func value(typed text: String, on today: CivilDay) -> Priority?? {
    let word = text.trimmed.lowercased()
    if word.isEmpty || word == none { return .some(nil) }
    return Priority(rawValue: word).map { .some($0) }
  }

  package static let expected = "A priority must be high, medium, low or none."
}

extension Priority: ContentValue {
  package static var kind: FieldKind { .text }
  package var fieldValue: FieldValue? { .text(rawValue) }

  package init?(fieldValue: FieldValue?) {
    guard case .text(let text)? = fieldValue, let priority = Priority(rawValue: text) else {
      return nil
    }
    self = priority
  }

  package func isSame(as other: Priority) -> Bool { self == other }
}
