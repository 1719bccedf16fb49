import ScreenModel
import TodoModel

extension Draft {
  /// The screens with a form whose unsaved text can be restored, by name.
  enum FormScreen: String { case todoEdit, conflict }

  /// Creates a draft from the values of a form that is no longer open.
  ///
  /// - Returns: `nil` if forms named `screen` have no drafts.
  /// - Throws: `unknownField` for a value that the form has no field for.
  init?(
    _ values: [String: String], of screen: String, base: EditBase
  ) throws(ScreenOffer.Refusal) {
    switch FormScreen(rawValue: screen) {
    case .todoEdit:
      try ScreenOffer.check(values, areAmong: TodoEditScreen.fieldNames)
      self.init(base: base, edit: .fields(FieldChanges(texts: values)))
    case .conflict:
      try ScreenOffer.check(values, areAmong: ConflictScreen.fieldNames)
      self.init(base: base, edit: .merged(values[ConflictScreen.mergedField] ?? ""))
    case nil: return nil
    }
  }

  /// The unvalidated values of the fields.
  var changes: FieldChanges {
    switch edit {
    case .fields(let changes): return changes
    case .merged(let text):
      let (title, note) = TodoText.split(text)
      return FieldChanges(TodoContent(title: title, note: note), fields: [.title, .note])
    }
  }
}

extension EditBase {
  /// Parses the `base` that a front-end sent for the form of a todo.
  ///
  /// - Returns: The version. For an unreadable base it is 0, which no todo has, so that the text
  ///   does not count as newer than it is.
  /// - Throws: A refusal for the base of another user, list or todo.
  static func version(
    _ text: String, of id: TodoID, in list: TodoListKey
  ) throws(ScreenOffer.Refusal) -> Int64 {
    guard let base = EditBase(text) else { return 0 }
    try base.check(isIn: list)
    guard base.id == id else { throw .otherTodo }
    return base.version
  }

  /// Checks that the edit belongs to a user.
  ///
  /// - Throws: A refusal if it does not.
  func check(isOf profile: String) throws(ScreenOffer.Refusal) {
    guard list.profile.hasSameBytes(as: profile) else {
      throw .notOffered(
        .otherList, "This text is of another user. Log in as that user to save it.")
    }
  }

  /// Checks that the edit belongs to a list.
  ///
  /// - Throws: A refusal if it does not.
  func check(isIn list: TodoListKey) throws(ScreenOffer.Refusal) {
    try check(isOf: list.profile)
    guard self.list == list else {
      let name = TodoSource.wireName(of: self.list)
      throw .notOffered(
        .otherList, "This text is of the list \(name). Open that list to save it.")
    }
  }
}
