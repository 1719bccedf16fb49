/// Labels as a user types them on one line: `bug -old "two words"`.
///
/// Whitespace and commas separate them. One in quotation marks may have any characters, with `\` before
/// `"` and `\`. A `#` before a label is dropped, and a `-` removes it.
package struct LabelWords: Sendable, Equatable {
  package private(set) var added: [String] = []
  package private(set) var removed: [String] = []

  /// Parses labels; `nil` for an open quotation mark, or for a `-` or `#` without a label.
  package init?(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if Self.isSeparator(first) {
        rest = rest.dropFirst()
        continue
      }
      let isRemoved = first == "-"
      if isRemoved { rest = rest.dropFirst() }
      if rest.first == "#" { rest = rest.dropFirst() }
      guard let word = Self.nextWord(&rest), !word.isEmpty else { return nil }
      if isRemoved { removed.append(word) } else { added.append(word) }
    }
  }

  private static func nextWord(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.first == "\"" else {
      let word = rest.prefix { !isSeparator($0) }
      rest = rest[word.endIndex...]
      return String(word)
    }
    rest = rest.dropFirst()
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(word)
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        word.append(escaped)
      default: word.append(scalar)
      }
    }
    return nil
  }

  /// Returns a line that parses to the labels of a set.
  package static func text(of labels: LabelSet) -> String {
    labels.texts.map { quotedIfNeeded($0) }.joined(separator: " ")
  }

  private static func quotedIfNeeded(_ label: String) -> String {
    let scalars = label.unicodeScalars
    let isPlain =
      scalars.first != "-" && scalars.first != "#"
      && !scalars.contains { isSeparator($0) || $0 == "\"" || $0 == "\\" }
    return isPlain ? label : quoted(label)
  }

  /// Returns a label in quotation marks.
  package static func quoted(_ label: String) -> String {
    var text = "\"".unicodeScalars
    for scalar in label.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.append("\\") }
      text.append(scalar)
    }
    text.append("\"")
    return String(text)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "," || scalar.properties.isWhitespace
  }
}
