/// A parser for the headings of a document, such as `# Home`. A heading begins a section.
package enum Heading {
  /// Returns the text of a heading; `nil` for any other line, and for a heading without a text.
  ///
  /// - Parameter line: A plain line. It may have blank lines around it.
  package static func text(of line: String) -> String? {
    let words = line.utf8.drop { $0 == newline }.prefix { $0 != newline }
    let indent = words.prefix { $0 == space }
    let marks = words.dropFirst(indent.count).prefix { $0 == mark }
    let rest = words.dropFirst(indent.count + marks.count)
    guard indent.count < 4, (1...6).contains(marks.count), let next = rest.first, isBlank(next)
    else { return nil }
    var text = rest[...]
    while let last = text.last, isBlank(last) { text.removeLast() }
    // Markdown allows `#` characters also at the end of a heading.
    let end = text.reversed().prefix { $0 == mark }.count
    if end > 0, let before = text.dropLast(end).last, isBlank(before) { text.removeLast(end) }
    while let last = text.last, isBlank(last) { text.removeLast() }
    while let first = text.first, isBlank(first) { text.removeFirst() }
    return text.isEmpty ? nil : String(text)
  }

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let mark = UInt8(ascii: "#")

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == 0x09 || byte == 0x0D
  }
}
