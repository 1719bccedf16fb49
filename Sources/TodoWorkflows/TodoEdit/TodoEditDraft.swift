import TodoModel

/// The text of an edit, and the todo that it was made from.
struct TodoEditDraft: Sendable, Equatable {
  var base: Todo
  /// The version that gave `base` its text. A tick gives it a new version, and leaves the text.
  var textVersion: Int64
  /// The values in the form, which are not checked.
  var content: TodoContent
  /// Set where the text was typed on a version of the todo that is not known here.
  var unknownBase: UnknownBase?

  /// A version that only the store may know, and what was typed on it.
  struct UnknownBase: Sendable, Equatable {
    var version: Int64
    var fields: ContentFieldSet
  }
}

extension TodoEditDraft {
  init(_ todo: Todo) {
    self.init(base: todo, textVersion: todo.version, content: todo.content.inForm)
  }

  /// The stored version that the text was typed on.
  var version: Int64 { unknownBase?.version ?? base.version }

  /// Whether the text was typed on a version. All that differ by a tick are one.
  func isTyped(on version: Int64) -> Bool {
    if let unknownBase { return unknownBase.version == version }
    return textVersion <= version && version <= base.version
  }

  var isChanged: Bool { ContentField.inForm.contains { isChanged($0) } }

  private func isChanged(_ field: ContentField) -> Bool {
    if let unknownBase { return unknownBase.fields.contains(field) }
    return !content.isSame(field, as: base.content)
  }

  private var changedFields: ContentFieldSet {
    var fields: ContentFieldSet = []
    for field in ContentField.inForm where isChanged(field) { fields.insert(field) }
    return fields
  }

  /// The edit that saves this draft: only what was changed.
  ///
  /// A title that a source delivered may break our own rules; untouched, it is not sent back.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(checking: FieldChanges(content, fields: changedFields), expectedVersion: version)
  }

  var problems: [FieldProblem] {
    do throws(TodoError) {
      _ = try edit()
      return []
    } catch {
      return error.fields
    }
  }

  /// The todo that has the text of this draft.
  func newTodo() throws(TodoError) -> TodoDraft {
    try TodoDraft(content)
  }

  var problemsAsNew: [FieldProblem] {
    do throws(TodoError) {
      _ = try newTodo()
      return []
    } catch {
      return error.fields
    }
  }

  /// Notes that what is typed now was typed on a version that is not known here.
  ///
  /// Where some of the text was typed on another one, the older of the two counts: a save meets
  /// what has been changed since, and a person decides.
  mutating func recordTyping(_ typed: FieldChanges, onUnknown unknownVersion: Int64) {
    let changed = ContentField.inForm.filter { isChanged($0) }
    let isRest = !changed.allSatisfy { typed.fields.contains($0) }
    unknownBase = UnknownBase(
      version: isRest ? min(version, unknownVersion) : unknownVersion,
      fields: ContentFieldSet(changed + ContentField.inForm.filter { typed.fields.contains($0) }))
  }

  /// The same text, now that the version that it was typed on is known.
  func made(from todo: Todo) -> TodoEditDraft {
    var draft = TodoEditDraft(todo)
    draft.content = FieldChanges(content, fields: changedFields).applied(to: draft.content)
    return draft
  }
}

extension TodoContent {
  /// The fields that the form has; the others have their initial values.
  var inForm: TodoContent { FieldChanges(self, fields: .inForm).values }
}
