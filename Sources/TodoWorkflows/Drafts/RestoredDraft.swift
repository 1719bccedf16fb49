import TodoModel

/// An unsaved text that is restored into a form.
struct RestoredDraft: Sendable, Equatable {
  var draft: Draft
  /// The stored drafts from which this text was restored, or of which it is a continuation. These
  /// drafts are discarded when the text is saved or discarded.
  var stored: [StoredDraft]
  /// The time at which the user typed the text; `nil` if the front-end still has the text.
  var typedAt: Timestamp?

  init(_ stored: StoredDraft) {
    (draft, self.stored, typedAt) = (stored.draft, [stored], stored.typedAt)
  }

  /// Creates a draft from the text that a front-end still has.
  ///
  /// - Parameter others: The stored drafts of the todo. The text can be a continuation of some of
  ///   them.
  init(_ draft: Draft, among others: [StoredDraft]) {
    self.draft = draft
    stored = others.filter { draft.continues($0.draft) }
  }

  var numbers: [Int64] { stored.map(\.number) }
}

extension Timestamp {
  /// Returns the message of a form into which an unsaved text was restored.
  func restoredMessage(isStale: Bool) -> String {
    "Unsaved text from \(minuteText)."
      + (isStale ? " This todo was changed since then." : "") + " Save or discard it."
  }
}
