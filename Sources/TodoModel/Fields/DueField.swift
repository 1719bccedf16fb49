/// The due date of a todo: a day, optionally with a time, in the user's wall-clock time.
package enum DueField: ContentFieldType {
  package static var field: ContentField { .due }
  package static let traits = FieldTraits(
    name: "due", isBrief: true, formField: .line(label: "Due"),
    itemAction: FieldTraits.ItemAction(
      name: "due", title: "Due", key: "D", label: "Due (none removes it)"),
    purpose: "2026-12-01 or 2026-12-01T17:30, local",
    editAdvice: "2026-12-01 or 2026-12-01T17:30, local; none removes it",
    lengthMax: charactersMax)

  package static func value(in content: TodoContent) -> DueDate? { content.due }
  package static func set(_ value: DueDate?, in content: inout TodoContent) { content.due = value }

  /// The maximum length of the user's input, in characters.
  static let charactersMax = 64
  /// The word that a user types to remove the due date.
  package static let none = "none"

  package static func value(typed text: String, on today: CivilDay) -> DueDate?? {
    let text = text.trimmed
    if text.isEmpty || text.lowercased() == none { return .some(nil) }
    return DateInput.parse(text, today: today).map { .some($0) }
  }

  package static var expected: String { "A due date must be \(DateInput.forms)." }
}

extension DueDate: ContentValue {
  package static var kind: FieldKind { .text }
  package var fieldValue: FieldValue? { .text(description) }

  package init?(fieldValue: FieldValue?) {
    guard case .text(let text)? = fieldValue, let date = DueDate(text) else { return nil }
    self = date
  }

  package func isSame(as other: DueDate) -> Bool { self == other }
}
