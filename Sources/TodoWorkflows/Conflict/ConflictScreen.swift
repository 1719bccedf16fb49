import ScreenModel
import TodoModel

struct ConflictScreen {
  var comparison: Comparison
  var isSaving: Bool
  var limits = FieldLimits.none
  var onChanged: (_ merged: String?, FormBase?) -> Void
  var onDecided: (Resolution, _ stays: Bool, OperationToken?) -> Void
  var onLeft: (OperationToken?) -> Void
}

extension ConflictScreen: DescribableScreen {
  static var name: String { Draft.FormScreen.conflict.rawValue }
  static var fieldNames: [String] { [Field.base, Field.mine, Field.theirs, Field.merged] }
  static var mergedField: String { Field.merged }

  private enum Field {
    static let (base, mine, theirs, merged) = ("base", "mine", "theirs", "merged")
  }

  private var sides: ConflictSides { comparison.sides }

  var contents: Screen {
    Screen(
      id: "conflict/" + comparison.editBase.todoText, name: Self.name,
      title: sides.isWithSource ? "Changed here and at the source" : "Changed elsewhere",
      subject: sides.merge.theirs.title,
      body: .form(ScreenForm(fields, base: comparison.baseText, layout: .compare)),
      message: ScreenMessage(
        comparison.failure == nil ? .warning : .error,
        comparison.failure?.message ?? explanation))
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add(
      "keepMine", "Keep mine", role: .keep, key: "m", isEnabled: !isSaving,
      confirm: comparison.mineQuestion
    ) { onDecided(.keep(.mine), $0.stays, $0.token) }
    actions.add(
      "takeTheirs", "Take theirs", role: .take, key: "t", on: .left, isEnabled: !isSaving,
      confirm: hasUnsavedText ? "Take theirs, and drop what you typed?" : nil
    ) { onDecided(.keep(.theirs), $0.stays, $0.token) }
    actions.add(
      "saveMerged", "Save merged", role: .merge, key: "s", isPrimary: true, on: .right,
      isEnabled: problem == nil && !isSaving, confirm: comparison.mergedQuestion
    ) { call in
      if case .success(let edit) = comparison.mergedEdit {
        onDecided(.merged(edit), call.stays, call.token)
      }
    }
    // A conflict with the source can be resolved later. In a conflict with another client, leaving
    // the screen would lose the user's edit, which is not stored.
    if sides.isWithSource {
      actions.add(
        "later", "Decide later", role: .back, key: "b", isEnabled: !isSaving,
        confirm: hasUnsavedText ? "Discard what you typed?" : nil
      ) { onLeft($0.token) }
    }
  }

  private var explanation: String {
    if let time = comparison.restored?.typedAt { return time.restoredMessage(isStale: false) }
    if sides.isWithSource {
      return "This todo was changed here and at its source. Nothing was overwritten on either side."
    }
    return sides.merge.changedBack.isEmpty
      ? "This todo was changed elsewhere. Nothing was overwritten."
      : "This todo was changed elsewhere, and changed back. Nothing was overwritten."
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
        name: Field.merged, label: label("Merged", merge.proposal), value: comparison.merged,
        error: problem
      ).compared(as: .merged),
    ]
  }

  /// Returns the label of a side. The label contains the values that are not part of the text of
  /// the side.
  private func label(_ side: String, _ content: TodoContent?) -> String {
    guard let content else { return "\(side) (not known)" }
    return "\(side) (\(TodoText.facts(of: content).joined(separator: ", ")))"
  }

  private var problem: String? {
    switch comparison.mergedEdit {
    case .failure(let error): error.message
    case .success(let edit): limits.problems(with: edit.changes).first?.message
    }
  }

  var hasUnsavedText: Bool { comparison.hasUnsavedText }

  func leave() { if sides.isWithSource, !hasUnsavedText { onLeft(nil) } }

  func check(base: String) throws(ScreenOffer.Refusal) { _ = try formBase(base) }

  func comparesSides(ofBase base: String) -> Bool {
    (try? formBase(base))?.edit.version == sides.version
  }

  func applying(_ values: [String: String], base: String?) -> ConflictScreen {
    var screen = self
    let base = base.flatMap { try? formBase($0) }
    screen.comparison.apply(
      merged: values[Field.merged], basedOn: base?.edit.version, draft: base?.draft)
    return screen
  }

  /// Applies the user's change of the merged text. All other fields are read-only.
  func change(_ values: [String: String], base: String?) {
    onChanged(values[Field.merged], base.flatMap { try? formBase($0) })
  }

  private func formBase(_ text: String) throws(ScreenOffer.Refusal) -> FormBase {
    try FormBase(parsing: text, of: sides.id, in: comparison.list)
  }
}
