/// The labels: a set of short texts, whose elements are merged one by one.
package enum LabelField: ContentFieldType {
  package static let countMax = 100
  /// The longest label, in bytes of UTF-8.
  package static let bytesMax = 256
  /// The maximum number of labels after merges with changes made elsewhere, which may exceed the
  /// limit for users.
  package static let mergedCountMax = 1_000

  /// The maximum number of suggested labels of a list.
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

  /// Returns the new labels, in the spelling of the old ones if they differ in case only.
  package static func replacing(_ old: LabelSet, with new: LabelSet) -> LabelSet {
    new.spelled(as: old)
  }

  /// Returns the labels of one side with the additions and removals of the other side. Without a
  /// base, returns the labels of both, because removals are unknown.
  package static func join(base: LabelSet?, mine: LabelSet, theirs: LabelSet) -> LabelSet? {
    if mine.isSame(as: theirs) { return theirs }
    let base = base ?? LabelSet()
    let joined = theirs.subtracting(base.subtracting(mine)).union(mine.subtracting(base))
    return joined.count <= mergedCountMax ? joined : nil
  }

  /// Whether a source has applied all additions and removals. It may have other changes, too.
  package static func isApplied(_ sent: LabelSet, to base: LabelSet, in theirs: LabelSet) -> Bool {
    sent.subtracting(base).subtracting(theirs).isEmpty
      && base.subtracting(sent).intersection(theirs).isEmpty
  }

  /// Returns the local labels after an answer. Changes that the source has not applied stay.
  package static func acknowledging(
    _ sent: LabelSet, from base: LabelSet, mine: LabelSet, theirs: LabelSet
  ) -> LabelSet {
    let refused = sent.subtracting(base).subtracting(theirs)
    let kept = base.subtracting(sent).intersection(theirs)
    let common = sent.subtracting(refused).union(kept)
    return join(base: common, mine: mine, theirs: theirs) ?? mine
  }

  /// Returns the valid labels of a source, at most `mergedCountMax`. The others are neither shown
  /// nor changed.
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

  /// Returns the labels with those that the text adds, and without those that it removes.
  package static func value(
    adjusting old: LabelSet, by text: String, on today: CivilDay
  ) -> LabelSet? {
    LabelWords(text).map {
      old.union(LabelSet($0.added)).subtracting(LabelSet($0.removed))
    }
  }
}

extension Unicode.Scalar {
  /// Whether it ends a line or has no shape: the control characters, U+2028 and U+2029.
  var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
  }
}
