/// The labels that a user types on one line, such as `bug -old "two words"`.
///
/// Labels are separated by whitespace or commas. A label in quotation marks can contain any
/// character; in such a label, a `\` precedes each `"` and each `\`. A `#` before a label is
/// ignored. A label after a `-` is removed from the todo.
package struct LabelWords: Sendable, Equatable {
  package private(set) var added: [String] = []
  package private(set) var removed: [String] = []

  /// Parses the user's input; `nil` if a quotation mark is not closed, or no label follows a `-` or
  /// `#`.
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

  /// Returns labels as one line of input, which `init` parses into the same labels.
  package static func text(of labels: LabelSet) -> String {
    labels.texts.map { quotedIfNeeded($0) }.joined(separator: " ")
  }

  /// Returns a label as the user would type it, in quotation marks if necessary.
  package static func quotedIfNeeded(_ label: String) -> String {
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
