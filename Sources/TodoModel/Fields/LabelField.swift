/// The labels of a todo. A merge treats each label separately.
package enum LabelField: ContentFieldType {
  package static let countMax = 100
  /// The maximum length of a label, in bytes of UTF-8.
  package static let bytesMax = 256
  /// The maximum number of labels after a merge. It is higher than `countMax`, because a merge can
  /// combine the labels of several sides.
  package static let mergedCountMax = 1_000

  /// The maximum number of a list's labels that are suggested to the user.
  package static let suggestionsMax = 100

  package static var field: ContentField { .labels }
  package static let traits = FieldTraits(
    name: "labels", isBrief: true, formField: .line(label: "Labels"),
    itemAction: FieldTraits.ItemAction(
      name: "label", title: "Label", key: "l", label: "Labels (-label removes one)"),
    purpose: "Such as home",
    editAdvice: "All of them; others are removed")

  package static func value(in content: TodoContent) -> LabelSet { content.labels }
  package static func set(_ value: LabelSet, in content: inout TodoContent) {
    content.labels = value
  }

  package static func normalized(_ value: LabelSet) -> LabelSet {
    LabelSet(value.texts.map(\.trimmed))
  }

  package static func problem(with value: LabelSet) -> String? {
    value.count > countMax ? "A todo has at most \(countMax) labels." : elementProblem(with: value)
  }

  package static func importProblem(with value: LabelSet) -> String? {
    value.count > mergedCountMax
      ? "A todo has at most \(mergedCountMax) labels." : elementProblem(with: value)
  }

  private static func elementProblem(with value: LabelSet) -> String? {
    for text in value.texts {
      guard 1...bytesMax ~= text.utf8.count else {
        return "A label must have 1 to \(bytesMax) bytes."
      }
      if text.unicodeScalars.contains(where: \.isControl) {
        return "A label must not contain control characters or line ends."
      }
    }
    return nil
  }

  /// Returns the new labels. A label that `old` also contains keeps its spelling in `old`.
  package static func replacing(_ old: LabelSet, with new: LabelSet) -> LabelSet {
    new.spelled(as: old)
  }

  /// Merges labels: additions and removals of both sides are applied. Without a base, removals
  /// cannot be recognized, so the result contains all labels of both sides.
  ///
  /// - Returns: `nil` for more than `mergedCountMax` labels.
  package static func join(base: LabelSet?, mine: LabelSet, theirs: LabelSet) -> LabelSet? {
    if mine.isSame(as: theirs) { return theirs }
    let base = base ?? LabelSet()
    let joined = theirs.subtracting(base.subtracting(mine)).union(mine.subtracting(base))
    return joined.count <= mergedCountMax ? joined : nil
  }

  /// Returns whether `theirs` contains all labels that were added from `base` to `sent`, and none
  /// of those that were removed. Other labels may differ.
  package static func isApplied(_ sent: LabelSet, to base: LabelSet, in theirs: LabelSet) -> Bool {
    sent.subtracting(base).subtracting(theirs).isEmpty
      && base.subtracting(sent).intersection(theirs).isEmpty
  }

  /// Returns the local labels after the source has responded to a change: `mine` merged with
  /// `theirs`, the labels in the response. Local changes that the source has not applied stay in
  /// the result.
  package static func acknowledging(
    _ sent: LabelSet, from base: LabelSet, mine: LabelSet, theirs: LabelSet
  ) -> LabelSet {
    let refused = sent.subtracting(base).subtracting(theirs)
    let kept = base.subtracting(sent).intersection(theirs)
    let common = sent.subtracting(refused).union(kept)
    return join(base: common, mine: mine, theirs: theirs) ?? mine
  }

  /// Returns those labels of a source that a user could also enter. Other labels are not shown, and
  /// are never changed at the source.
  package static func delivered(_ texts: some Sequence<String>) -> LabelSet {
    LabelSet(
      texts.filter { $0 == $0.trimmed && problem(with: LabelSet([$0])) == nil }
        .prefix(mergedCountMax))
  }

  package static let expected =
    "Labels must be words; a label with spaces is in quotation marks: bug \"two words\"."

  package static func value(typed text: String, on today: CivilDay) -> LabelSet? {
    value(adjusting: LabelSet(), by: text, on: today)
  }

  /// Returns the labels `old` after the additions and removals in `text`, such as `bug -old`; `nil`
  /// if the text is invalid.
  package static func value(
    adjusting old: LabelSet, by text: String, on today: CivilDay
  ) -> LabelSet? {
    LabelWords(text).map {
      old.union(LabelSet($0.added)).subtracting(LabelSet($0.removed))
    }
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character, U+2028 (line separator) or U+2029 (paragraph separator).
  var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
  }
}
