import TodoModel

/// An unsaved text that is restored into a form.
struct RestoredDraft: Sendable, Equatable {
  var draft: Draft
  /// The stored drafts from which this text was restored, or which this text continues. These
  /// drafts are discarded when the text is saved or discarded.
  var stored: [StoredDraft]
  /// The other stored drafts of the todo.
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

  /// Creates a draft from the text that a front-end still has.
  ///
  /// - Parameter drafts: The stored drafts of the todo. The text can be a continuation of some of
  ///   them.
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

  /// Adds the edit that caused the conflict to a merged text that lacks this edit. The edit is
  /// missing if the draft of the merged text was not stored in time. In that case, `others`
  /// contains the edit as a separate draft, which is based on an earlier version. Does nothing if
  /// `others` contains no edit of an earlier version, or several such edits.
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
  /// not from a comparison. Later edits do not change this version. The base of the comparison
  /// contains a newer version if `theirs` has changed since the text was written.
  var mergedVersion: Int64? {
    draft.merged == nil ? nil : draft.base.version
  }

  /// Returns whether the user made an edit without having seen this text. This is the case if the
  /// base of the edited form does not contain the number of this draft, and the edit does not
  /// continue this text. Only call this method if the text has not been edited since it was
  /// restored from the store.
  ///
  /// - Parameters:
  ///   - edit: The user's edit.
  ///   - number: The number of the stored draft in the base of the form that the user has edited;
  ///     `nil` if the base contains none.
  func isUnseen(by edit: Draft, in number: Int64?) -> Bool {
    number != self.number && !edit.continues(draft)
  }

  /// Returns the edit together with the other drafts of the todo that the edit continues; `nil` if
  /// there are no such drafts. The parameters are those of `isUnseen`.
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
