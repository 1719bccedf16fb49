import TodoModel

/// A conflict that the user resolves: its sides, and the merged text that the user can edit.
///
/// When another client changes the todo, the sides and the proposed merge are computed again. The
/// user's own merged text stays unchanged. Before this text replaces text that the user has not
/// seen, the user must confirm the replacement.
struct Comparison: Sendable, Equatable {
  let list: TodoListKey
  private(set) var sides: ConflictSides
  /// The text in the field for the merged text: the proposed merge, or the user's own text.
  private(set) var merged: String
  /// The user's edit that could not be stored because of the conflict; `nil` if there is none, such
  /// as in a conflict with the source.
  private(set) var edit: Draft?
  /// A merged text that was written for an older version of the todo, and this version; `nil` if
  /// there is no such text. The text is recorded in two cases:
  ///
  /// - `theirs` (the other side of the conflict) changes after the text was written.
  /// - The user has typed the text into a form with an older version of the todo.
  ///
  /// If `merged` equals this text and differs from the proposed merge, the user must confirm before
  /// the save.
  private var outdated: OutdatedText?
  /// The version of the todo that the user saw at the last edit; `nil` after a decision, or if the
  /// front-end did not send the version.
  private var seenVersion: Int64?
  /// The error of the last decision; `nil` after the next edit.
  var failure: TodoError?
  /// The unsaved text that was restored into the form; `nil` if there is none.
  @Shared private(set) var restored: RestoredDraft? = nil

  /// A merged text, and the version of the todo for which it was written.
  private struct OutdatedText: Equatable {
    var text: String
    var version: Int64

    static func == (a: OutdatedText, b: OutdatedText) -> Bool {
      a.version == b.version && a.text.hasSameBytes(as: b.text)
    }
  }

  /// Creates a comparison whose merged text is the proposed merge of both sides.
  ///
  /// - Parameters:
  ///   - edit: The user's edit that could not be stored because of the conflict.
  ///   - restored: The unsaved text that was restored into the form in which the user made `edit`.
  init(
    _ sides: ConflictSides, in list: TodoListKey, edit: Draft? = nil,
    restored: RestoredDraft? = nil
  ) {
    (self.list, self.sides, self.edit) = (list, sides, edit)
    self.restored = restored?.edited
    merged = TodoText.text(of: sides.merge.proposal)
  }

  static func == (a: Comparison, b: Comparison) -> Bool {
    a.sides == b.sides && a.merged.hasSameBytes(as: b.merged) && a.failure == b.failure
      && a.seenVersion == b.seenVersion && a.list == b.list && a.edit == b.edit
      && a._restored == b._restored && a.outdated == b.outdated
  }

  // MARK: The form

  var editBase: EditBase { EditBase(list: list, id: sides.id, version: sides.version) }

  /// The base of the form, as text. The front-end sends the base back with edits.
  var baseText: String {
    FormBase.text(editBase.todoText, version: sides.version, draft: restored?.number)
  }

  /// Whether the user has edited the merged text.
  var isMergedEdited: Bool { !merged.hasSameBytes(as: TodoText.text(of: sides.merge.proposal)) }

  /// Whether closing the form would lose text. The edit that caused the conflict counts as such
  /// text, because it is not stored until the conflict is resolved.
  var hasUnsavedText: Bool { !sides.isWithSource || isMergedEdited }

  /// The unsaved text; `nil` if there is none (see `hasUnsavedText`). There are two cases:
  ///
  /// - If the user has not edited the merged text, and the edit that caused the conflict is known,
  ///   this edit is the unsaved text.
  /// - Otherwise, the merged text is the unsaved text, even if it equals the proposed merge.
  var draft: Draft? {
    if !isMergedEdited, let edit { return edit }
    guard hasUnsavedText else { return nil }
    let base = EditBase(list: list, id: sides.id, version: mergedVersion)
    return Draft(base: base, edit: .merged(merged, mine: conflictingEdit))
  }

  /// The edit that caused the conflict; `nil` if the edit is not known. Its values are the present
  /// values of `mine` (the user's side of the conflict).
  private var conflictingEdit: Draft.ConflictingEdit? {
    edit.map { edit in
      Draft.ConflictingEdit(
        changes: FieldChanges(sides.merge.mine, fields: edit.changes.fields),
        version: edit.base.version)
    }
  }

