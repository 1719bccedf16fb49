/// The title of a todo: one line that is not blank.
package enum TitleField: ContentFieldType {
  /// The maximum length of a title, in user-perceived characters.
  package static let charactersMax = 1_024
  /// The maximum length of a title, in bytes of UTF-8. The limit for characters alone is not
  /// enough, because one character can have any number of bytes.
  package static let bytesMax = 32 << 10
  /// The maximum length of a title from a source, in bytes of UTF-8.
  package static let remoteBytesMax = 1 << 20

  package static var field: ContentField { .title }
  package static let traits = FieldTraits(
    name: "title", isRequired: true, isBrief: true, formField: .line(label: "Title"),
    purpose: "One line", lengthMax: charactersMax)

  package static func value(in content: TodoContent) -> String { content.title }
  package static func set(_ value: String, in content: inout TodoContent) { content.title = value }

  package static func normalized(_ value: String) -> String { value.trimmed }

  package static func problem(with value: String) -> String? {
    let title = value.trimmed
    if title.isEmpty { return "A title must not be blank." }
    if title.utf8.count > bytesMax { return "A title must have at most \(bytesMax) bytes." }
    if title.hasNull { return "A title must not contain U+0000." }
    if title.unicodeScalars.contains(where: \.isNewline) { return "A title must be on one line." }
    // The number of characters is never greater than the number of bytes, so the characters of a
    // short text need not be counted.
    if title.utf8.count > charactersMax, title.count > charactersMax {
      return "A title must have at most \(charactersMax) characters."
    }
    return nil
  }

  package static func remoteProblem(with value: String) -> String? {
    value.utf8.count > remoteBytesMax
      ? "whose title has more than \(remoteBytesMax) bytes" : nil
  }

  /// Returns both titles merged word by word. Conflicting words are between markers (see
  /// `TextMerge`).
  package static func proposal(base: String?, mine: String, theirs: String) -> String {
    TextMerge(base: base, mine: mine, theirs: theirs, by: .words).text
  }
}

extension Unicode.Scalar {
  /// Whether this scalar is a line end, as defined by `Character.isNewline`. Every character that
  /// contains such a scalar is a line end. Therefore, a text can be searched for line ends
  /// without dividing it into characters.
  fileprivate var isNewline: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
