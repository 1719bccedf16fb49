import TodoModel

/// The text of an edit, and the todo that it was made from.
struct TodoEditDraft: Sendable, Equatable {
  var base: Todo
  /// The version that gave `base` its text. A tick gives it a new version, and leaves the text.
  var textVersion: Int64
  var texts: FieldTexts
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
    self.init(base: todo, textVersion: todo.version, texts: FieldTexts(todo.content))
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
    return !(texts[field] ?? "").hasSameBytes(as: base.content.text(of: field))
  }

  private var changedFields: [ContentField] { ContentField.inForm.filter { isChanged($0) } }

  /// The edit that saves this draft: only what was changed.
  ///
  /// A title that a source delivered may break our own rules; untouched, it is not sent back.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(checking: texts.changes(of: changedFields), expectedVersion: version)
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
    try TodoDraft(texts.changes(of: ContentField.inForm).values)
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
  mutating func recordTyping(_ typed: FieldTexts, onUnknown unknownVersion: Int64) {
    let changed = changedFields
    let isRest = changed.contains { typed[$0] == nil }
    unknownBase = UnknownBase(
      version: isRest ? min(version, unknownVersion) : unknownVersion,
      fields: ContentFieldSet(changed + ContentField.inForm.filter { typed[$0] != nil }))
  }

  /// The same text, now that the version that it was typed on is known.
  func made(from todo: Todo) -> TodoEditDraft {
    var draft = TodoEditDraft(todo)
    draft.texts.copy(changedFields, from: texts)
    return draft
  }
}
