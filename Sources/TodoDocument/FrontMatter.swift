import TodoModel

/// The properties at the start of a Markdown file, between two lines `---`. They stay above the
/// heading of a document.
package enum FrontMatter {
  static let rule = Array("---".utf8)
  /// The maximum number of lines. Longer front matter is treated as text.
  private static let linesMax = 1_000

  /// Returns the number of plain lines at the start that are front matter.
  static func count(of texts: [PlainLine]) -> Int {
    guard let first = texts.first, isRule(first), first.text == "---" else { return 0 }
    let others = texts.dropFirst().prefix(linesMax)
    return others.firstIndex(where: isRule).map { $0 + 1 } ?? 0
  }

  private static func isRule(_ text: PlainLine) -> Bool {
    text.after == nil && text.text.trimmed == "---"
  }

  /// Returns the index of the first line below the front matter, after any blank lines; 0
  /// without front matter.
  package static func end(lines: (Int) -> ArraySlice<UInt8>, count: Int) -> Int {
    guard count > 1, lines(0).elementsEqual(rule) else { return 0 }
    for line in 1..<min(count, linesMax) where lines(line).elementsEqual(rule) {
      var next = line + 1
      while next < count - 1, lines(next).isEmpty { next += 1 }
      return next
    }
    return 0
  }
}
