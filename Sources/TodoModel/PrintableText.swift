/// A text that can be safely shown on one line of a terminal.
///
/// Log lines and messages can contain text from other programs, such as an argument or the response
/// of a service. Control characters in it could move the cursor, change colours, reverse the text
/// or split the line. Such characters, and invisible ones, are escaped, for example as `\u{1b}`. In
/// a long text, the middle is replaced by its number of bytes.
package struct PrintableText: CustomStringConvertible {
  /// The maximum number of bytes that are shown from the beginning of a long text.
  private static let headBytesMax = 1_024
  /// The maximum number of bytes that are shown from the end of a long text. The end often contains
  /// the cause of an error.
  private static let tailBytesMax = 512

  package let description: String

  package init(_ text: String) {
    let scalars = text.unicodeScalars
    var head = Scalars(bytesMax: Self.headBytesMax)
    let headEnd = scalars.firstIndex { !head.append($0) } ?? scalars.endIndex
    guard headEnd != scalars.endIndex else {
      description = head.escaped.joined()
      return
    }
    var tail = Scalars(bytesMax: Self.tailBytesMax)
    let rest = scalars[headEnd...]
    let tailStart = rest.lastIndex { !tail.append($0) }.map(rest.index(after:)) ?? headEnd
    let cut = text.utf8.distance(from: headEnd, to: tailStart)
    let note = cut == 0 ? "" : "… (\(cut) bytes) …"
    description = head.escaped.joined() + note + tail.escaped.reversed().joined()
  }

  /// A sequence of escaped scalars with a maximum size in bytes.
  private struct Scalars {
    private(set) var escaped: [String] = []
    private var bytesLeft: Int

    init(bytesMax: Int) { bytesLeft = bytesMax }

    /// Appends a scalar, unless it exceeds the maximum size. Returns whether it was appended.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
      let text = PrintableText.escape(scalar)
      guard text.utf8.count <= bytesLeft else { return false }
      bytesLeft -= text.utf8.count
      escaped.append(text)
      return true
    }
  }

  /// Returns a text with all control characters and line breaks escaped. The text is not shortened.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(\.isPrintable)
      ? text : text.unicodeScalars.map(escape).joined()
  }

  /// Returns a text with control characters escaped, except for its line breaks.
  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
      .joined(separator: "\n")
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.isPrintable ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
  }
}

extension Unicode.Scalar {
  /// Whether a character is visible and does not control a terminal.
  package var isPrintable: Bool {
    // Fast path: most text is ASCII.
    if (0x20..<0x7F).contains(value) { return true }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
    // Format characters are invisible, and some change the direction of text. Only the zero-width
    // joiner is allowed, because emoji contain it.
    case .format: value == 0x200D
    default: true
    }
  }
}
