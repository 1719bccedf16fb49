/// A set of labels. Labels are compared by their keys, without regard to case.
///
/// The first spelling of a label is kept: inserting `Bug` into a set that contains `bug` has no
/// effect.
package struct LabelSet: Sendable {
  /// The labels in their first spelling, sorted by their keys.
  package private(set) var texts: [String] = []

  package init() {}

  package init(_ texts: some Sequence<String>) {
    for text in texts { insert(text) }
  }

  package var isEmpty: Bool { texts.isEmpty }
  package var count: Int { texts.count }

  /// Returns the key of a label: the label in lower case. All spellings of a label have the same
  /// key.
  package static func key(of text: String) -> String {
    let isLowercase = text.utf8.allSatisfy { $0 < 0x80 && !(65...90 ~= $0) }
    return isLowercase ? text : text.lowercased()
  }

  package func contains(_ text: String) -> Bool { position(ofKey: Self.key(of: text)).isFound }

  /// Adds a label, unless the set already contains it in any spelling.
  package mutating func insert(_ text: String) {
    let (index, isFound) = position(ofKey: Self.key(of: text))
    if !isFound { texts.insert(text, at: index) }
  }

  package mutating func remove(_ text: String) {
    let (index, isFound) = position(ofKey: Self.key(of: text))
    if isFound { texts.remove(at: index) }
  }

  private func position(ofKey key: String) -> (index: Int, isFound: Bool) {
    var (low, high) = (0, texts.count)
    while low < high {
      let middle = (low + high) / 2
      let other = Self.key(of: texts[middle])
      if other.hasSameBytes(as: key) { return (middle, true) }
      if other.utf8.lexicographicallyPrecedes(key.utf8) { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  // MARK: Together with other sets

  /// Returns the labels of both sets. Labels that both contain have the spelling of this set.
  package func union(_ other: LabelSet) -> LabelSet {
    var labels = self
    for text in other.texts { labels.insert(text) }
    return labels
  }

  package func subtracting(_ other: LabelSet) -> LabelSet {
    var labels = self
    for text in other.texts { labels.remove(text) }
    return labels
  }

  /// Returns the labels of this set that `other` also contains.
  package func intersection(_ other: LabelSet) -> LabelSet {
    subtracting(subtracting(other))
  }

  /// Returns the labels of this set. A label that `other` also contains is spelled as in `other`.
  package func spelled(as other: LabelSet) -> LabelSet {
    if isEmpty || other.isEmpty { return self }
    var labels = self
    for text in other.texts {
      let (index, isFound) = labels.position(ofKey: Self.key(of: text))
      if isFound { labels.texts[index] = text }
    }
    return labels
  }
}

extension LabelSet: Equatable {
  /// Returns whether both sets contain the same labels in the same spelling, compared byte for
  /// byte.
  package static func == (a: LabelSet, b: LabelSet) -> Bool {
    a.texts.count == b.texts.count && zip(a.texts, b.texts).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension LabelSet: ContentValue {
  package static var kind: FieldKind { .texts }
  package static var isOptional: Bool { true }

  /// The labels as a stored value; `nil` for an empty set.
  package var fieldValue: FieldValue? { texts.isEmpty ? nil : .texts(texts) }

  package init?(fieldValue: FieldValue?) {
    switch fieldValue {
    case nil: self.init()
    case .texts(let texts): self.init(texts)
    case .text, .flag: return nil
    }
  }

  package func isSame(as other: LabelSet) -> Bool {
    texts.isEmpty ? other.texts.isEmpty : self == other
  }
}
