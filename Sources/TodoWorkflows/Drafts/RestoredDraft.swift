import TodoModel

/// An unsaved text that is restored into a form.
struct RestoredDraft: Sendable, Equatable {
  var draft: Draft
  /// The stored drafts from which this text was restored, or which this text continues. These
  /// drafts are discarded when the text is saved or discarded.
  var stored: [StoredDraft]
  /// The stored drafts of the todo that were not put into `stored` when this value was created.
  private let others: [StoredDraft]
  /// The number of the stored draft to which the form's base refers; `nil` if it refers to none.
  var number: Int64?
  /// The time at which the user typed the text, if the text was restored from the store and not
  /// edited since then. `nil` if the user has edited the text, or if it comes from a front-end that
  /// has opened the form again.
  var typedAt: Timestamp?

  init(_ stored: StoredDraft, among drafts: [StoredDraft] = []) {
    draft = stored.draft
    self.stored = [stored]
    others = drafts.filter { $0.number != stored.number }
    (number, typedAt) = (stored.number, stored.typedAt)
  }

  /// Creates a draft from the unsaved text of a closed form, which a front-end has sent to open the
  /// form again.
  ///
  /// - Parameter drafts: The stored drafts of the todo. The text can continue some of these drafts.
  init(_ text: FormText, among drafts: [StoredDraft]) {
    self.init(text.draft, in: text.restoredNumber, among: drafts)
  }

  private init(_ draft: Draft, in number: Int64?, among drafts: [StoredDraft]) {
    (self.draft, self.number) = (draft, number)
    func isContinued(_ other: StoredDraft) -> Bool {
      other.number == number || draft.continues(other.draft)
    }
    (stored, others) = (drafts.filter(isContinued), drafts.filter { !isContinued($0) })
    // A front-end sends only the fields that the user has edited since the draft was restored.
    if let restored = stored.first(where: { $0.number == number }) {
      self.draft.fill(from: restored.draft)
    }
    // A front-end sends only the merged text.
    if let mine = stored.compactMap(\.draft.mine).first { self.draft.setMine(mine) }
  }

  /// Adds the edit that caused the conflict, if the draft has a merged text without this edit.
  ///
  /// The edit is missing if the draft of the merged text was not stored in time. `others` then
  /// contains the edit as a separate draft, which is based on an earlier version of the todo. If
  /// `others` contains no such draft, or several, this method does nothing.
  mutating func addMine(among others: [StoredDraft]) {
    let edits = others.filter { $0.draft.isEdit(before: draft.base.version) }
    guard draft.mine == nil, edits.count == 1 else { return }
    let edit = edits[0].draft
    draft.setMine(Draft.ConflictingEdit(changes: edit.changes, version: edit.base.version))
    stored += edits
  }

  /// Creates a draft that no store contains.
  init(unstored draft: Draft) { (self.draft, stored, others) = (draft, [], []) }

  /// The draft after the user has edited its text.
  var edited: RestoredDraft {
    var draft = self
    draft.typedAt = nil
    return draft
  }

  var numbers: [Int64] { stored.map(\.number) }

  /// Returns the numbers of the drafts to discard when the text of the form is saved: the drafts in
  /// `stored`, and other drafts that `text` continues. If the user discards `text` instead, only
  /// the drafts in `stored` are discarded.
  func numbers(endedBySaving text: Draft?) -> [Int64] {
    numbers + others.filter { text?.continues($0.draft) ?? false }.map(\.number)
  }

  /// The version of the todo for which the restored merged text was written; `nil` if the text is
  /// not from a comparison (the form for a conflict). Later edits do not change this version. The
  /// base of the comparison can contain a newer version, because `theirs` (the other side of the
  /// conflict) may have changed since the text was written.
  var mergedVersion: Int64? {
    draft.merged == nil ? nil : draft.base.version
  }

  /// Returns whether the user made an edit without having seen this text. This is the case if both
  /// conditions are met:
  ///
  /// - The base of the form in which the user made the edit does not contain the number of this
  ///   draft.
  /// - The edit does not continue this text.
  ///
  /// Only call this method if the text was restored from the store, and not edited since then.
  ///
  /// - Parameters:
  ///   - edit: The user's edit.
  ///   - number: The number of the stored draft in the base of the form that the user has edited;
  ///     `nil` if the base contains none.
  func isUnseen(by edit: Draft, in number: Int64?) -> Bool {
    number != self.number && !edit.continues(draft)
  }

  /// Returns a draft that contains the edit, to replace this draft. The `stored` drafts of the
  /// result are the other drafts of the todo to which the edit belongs: the draft with the given
  /// number, and drafts that the edit continues. Returns `nil` if there are no such drafts.
  ///
  /// For the parameters, see `isUnseen`.
  func replaced(by edit: Draft, in number: Int64?) -> RestoredDraft? {
    let text = RestoredDraft(edit, in: number, among: others)
    return text.stored.isEmpty ? nil : text
  }
}

extension Timestamp {
  /// Returns the message of a form into which an unsaved text was restored.
  func restoredMessage(isStale: Bool) -> String {
    "Unsaved text from \(minuteText)."
      + (isStale ? " This todo was changed since then." : "") + " Save or discard it."
  }
}