  /// The edit that saves the merged text, or the error if the merged text is invalid.
  var mergedEdit: Result<TodoEdit, TodoError> {
    Result { () throws(TodoError) in
      let (title, note) = TodoText.split(merged)
      return try TodoEdit(title: title, note: note.withLineEnds(of: sides.merge.theirs.note))
    }
  }

  /// The question that the user must confirm before `mine` is saved; `nil` if none is necessary. A
  /// question is necessary in two cases:
  ///
  /// - The user has edited the merged text. This text would be lost.
  /// - `mine` contains conflict markers, and the base contains none. This happens if the text of
  ///   `mine` was the proposed merge of an earlier comparison.
  var mineQuestion: String? {
    if isMergedEdited { return "Keep mine, and drop what you typed as merged?" }
    let base = sides.merge.base.map(TodoText.text) ?? ""
    return TextMerge.hasMarkerPair(TodoText.text(of: sides.merge.mine))
      && !TextMerge.hasMarkerPair(base)
      ? "Both versions of a text are in yours, between markers. Save them?" : nil
  }

  /// The question that the user must confirm before the merged text is saved; `nil` if none is
  /// necessary.
  var mergedQuestion: String? {
    if isMergedEdited, mergedVersion != sides.version {
      return "Theirs was changed after you wrote the merged text. Save your text in its place?"
    }
    let isProposedWithMarkers = TextMerge.hasMarkerPair(TodoText.text(of: sides.merge.proposal))
    return isProposedWithMarkers && TextMerge.hasMarkerPair(merged)
      ? "Both versions of a text are still there, between markers. Save them?" : nil
  }
}

// MARK: Edits

extension Comparison {
  /// Applies the user's change of the merged text.
  ///
  /// - Parameters:
  ///   - version: The version of the todo that the user saw.
  ///   - number: The number of the stored draft that the user saw in the form.
  mutating func apply(
    merged text: String?, basedOn version: Int64?, draft number: Int64? = nil
  ) {
    failure = nil
    if restored?.typedAt != nil {
      if let version {
        let base = EditBase(list: list, id: sides.id, version: version)
        let edit = text.map { Draft.Edit.merged($0) } ?? .fields(FieldChanges())
        dropRestored(unlessSeenBy: Draft(base: base, edit: edit), in: number)
      }
      restored = restored?.edited
    }
    seenVersion = version
    guard let text else { return }
    merged = text
    let versions = [version, restored?.mergedVersion].compactMap { $0 }
    if let written = versions.min(), written != sides.version {
      outdated = OutdatedText(text: text, version: written)
    }
  }

  /// Restores an unsaved text.
  mutating func restore(_ restored: RestoredDraft) {
    if let text = restored.draft.merged {
      apply(merged: text, basedOn: restored.draft.base.version)
    }
    if let mine = restored.draft.mine {
      let base = EditBase(list: list, id: sides.id, version: mine.version)
      edit = Draft(base: base, edit: .fields(mine.changes))
    }
    self.restored = restored
  }

  /// Records that the store no longer has the drafts that were restored into the comparison.
  mutating func forgetStoredDrafts() { restored?.stored = [] }

  /// Removes the restored text from the comparison, if the user made `edit` without having seen
  /// this text. The store keeps the text. If `edit` belongs to another stored draft of the todo,
  /// `edit` takes the place of the restored text.
  private mutating func dropRestored(unlessSeenBy edit: Draft, in number: Int64?) {
    guard let text = restored, text.isUnseen(by: edit, in: number) else { return }
    (restored, outdated) = (text.replaced(by: edit, in: number), nil)
    merged = restored?.draft.merged ?? TodoText.text(of: sides.merge.proposal)
  }

  /// The effect of a decision by the user.
  enum Decision {
    /// The user is asked again, because the todo has changed since the user saw it.
    case asks
    case operation(ListOperation)
  }

