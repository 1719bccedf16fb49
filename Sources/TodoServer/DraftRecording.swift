import TodoModel
import TodoWorkflows

/// A change of the unsaved text of a form, for the draft log.
package enum DraftChange: Sendable {
  /// The text was edited. `isNext` is whether the previous change in the log was an edit of the
  /// same form.
  case recorded(UnsavedText, isNext: Bool)
  case ended(UnsavedText)
  /// The user has logged out. The texts stay in the log for the next session of that user.
  case released

  /// Records the change.
  ///
  /// - Returns: A warning to log; `nil` if there is none.
  package func perform(in log: any DraftLog, at now: Timestamp) -> String? {
    switch self {
    case .recorded(let text, let isNext): return log.record(text, at: now, isNext: isNext)
    case .ended(let text): log.end(text.draft.base.id, in: text.draft.base.list)
    case .released: log.release()
    }
    return nil
  }
}

/// The unsaved texts that a loop has recorded in the draft log.
struct DraftRecording {
  /// The number of the last rendering of the workflows that was checked.
  fileprivate var renderCount = 0
  /// The newest text of each open form.
  fileprivate var texts: [UnsavedText] = []

  /// Replaces the text of the only open form; returns `false` if not exactly the same form was open
  /// before.
  fileprivate mutating func replace(_ newTexts: [UnsavedText]) -> Bool {
    guard newTexts.count == 1, texts.count == 1,
      texts[0].draft.base.isForSameTodo(as: newTexts[0].draft.base)
    else { return false }
    texts = newTexts
    return true
  }

  /// Replaces the texts by those of a rendering, and returns the changes for the draft log.
  fileprivate mutating func update(
    _ newTexts: [UnsavedText], user: String?
  ) -> [DraftChange] {
    var changes: [DraftChange] = []
    for old in texts where newTexts.find(old) == nil {
      changes.append(user == old.draft.base.list.profile ? .ended(old) : .released)
    }
    let recorded = texts
    texts = []
    for text in newTexts {
      let old = recorded.find(text)
      // A stored draft stays in the store until the user edits it.
      if old == nil, text.restored.contains(where: { $0.draft == text.draft }) { continue }
      texts.append(text)
      if old?.draft != text.draft { changes.append(.recorded(text, isNext: false)) }
    }
    return changes
  }
}

extension [UnsavedText] {
  /// Returns the text of the same todo.
  fileprivate func find(_ text: UnsavedText) -> UnsavedText? {
    first { $0.draft.base.isForSameTodo(as: text.draft.base) }
  }
}

extension Loop where AdapterType: ~Copyable {  // words: ok
  /// Requests that the draft log records the unsaved texts that have changed.
  mutating func recordDrafts() {
    guard let host, host.renderCount != draftRecording.renderCount,
      let log = root?.services.drafts?.log
    else { return }
    draftRecording.renderCount = host.renderCount
    let texts = host.rendering.unsavedTexts
    if texts.isEmpty, draftRecording.texts.isEmpty { return }
    if draftRecording.replace(texts) {
      return effects.append(.recordDraft(.recorded(texts[0], isNext: true), in: log))
    }
    for change in draftRecording.update(texts, user: host.rendering.user) {
      effects.append(.recordDraft(change, in: log))
    }
  }
}
