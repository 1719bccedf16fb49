import TodoModel

/// The text of an edit, and the todo that it was made from.
struct TodoEditDraft: Sendable, Equatable {
  var base: Todo
  /// The version that gave `base` its text. A tick gives it a new version, and leaves the text.
  var textVersion: Int64
  var title: String
  var note: String
  /// Set where the text was typed on a version of the todo that is not known here.
  var unknownBase: UnknownBase?

  /// A version that only the store may know, and what was typed on it.
  struct UnknownBase: Sendable, Equatable {
    var version: Int64
    var hasTitle: Bool
    var hasNote: Bool
  }
}

extension TodoEditDraft {
  init(_ todo: Todo) {
    self.init(
      base: todo, textVersion: todo.version, title: todo.content.title, note: todo.content.note)
  }

  /// Byte for byte, for an edit may change nothing but the spelling of an accent.
  static func == (a: TodoEditDraft, b: TodoEditDraft) -> Bool {
    a.base == b.base && a.textVersion == b.textVersion && a.unknownBase == b.unknownBase
      && a.hasSameText(as: b)
  }

  func hasSameText(as other: TodoEditDraft) -> Bool {
    title.hasSameBytes(as: other.title) && note.hasSameBytes(as: other.note)
  }

  /// The stored version that the text was typed on.
  var version: Int64 { unknownBase?.version ?? base.version }

  /// Whether the text was typed on a version. All that differ by a tick are one.
  func isTyped(on version: Int64) -> Bool {
    if let unknownBase { return unknownBase.version == version }
    return textVersion <= version && version <= base.version
  }

  var isTitleChanged: Bool { unknownBase?.hasTitle ?? !title.hasSameBytes(as: base.content.title) }
  var isNoteChanged: Bool { unknownBase?.hasNote ?? !note.hasSameBytes(as: base.content.note) }
  var isChanged: Bool { isTitleChanged || isNoteChanged }

  /// The edit that saves this draft: only what was changed.
  ///
  /// A title that a source delivered may break our own rules; untouched, it is not sent back.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(
      title: isTitleChanged ? title : nil, note: isNoteChanged ? note : nil,
      expectedVersion: version)
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
  func newTodo() throws(TodoError) -> TodoDraft { try TodoDraft(title: title, note: note) }

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
  mutating func note(unknownVersion: Int64, title: String?, note: String?) {
    let isRest = (isTitleChanged && title == nil) || (isNoteChanged && note == nil)
    unknownBase = UnknownBase(
      version: isRest ? min(version, unknownVersion) : unknownVersion,
      hasTitle: isTitleChanged || title != nil, hasNote: isNoteChanged || note != nil)
  }

  /// The same text, now that the version that it was typed on is known.
  func made(from todo: Todo) -> TodoEditDraft {
    TodoEditDraft(
      base: todo, textVersion: todo.version, title: isTitleChanged ? title : todo.content.title,
      note: isNoteChanged ? note : todo.content.note)
  }
}