  mutating func decide(_ resolution: Resolution) -> Decision {
    defer { seenVersion = nil }
    if let seenVersion, seenVersion != sides.version { return .asks }
    failure = nil
    if sides.isWithSource {
      return .operation(.resolve(sides.id, version: sides.version, resolution))
    }
    let content = sides.merge.content(after: resolution)
    let edit = TodoEdit(
      unchecked: FieldChanges(content, fields: .all), expectedVersion: sides.version)
    return .operation(
      .settle(
        sides.id, version: sides.version, content == sides.merge.theirs ? nil : edit))
  }
}

// MARK: The store

extension Comparison {
  /// Replaces the sides of the conflict. If the user has not edited the merged text, also replaces
  /// the merged text by the new proposed merge.
  mutating func follow(_ newSides: ConflictSides) {
    let wasEdited = isMergedEdited
    if newSides.merge.theirs.inForm != sides.merge.theirs.inForm {
      outdated = OutdatedText(text: merged, version: mergedVersion)
    }
    sides = newSides
    if !wasEdited { merged = TodoText.text(of: sides.merge.proposal) }
  }

  /// Updates the sides after the store has refused a decision, because the todo has changed. Does
  /// nothing for a conflict with the source, whose sides must be read from the store again.
  mutating func follow(_ conflict: TodoConflict) {
    if sides.isWithSource { return }
    follow(sides.against(conflict.theirs, version: conflict.theirVersion))
  }

  /// Updates the comparison after its todo was read again.
  ///
  /// - Returns: `false` if another client has resolved the conflict, and the user has no unsaved
  ///   text.
  mutating func follow(_ todo: Todo, _ conflict: SourceConflict?) -> Bool {
    if !sides.isWithSource {
      follow(sides.against(todo.content, version: todo.version))
    } else if let conflict {
      follow(ConflictSides(conflict))
    } else if isMergedEdited {
      let (title, note) = TodoText.split(merged)
      var mine = todo.content
      (mine.title, mine.note) = (title, note)
      let text = OutdatedText(text: merged, version: mergedVersion)
      follow(ConflictSides(edit: mine, of: todo))
      (merged, outdated) = (text.text, text)
    } else {
      return false
    }
    return true
  }

  /// Returns a form that replaces the comparison after another client has removed the todo. In the
  /// form, the user can save the unsaved text as a new todo:
  ///
  /// - If the user has edited the merged text, the form has the merged text. The draft of the form
  ///   also contains the edit that caused the conflict, if this edit is known.
  /// - Otherwise, the form has the text of `mine`.
  ///
  /// - Returns: `nil` if there is no unsaved text.
  func formAfterRemoval() -> TodoForm? {
    guard hasUnsavedText else { return nil }
    guard isMergedEdited else { return formAfterRemoval(saving: sides.merge.mine) }
    var content = sides.merge.proposal
    (content.title, content.note) = TodoText.split(merged)
    guard let conflictingEdit else { return formAfterRemoval(saving: content) }
    let changes = FieldChanges(content, fields: .inForm)
    return formAfterRemoval(
      with: .merged(merged, mine: conflictingEdit.withOtherFields(of: changes)))
  }

  /// Returns the form in which the user can save `content` as a new todo. If the removed todo is
  /// restored before the save, `content` is merged with the restored todo instead.
  func formAfterRemoval(saving content: TodoContent) -> TodoForm {
    formAfterRemoval(with: .fields(FieldChanges(content, fields: .inForm)))
  }

  private func formAfterRemoval(with edit: Draft.Edit) -> TodoForm {
    let draft = Draft(base: textBase, edit: edit)
    var restored = restored?.edited ?? RestoredDraft(unstored: draft)
    restored.draft = draft
    return TodoForm(removed: restored, title: sides.merge.theirs.title)
  }

  /// The base of the user's text; its version is 0 if the version is not known.
  private var textBase: EditBase {
    let version = isMergedEdited ? mergedVersion : edit?.base.version ?? 0
    return EditBase(list: list, id: sides.id, version: version)
  }

  /// The version of the todo for which `merged` was written.
  private var mergedVersion: Int64 {
    guard let outdated, merged.hasSameBytes(as: outdated.text) else { return sides.version }
    return outdated.version
  }
}
