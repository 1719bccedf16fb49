/// Text that a terminal can safely show on one line.
///
/// Log lines and messages contain text from other programs, such as the name of a method, an
/// argument or the response of a service. Control characters in it could move the cursor, change
/// colours, reverse the text or split the line, and others are invisible, so all of them are
/// escaped, such as `\u{1b}`. The middle of a long text is replaced by the number of bytes left
/// out.
package struct PrintableText: CustomStringConvertible {
  /// The lengths of the beginning and the end of a long text, which are kept. The end often
  /// contains the reason.
  private static let headBytesMax = 1_024
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

  /// Escaped scalars, up to a number of bytes.
  private struct Scalars {
    private(set) var escaped: [String] = []
    private var bytesLeft: Int

    init(bytesMax: Int) { bytesLeft = bytesMax }

    /// Appends a scalar; returns `false` if it does not fit.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
      let text = PrintableText.escape(scalar)
      guard text.utf8.count <= bytesLeft else { return false }
      bytesLeft -= text.utf8.count
      escaped.append(text)
      return true
    }
  }

  /// Escapes a whole text of any length, including its line breaks.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(\.isPrintable)
      ? text : text.unicodeScalars.map(escape).joined()
  }

  /// Escapes each line of a text, and keeps the line breaks.
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
    // Fast path for ASCII, which most text is.
    if (0x20..<0x7F).contains(value) { return true }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
    // Format characters are invisible, and some change the text direction; only the zero-width
    // joiner of emoji is allowed.
    case .format: value == 0x200D
    default: true
    }
  }
}
