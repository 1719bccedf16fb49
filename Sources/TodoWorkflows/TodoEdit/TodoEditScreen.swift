import ScreenModel
import TodoModel

struct TodoEditScreen {
  var draft: TodoEditDraft
  var problems: [FieldProblem]
  var isSaving: Bool
  var isStale: Bool
  var isRemoved: Bool
  /// Whether nobody has been told yet that it was removed, because it was so when it was opened.
  var isRemovalNews: Bool
  var failure: TodoError?
  var onChanged: (FieldChanges, _ version: Int64?) -> Void
  var onSaveTapped: (_ stays: Bool, OperationToken?) -> Void
  var onSaveAsNewTapped: (_ stays: Bool, OperationToken?) -> Void
  var onDiscardTapped: () -> Void
}

extension TodoEditScreen: DescribableScreen {
  static var name: String { TypedText.FormScreen.todoEdit.rawValue }
  static let fieldNames = ContentField.inForm.map { $0.rawValue }

  var contents: Screen {
    Screen(
      id: "todoEdit/" + draft.base.id.text, name: Self.name, title: "Edit",
      subject: draft.base.content.title.isEmpty
        ? draft.content.title : draft.base.content.title,
      body: .form(ScreenForm(fields, base: base.text, layout: .text)), message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    // A todo that is not there any more cannot be saved, but its text can.
    if isRemoved {
      actions.add(
        "saveAsNew", "Save as new", role: .save, key: "s", isPrimary: true, on: .right,
        isEnabled: isSaveEnabled,
        confirm: isRemovalNews ? "This todo was removed elsewhere. Save it as a new one?" : nil
      ) { onSaveAsNewTapped($0.stays, $0.token) }
    } else {
      actions.add(
        "save", "Save", role: .save, key: "s", isPrimary: true, on: .right,
        isEnabled: isSaveEnabled
      ) { onSaveTapped($0.stays, $0.token) }
    }
    actions.add(
      "discard", "Discard", role: .back, key: "d", on: .left, isEnabled: !isSaving,
      confirm: draft.isChanged ? "Discard what you typed?" : nil
    ) { _ in onDiscardTapped() }
  }

  private var isSaveEnabled: Bool { problems.isEmpty && !isSaving }

  private var fields: [ScreenField] {
    ContentField.inForm.compactMap { field in
      let name = field.rawValue
      let value = draft.content.text(of: field)
      let problem = problems.first { $0.field == name }?.message
      return switch field.traits.formField {
      case .line(let label):
        ScreenField(name: name, label: label.description, value: value, error: problem)
      case .multiline(let label):
        .multiline(name: name, label: label.description, value: value, error: problem)
      case nil: nil
      }
    }
  }

  private var message: ScreenMessage? {
    if let failure { return ScreenMessage(.error, failure.message) }
    if isRemoved {
      return ScreenMessage(
        .warning, "This todo was removed elsewhere. Its text can be saved as a new one.")
    }
    if isStale {
      return ScreenMessage(.warning, "This todo was changed elsewhere while you were editing.")
    }
    if let refusal = draft.base.failure {
      return ScreenMessage(.warning, "Its source refused this todo: \(refusal.message)")
    }
    return nil
  }

  var hasUnsavedText: Bool { isSaving || draft.isChanged }

  func leave() { if !hasUnsavedText { onDiscardTapped() } }

  private var base: TextBase { TextBase(id: draft.base.id, version: draft.version) }

  func takesText(typedOn base: String) -> Bool { TextBase.isAbout(draft.base.id, base) }

  func change(_ values: [String: String], base: String?) {
    onChanged(FieldChanges(typed: values), base.map { TextBase.version($0, of: draft.base.id) })
  }
}
