import TodoModel
import TodoWorkflows

/// A change of the draft log, caused by the unsaved text of a form.
package enum DraftChange: Sendable {
  /// The text was edited. `isNext` is `true` if the previous change of the log was an edit of the
  /// same form.
  case recorded(UnsavedText, isNext: Bool)
  /// A save needs a decision of the user. The recorded texts must be on disk before the server
  /// responds to the save.
  case needed
  case ended(UnsavedText)
  /// The log releases the recorded texts, so that the user's next session can import them. This
  /// happens when the user has logged out, or has typed a text without having seen the recorded
  /// text of the same todo.
  case released

  /// Performs the change in the draft log.
  ///
  /// - Returns: A warning for the user; `nil` if there is none.
  package func perform(in log: any DraftLog, at now: Timestamp) -> String? {
    switch self {
    case .recorded(let text, let isNext): return log.record(text, at: now, isNext: isNext)
    case .needed: log.flush()
    case .ended(let text): log.end(text.draft.base.id, in: text.draft.base.list)
    case .released: log.release()
    }
    return nil
  }
}

/// The unsaved texts that were recorded in the draft log.
struct DraftRecording {
  /// Whether a save needs a decision of the user. The text of the save must then be on disk before
  /// the server responds.
  var isNeeded = false
  /// The last recorded text of each open form.
  fileprivate var texts: [UnsavedText] = []

  /// Replaces the recorded text with the new text if all of the following are true; otherwise does
  /// nothing:
  ///
  /// - There is exactly one recorded text, and exactly one new text.
  /// - Both texts belong to the same todo.
  /// - The user had seen the recorded text before typing the new text.
  ///
  /// - Returns: Whether the text was replaced.
  fileprivate mutating func replace(_ newTexts: [UnsavedText]) -> Bool {
    guard newTexts.count == 1, texts.count == 1,
      texts[0].draft.base.isForSameTodo(as: newTexts[0].draft.base),
      !newTexts[0].draft.isUnaware(of: texts[0].draft)
    else { return false }
    texts = newTexts
    return true
  }

  /// Replaces the recorded texts, and returns the resulting changes of the draft log.
  fileprivate mutating func update(
    _ newTexts: [UnsavedText], user: String?
  ) -> [DraftChange] {
    var changes: [DraftChange] = []
    for old in texts where newTexts.find(old) == nil {
      changes.append(user == old.draft.base.list.profile ? .ended(old) : .released)
    }
    var recorded = texts
    if newTexts.contains(where: { new in
      recorded.find(new).map { new.draft.isUnaware(of: $0.draft) } ?? false
    }) {
      changes.append(.released)
      recorded = []
    }
    texts = []
    for text in newTexts {
      let old = recorded.find(text)
      // A restored draft is already stored. It is recorded when the user edits it.
      if old == nil, text.restored.contains(where: { $0.draft == text.draft }) { continue }
      texts.append(text)
      if old?.draft != text.draft { changes.append(.recorded(text, isNext: false)) }
    }
    return changes
  }
}

extension [UnsavedText] {
  /// Returns the element that belongs to the same todo as `text`; `nil` if there is none.
  fileprivate func find(_ text: UnsavedText) -> UnsavedText? {
    first { $0.draft.base.isForSameTodo(as: text.draft.base) }
  }
}

extension Loop where AdapterType: ~Copyable {  // words: ok
  /// Adds effects that record the changed unsaved texts of a rendering in the draft log.
  mutating func recordDrafts(of rendering: RootRendering) {
    guard let log = root?.services.drafts?.log else { return }
    let texts = rendering.unsavedTexts
    if texts.isEmpty, draftRecording.texts.isEmpty { return }
    if draftRecording.replace(texts) {
      return effects.append(.recordDraft(.recorded(texts[0], isNext: true), in: log))
    }
    for change in draftRecording.update(texts, user: rendering.user) {
      effects.append(.recordDraft(change, in: log))
    }
  }

  /// Adds an effect that writes the recorded texts to the disk.
  mutating func requireDrafts() {
    draftRecording.isNeeded = false
    guard let log = root?.services.drafts?.log else { return }
    effects.append(.recordDraft(.needed, in: log))
  }
}
