import ScreenModel
import TodoModel

/// What was typed into a form that is not there any more, as after a restart of the server.
package struct TypedText: Sendable, Equatable {
  var id: TodoID
  /// The version that it was typed on.
  var version: Int64
  var form: Form

  enum Form: Sendable, Equatable {
    case edit(FieldChanges)
    case merged(String)
  }

  /// The screens whose forms can be opened again, by name.
  enum FormScreen: String { case todoEdit, conflict }

  init(id: TodoID, version: Int64, form: Form) {
    (self.id, self.version, self.form) = (id, version, form)
  }

  /// Nil where no form of that name is about a todo, or the base names none.
  ///
  /// Throws `unknownField` for a value that the form has no field for.
  init?(
    _ values: [String: String], typedInto screen: String, base: String
  ) throws(ScreenOffer.Refusal) {
    guard let base = TextBase(base), let screen = FormScreen(rawValue: screen) else { return nil }
    let fields: [String]
    switch screen {
    case .todoEdit:
      fields = TodoEditScreen.fieldNames
      form = .edit(FieldChanges(typed: values))
    case .conflict:
      fields = ConflictScreen.fieldNames
      form = .merged(values["merged"] ?? "")
    }
    try ScreenOffer.check(values, areAmong: fields)
    (id, version) = (base.id, base.version)
  }
}

extension TypedText {
  /// The text as values that are not checked.
  var changes: FieldChanges {
    switch form {
    case .edit(let changes): return changes
    case .merged(let text):
      let (title, note) = TodoText.split(text)
      return FieldChanges(TodoContent(title: title, note: note), fields: [.title, .note])
    }
  }

  /// A todo without a text, in place of one that is gone: the form of its text has to be about it.
  var goneTodo: Todo {
    let never = Timestamp(milliseconds: 0)
    return Todo(
      id: id, content: TodoContent(), version: 0, createdAt: never, updatedAt: never, origin: nil,
      sync: .local)
  }

  /// The sides that a merged text is between when what was mine is not known any more: what has
  /// become of it by now is mine.
  func sides(against todo: Todo) -> ConflictSides {
    let mine = changes.applied(to: todo.content)
    return ConflictSides(
      id,
      TodoConflict(base: nil, mine: mine, theirs: todo.content, theirVersion: todo.version))
  }
}
