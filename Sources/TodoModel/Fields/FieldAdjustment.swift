/// A change of one field that a user has typed into a line, such as `+2d` or `bug -old`. The new
/// value depends on the todo and on the day.
package struct FieldAdjustment: Sendable, Equatable {
  package var field: ContentField
  package var text: String

  /// Creates a change; `nil` for a blank text, which changes nothing.
  package init?(_ field: ContentField, _ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return nil }
    (self.field, self.text) = (field, text)
  }

  /// Returns the edit of a todo.
  ///
  /// - Throws: `validation` for invalid input.
  package func edit(of todo: Todo, on today: CivilDay) throws(TodoError) -> TodoEdit {
    try TodoEdit(
      checking: changes(of: todo.content, on: today), expectedVersion: todo.version)
  }

  /// Returns the new value of the field.
  ///
  /// - Throws: `validation` for invalid input.
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
