import ScreenModel
import TodoModel

struct TodoEditScreen {
  var form: TodoForm { didSet { problems = form.problems(within: limits) } }
  /// The fields with invalid values, each with an error message.
  private var problems: [FieldProblem]
  var isSaving: Bool
  /// The labels that are suggested to the user.
  var labels: [String]
  var limits: FieldLimits
  /// Whether the todo cannot be saved, because the user has only read access to the list.
  var isReadOnly: Bool
  var onChanged: (FieldChanges, FormBase?) -> Void
  var onSaveTapped: (_ stays: Bool, OperationToken?) -> Void
  var onSaveAsNewTapped: (_ stays: Bool, OperationToken?) -> Void
  var onDiscardTapped: (OperationToken?) -> Void

  init(
    form: TodoForm, isSaving: Bool, labels: [String], limits: FieldLimits = .none,
    isReadOnly: Bool = false,
    onChanged: @escaping (FieldChanges, FormBase?) -> Void,
    onSaveTapped: @escaping (_ stays: Bool, OperationToken?) -> Void,
    onSaveAsNewTapped: @escaping (_ stays: Bool, OperationToken?) -> Void,
    onDiscardTapped: @escaping (OperationToken?) -> Void
  ) {
    (self.form, problems) = (form, form.problems(within: limits))
    (self.isSaving, self.labels, self.limits) = (isSaving, labels, limits)
    self.isReadOnly = isReadOnly
    (self.onChanged, self.onSaveTapped) = (onChanged, onSaveTapped)
    (self.onSaveAsNewTapped, self.onDiscardTapped) = (onSaveAsNewTapped, onDiscardTapped)
  }
}

extension TodoEditScreen: DescribableScreen {
  static var name: String { Draft.FormScreen.todoEdit.rawValue }
  static let fieldNames = ContentField.inForm.map { $0.rawValue }

  var contents: Screen {
    let title = form.todo.content.title
    return Screen(
      id: "todoEdit/" + form.idText, name: Self.name, title: "Edit",
      subject: title.isEmpty ? form.content.title : title,
      body: .form(
        ScreenForm(fields, base: form.baseText, layout: .text, hiddenFields: hiddenFields)),
      message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    let isSaveEnabled = !isSaving && problems.isEmpty && !isReadOnly
    // A removed todo cannot be changed, but the text in its form can be saved as a new todo.
    if form.isRemoved || form.isMissingAtSource {
      actions.add(
        "saveAsNew", "Save as new", role: .save, key: "s", isPrimary: true, on: .right,
        isEnabled: isSaveEnabled,
        confirm: form.isRemoved
          ? "This todo was removed elsewhere. Save \(savedText) as a new one\(dropping)?"
          : "The source does not have this todo any more. Save \(savedText) as a new one there\(dropping)?"
      ) { onSaveAsNewTapped($0.stays, $0.token) }
    } else {
      actions.add(
        "save", "Save", role: .save, key: "s", isPrimary: true, on: .right,
        isEnabled: isSaveEnabled,
        confirm: form.hiddenEdit == nil ? nil : "Save \(savedText)\(dropping)?"
      ) { onSaveTapped($0.stays, $0.token) }
    }
    actions.add(
      "discard", "Discard", role: .back, key: "d", on: .left, isEnabled: !isSaving,
      confirm: form.hasEdits ? "Discard what you typed?" : nil
    ) { onDiscardTapped($0.token) }
  }

  /// The words that stand for the saved text in the question that asks to confirm a save.
  private var savedText: String { form.hiddenEdit == nil ? "it" : "the merged text" }
  /// The last words of the question that asks to confirm a save, if the save drops an edit;
  /// otherwise empty.
  private var dropping: String { form.hiddenEdit == nil ? "" : ", and drop mine" }

  private var fields: [ScreenField] {
    let content = form.content
    return ContentField.inForm.compactMap { field in
      guard form.shownFields.contains(field) else { return nil }
      let name = field.rawValue
      let value = form.edits.text(of: field, in: content)
      let problem = problems.first { $0.field == name }?.message
      return switch field.traits.formField {
      case .line(let label):
        ScreenField(
          name: name, label: label.description, value: value, error: problem,
          suggestions: field.suggestions(labels: labels))
      case .multiline(let label):
        .multiline(name: name, label: label.description, value: value, error: problem)
      case nil: nil
      }
    }
  }

  private var hiddenFields: [String] {
    ContentField.inForm.filter { !form.shownFields.contains($0) }.map(\.rawValue)
  }

  private var message: ScreenMessage? {
    if let failure = form.failure { return ScreenMessage(.error, failure.message) }
    if isReadOnly { return ScreenMessage(.info, TodoError.readOnlyList.message) }
    if form.isRemoved {
      return ScreenMessage(.warning, TodoError.todoRemovedElsewhere.message)
    }
    if let time = form.restored?.typedAt {
      return ScreenMessage(.info, time.restoredMessage(isStale: form.isStale))
    }
    if form.isStale {
      return ScreenMessage(.warning, "This todo was changed elsewhere while you were editing.")
    }
    if let refusal = form.todo.failure {
      return ScreenMessage(.warning, "Its source refused this todo: \(refusal.message)")
    }
    return nil
  }

  var hasUnsavedText: Bool { isSaving || form.hasEdits }

  func leave() { if !hasUnsavedText { onDiscardTapped(nil) } }

  func check(base: String) throws(ScreenOffer.Refusal) { _ = try formBase(base) }

  func applying(_ values: [String: String], base: String?) -> TodoEditScreen {
    var screen = self
    screen.form.apply(FieldChanges(texts: values), from: base.flatMap { try? formBase($0) })
    return screen
  }

  func change(_ values: [String: String], base: String?) {
    onChanged(FieldChanges(texts: values), base.flatMap { try? formBase($0) })
  }

  private func formBase(_ text: String) throws(ScreenOffer.Refusal) -> FormBase {
    try FormBase(parsing: text, of: form.todo.id, in: form.list)
  }
}
