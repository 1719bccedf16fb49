/// A change of one field as the user types it, such as `+2d` or `bug -old`. Its result depends on
/// the current value of the field and on the current day.
package struct FieldAdjustment: Sendable, Equatable {
  package var field: ContentField
  package var text: String

  /// Creates an adjustment; `nil` if the text is blank, which means no change.
  package init?(_ field: ContentField, _ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return nil }
    (self.field, self.text) = (field, text)
  }

  /// Returns the adjustment as an edit of a todo.
  ///
  /// - Throws: `validation` if the text is invalid.
  package func edit(of todo: Todo, on today: CivilDay) throws(TodoError) -> TodoEdit {
    try TodoEdit(
      checking: changes(of: todo.content, on: today), expectedVersion: todo.version)
  }

  /// Returns the adjustment as a change of the content of a todo.
  ///
  /// - Throws: `validation` if the text is invalid.
  package func changes(
    of content: TodoContent, on today: CivilDay
  ) throws(TodoError) -> FieldChanges {
    var adjuster = Adjuster(content: content, text: text, today: today)
    guard let content = field.visit(&adjuster) else {
      throw .validation([FieldProblem(field: field.rawValue, message: field.expected)])
    }
    return FieldChanges(content, fields: [field])
  }
}

private struct Adjuster: ContentFieldVisitor {
  let content: TodoContent
  let text: String
  let today: CivilDay

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> TodoContent? {
    guard
      let value = Field.value(adjusting: Field.value(in: content), by: text, on: today)
    else { return nil }
    var content = content
    Field.set(value, in: &content)
    return content
  }
}
