import ScreenModel
import TodoModel

struct ConflictScreen {
  var sides: ConflictSides
  /// What was typed, or what is proposed.
  var merged: String
  /// The edit that saves the merged text, or what is wrong with it.
  var mergedEdit: Result<TodoEdit, TodoError>
  var isSaving: Bool
  var failure: TodoError?
  var onChanged: (_ merged: String?, _ version: Int64?) -> Void
  var onDecided: (Resolution, _ stays: Bool, OperationToken?) -> Void
  var onLeft: () -> Void
}

extension ConflictScreen: DescribableScreen {
  static var name: String { TypedText.FormScreen.conflict.rawValue }
  static var fieldNames: [String] { [Field.base, Field.mine, Field.theirs, Field.merged] }

  private enum Field {
    static let (base, mine, theirs, merged) = ("base", "mine", "theirs", "merged")
  }

  var contents: Screen {
    Screen(
      id: "conflict/" + sides.id.text, name: Self.name,
      title: sides.isWithSource ? "Changed here and at the source" : "Changed elsewhere",
      subject: sides.merge.theirs.title,
      body: .form(ScreenForm(fields, base: base.text, layout: .compare)),
      message: ScreenMessage(
        failure == nil ? .warning : .error, failure?.message ?? explanation))
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add(
      "keepMine", "Keep mine", role: .keep, key: "m", isEnabled: !isSaving,
      confirm: isMergedTyped ? "Keep mine, and drop what you typed as merged?" : nil
    ) { onDecided(.keep(.mine), $0.stays, $0.token) }
    actions.add(
      "takeTheirs", "Take theirs", role: .take, key: "t", on: .left, isEnabled: !isSaving,
      confirm: hasUnsavedText ? "Take theirs, and drop what you typed?" : nil
    ) { onDecided(.keep(.theirs), $0.stays, $0.token) }
    actions.add(
      "saveMerged", "Save merged", role: .merge, key: "s", isPrimary: true, on: .right,
      isEnabled: problem == nil && !isSaving,
      confirm: isUndecided ? "Both words for one place are still there. Save them?" : nil
    ) { call in
      if case .success(let edit) = mergedEdit { onDecided(.merged(edit), call.stays, call.token) }
    }
    // A conflict with the source can wait; an edit is not stored yet.
    if sides.isWithSource {
      actions.add(
        "later", "Decide later", role: .back, key: "b", isEnabled: !isSaving,
        confirm: hasUnsavedText ? "Discard what you typed?" : nil
      ) { _ in onLeft() }
    }
  }

  private var explanation: String {
    sides.isWithSource
      ? "This todo was changed here and at its source. Nothing was overwritten on either side."
      : "This todo was changed elsewhere. Nothing was overwritten."
  }

  private var fields: [ScreenField] {
    let merge = sides.merge
    return [
      .text(
        name: Field.base, label: label("Before", merge.base),
        value: merge.base.map(TodoText.text) ?? ""
      ).compared(as: .base),
      .text(
        name: Field.mine, label: label("Mine", merge.mine), value: TodoText.text(of: merge.mine)
      ).compared(as: .mine),
      .text(
        name: Field.theirs, label: label("Theirs", merge.theirs),
        value: TodoText.text(of: merge.theirs)
      ).compared(as: .theirs),
      .multiline(
        name: Field.merged, label: label("Merged", merge.proposal), value: merged, error: problem
      ).compared(as: .merged),
    ]
  }

  /// The text of a side does not have all fields.
  private func label(_ side: String, _ content: TodoContent?) -> String {
    guard let content else { return "\(side) (not known)" }
    return "\(side) (\(TodoText.facts(of: content).joined(separator: ", ")))"
  }

  private var base: TextBase { TextBase(id: sides.id, version: sides.version) }

  private var problem: String? {
    if case .failure(let error) = mergedEdit { error.message } else { nil }
  }

  private var isUndecided: Bool {
    let (title, note) = TodoText.split(merged)
    return TextMerge.isUndecided(title, by: .words) || TextMerge.isUndecided(note, by: .lines)
  }

  /// Mine, where it is an edit, is not stored before it is decided what becomes of it.
  var hasUnsavedText: Bool { !sides.isWithSource || isMergedTyped }

  private var isMergedTyped: Bool {
    !merged.hasSameBytes(as: TodoText.text(of: sides.merge.proposal))
  }

  func leave() { if sides.isWithSource, !hasUnsavedText { onLeft() } }

  func takesText(typedOn base: String) -> Bool { TextBase.isAbout(sides.id, base) }

  /// Only `merged` can be typed over; the others are there to be read.
  func change(_ values: [String: String], base: String?) {
    onChanged(values[Field.merged], base.map { TextBase.version($0, of: sides.id) })
  }
}
