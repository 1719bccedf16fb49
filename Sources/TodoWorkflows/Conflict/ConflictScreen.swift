import ScreenModel
import TodoModel

struct ConflictScreen {
  var id: TodoID
  var conflict: TodoConflict
  var merged: String
  /// The edit that saves the merged text, or what is wrong with it.
  var mergedEdit: Result<TodoEdit, TodoError>
  var isSaving: Bool
  var failure: TodoError?
  var onChanged: (_ merged: String?, _ version: Int64?) -> Void
  var onKeepMineTapped: (OperationToken?) -> Void
  var onTakeTheirsTapped: () -> Void
  var onSaveMergedTapped: (OperationToken?) -> Void
}

extension ConflictScreen: DescribableScreen {
  private enum Field { static let (base, mine, theirs) = ("base", "mine", "theirs") }
  private enum Action {
    static let (keepMine, takeTheirs, saveMerged) = ("keepMine", "takeTheirs", "saveMerged")
  }

  func describe() -> Screen {
    Screen(
      id: "conflict/" + id.text, name: "conflict", title: "Changed elsewhere",
      subject: conflict.theirs.title,
      bar: ScreenBar(left: Action.takeTheirs, right: Action.saveMerged),
      body: .form(ScreenForm(fields, base: base.text, layout: .compare)),
      message: ScreenMessage(
        failure == nil ? .warning : .error,
        failure?.message ?? "This todo was changed elsewhere. Nothing was overwritten."),
      actions: [
        ScreenAction(
          name: Action.keepMine, title: "Keep mine", role: .keep, key: "m", isEnabled: !isSaving),
        ScreenAction(
          name: Action.takeTheirs, title: "Take theirs", role: .take, key: "t",
          isEnabled: !isSaving),
        ScreenAction(
          name: Action.saveMerged, title: "Save merged", role: .merge, key: "s", isPrimary: true,
          isEnabled: problem == nil && !isSaving),
      ])
  }

  private var fields: [ScreenField] {
    [
      .text(name: Field.base, label: "Before", value: conflict.base.map(TodoText.text) ?? "")
        .compared(as: .base),
      .multiline(name: Field.mine, label: "Mine", value: merged, error: problem).compared(
        as: .mine),
      .text(name: Field.theirs, label: "Theirs", value: TodoText.text(of: conflict.theirs))
        .compared(as: .theirs),
    ]
  }

  private var base: TextBase { TextBase(id: id, version: conflict.theirVersion) }

  private var problem: String? {
    if case .failure(let error) = mergedEdit { error.message } else { nil }
  }

  /// Only `mine` can be typed over; the other two are there to be read.
  /// Mine is not stored before it is decided what becomes of it.
  var hasUnsavedText: Bool { true }

  func takesText(typedOn base: String) -> Bool { TextBase.isAbout(id, base) }

  func change(_ values: [String: String], base: String?) {
    onChanged(values[Field.mine], base.map { TextBase.version($0, of: id) })
  }

  func act(_ call: ActionCall) {
    switch call.action {
    case Action.keepMine: onKeepMineTapped(call.token)
    case Action.takeTheirs: onTakeTheirsTapped()
    case Action.saveMerged: onSaveMergedTapped(call.token)
    default: break
    }
  }
}
