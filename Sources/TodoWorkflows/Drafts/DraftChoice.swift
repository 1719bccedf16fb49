import TodoModel

/// Several drafts of one todo, from which the user chooses one.
struct DraftChoice: Sendable, Equatable {
  let id: TodoID
  /// The drafts, newest first. There is at least one.
  private(set) var drafts: [StoredDraft]

  /// Creates a choice; `nil` for fewer than two drafts, which need no choice.
  init?(_ drafts: [StoredDraft]) {
    guard drafts.count > 1 else { return nil }
    (id, self.drafts) = (drafts[0].draft.base.id, drafts)
  }

  /// Removes the drafts with these numbers.
  ///
  /// - Returns: `false` if no draft is left.
  mutating func remove(_ numbers: [Int64]) -> Bool {
    drafts.removeAll { numbers.contains($0.number) }
    return !drafts.isEmpty
  }
}

extension StoredDraft {
  /// The beginning of the draft's text on one line.
  var excerpt: String {
    let text =
      switch draft.edit {
      case .fields(let changes):
        ContentField.inForm.filter { changes.fields.contains($0) }
          .map { changes.text(of: $0, in: changes.values) }.joined(separator: " ")
      case .merged(let text, _): text
      }
    let line = text.prefix(Self.excerptCharactersMax + 1).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    return line.count > Self.excerptCharactersMax
      ? line.prefix(Self.excerptCharactersMax) + "…" : line
  }

  private static let excerptCharactersMax = 60
}

extension Timestamp {
  /// The date and the time without seconds, such as `2026-11-23 16:42 UTC`.
  var minuteText: String {
    let text = description
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return text }
    return "\(parts[0]) \(parts[1].prefix(5)) UTC"
  }
}
