import TodoModel

/// An unsaved text that a form shows again.
struct RestoredDraft: Sendable, Equatable {
  var draft: Draft
  /// The stored drafts to discard when the text is saved or discarded.
  var stored: [StoredDraft]
  /// The time at which the text was typed; `nil` if the front-end still has the text.
  var typedAt: Timestamp?

  init(_ stored: StoredDraft) {
    (draft, self.stored, typedAt) = (stored.draft, [stored], stored.typedAt)
  }

  /// Creates a draft from the text that a front-end has sent again.
  ///
  /// - Parameter others: The stored drafts of the todo, some of which the text may continue.
  init(_ draft: Draft, among others: [StoredDraft]) {
    self.draft = draft
    stored = others.filter { draft.continues($0.draft) }
  }

  var numbers: [Int64] { stored.map(\.number) }
}

extension Timestamp {
  /// Returns the message of a form that shows an unsaved text again.
  func restoredMessage(isStale: Bool) -> String {
    "Unsaved text from \(minuteText)."
      + (isStale ? " This todo was changed since then." : "") + " Save or discard it."
  }
}
