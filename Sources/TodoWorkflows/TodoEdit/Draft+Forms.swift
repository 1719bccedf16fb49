import ScreenModel
import TodoModel

/// The unsaved text of a closed form. A front-end sends this text to open the form again.
package struct FormText: Sendable, Equatable {
  package var draft: Draft
  /// The number of the stored draft that was restored into the form; `nil` if there was none.
  package var restoredNumber: Int64?

  /// Creates the text from a request.
  ///
  /// - Returns: `nil` if `base` cannot be parsed, or if the screen has no form whose text can be
  ///   restored.
  /// - Throws: `unknownField` if `values` contains a field that the form does not have.
  init?(
    _ values: [String: String], of screen: String, base: String
  ) throws(ScreenOffer.Refusal) {
    guard let base = FormBase(base), var draft = try Draft(values, of: screen, base: base.edit)
    else { return nil }
    draft.base.version = base.version(of: draft.changes.fields)
    (self.draft, restoredNumber) = (draft, base.draft)
  }
}

extension Draft {
  /// The names of the screens that contain a form whose unsaved text can be restored.
  enum FormScreen: String { case todoEdit, conflict }

  /// Creates a draft from the values of a form that is no longer open.
  ///
  /// - Returns: `nil` if the screen has no form whose text can be restored.
  /// - Throws: `unknownField` if `values` contains a field that the form does not have.
  fileprivate init?(
    _ values: [String: String], of screen: String, base: EditBase
  ) throws(ScreenOffer.Refusal) {
    switch FormScreen(rawValue: screen) {
    case .todoEdit:
      try ScreenOffer.check(values, areAmong: TodoEditScreen.fieldNames)
      self.init(base: base, edit: .fields(FieldChanges(texts: values)))
    case .conflict:
      try ScreenOffer.check(values, areAmong: ConflictScreen.fieldNames)
      // Without a merged text, the user has typed nothing, so the todo's form opens.
      let merged = values[ConflictScreen.mergedField]
      self.init(base: base, edit: merged.map { .merged($0) } ?? .fields(FieldChanges()))
    case nil: return nil
    }
  }

  /// The merged text of a comparison; `nil` for the text of any other form.
  var merged: String? {
    if case .merged(let text, _) = edit { text } else { nil }
  }

  /// The user's edit that could not be stored because of a conflict; `nil` if there is none.
  var mine: ConflictingEdit? {
    if case .merged(_, let mine) = edit { mine } else { nil }
  }

  mutating func setMine(_ mine: ConflictingEdit) {
    if let merged { edit = .merged(merged, mine: mine) }
  }

  /// Adds texts from an earlier draft of the same form, for the fields that this draft does not
  /// contain. If texts are added, the draft gets the older of the two base versions.
  mutating func fill(from earlier: Draft) {
    switch (edit, earlier.edit) {
    case (.fields(let changes), .fields(var all)):
      if all.fields.isSubset(of: changes.fields) { return }
      all.merge(changes)
      edit = .fields(all)
      base.version = min(base.version, earlier.base.version)
    case (.fields(let changes), .merged):
      if changes.fields.isEmpty { self = earlier }
    case (.merged, _): break
    }
  }

  /// Returns whether the draft is from the form for a todo, and is based on an earlier version than
  /// `version`.
  func isEdit(before version: Int64) -> Bool {
    if case .fields = edit { base.version < version } else { false }
  }

  /// The fields of the draft with their texts. The texts are not validated.
  var changes: FieldChanges {
    switch edit {
    case .fields(let changes): return changes
    case .merged(let text, let mine):
      var changes = mine?.changes ?? FieldChanges()
      let (title, note) = TodoText.split(text)
      changes.merge(FieldChanges(TodoContent(title: title, note: note), fields: [.title, .note]))
      return changes
    }
  }
}

extension Draft.ConflictingEdit {
  /// Returns a copy of the edit that keeps the title and the note. The values of all other fields
  /// come from `others`.
  func withOtherFields(of others: FieldChanges) -> Draft.ConflictingEdit {
    var edit = self
    edit.changes = others
    edit.changes[TitleField.self] = changes[TitleField.self]
    edit.changes[NoteField.self] = changes[NoteField.self]
    return edit
  }

  /// Returns whether the title of `content` contains the title of the edit, and the note of
  /// `content` contains the note of the edit.
  func isContained(in content: TodoContent) -> Bool {
    [(changes[TitleField.self], content.title), (changes[NoteField.self], content.note)]
      .allSatisfy { text, whole in
        guard let text, !text.isEmpty else { return true }
        return whole.utf8.firstRange(of: text.utf8) != nil
      }
  }
}

extension FormBase {
  /// Parses the `base` that a front-end has sent for the form of a todo. If `base` cannot be
  /// parsed, the result has the version 0. No todo has this version, so a save is then merged with
  /// the current version.
  ///
  /// - Throws: A refusal if the base belongs to another user, list or todo.
  init(
    parsing text: String, of id: TodoID, in list: TodoListKey
  ) throws(ScreenOffer.Refusal) {
    self = FormBase(text) ?? FormBase(EditBase(list: list, id: id, version: 0))
    try edit.check(isIn: list)
    guard edit.id == id else { throw .otherTodo }
  }
}

extension EditBase {
  /// Checks that the edit belongs to a list of this user.
  ///
  /// - Throws: A refusal if it belongs to another user.
  func check(isOf profile: String) throws(ScreenOffer.Refusal) {
    guard list.profile.hasSameBytes(as: profile) else {
      throw .notOffered(
        .otherList, "This text is of another user. Log in as that user to save it.")
    }
  }

  /// Checks that the edit belongs to this list.
  ///
  /// - Throws: A refusal if it belongs to another list or user.
  func check(isIn list: TodoListKey) throws(ScreenOffer.Refusal) {
    try check(isOf: list.profile)
    guard self.list == list else {
      let name = TodoSource.wireName(of: self.list)
      throw .notOffered(
        .otherList, "This text is of the list \(name). Open that list to save it.")
    }
  }
}
