/// A text as a terminal may safely show it, on one line.
///
/// Much of what is reported was sent by somebody: a method's name, an argument, a service's answer.
/// Control characters could move the cursor, recolour or turn around what a person reads, or make
/// one line two, and others cannot be seen, so they are written as `\u{1b}`. A long text loses its
/// middle, and says how much.
package struct PrintableText: CustomStringConvertible {
  /// How many bytes of the beginning are kept, and of the end, where the reason stands.
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

  /// Scalars as they are written, up to a number of bytes.
  private struct Scalars {
    private(set) var escaped: [String] = []
    private var bytesLeft: Int

    init(bytesMax: Int) { bytesLeft = bytesMax }

    /// False when there is no room.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
      let text = PrintableText.escape(scalar)
      guard text.utf8.count <= bytesLeft else { return false }
      bytesLeft -= text.utf8.count
      escaped.append(text)
      return true
    }
  }

  /// The whole text, whatever its length; a line break is escaped as well.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(\.isPrintable)
      ? text : text.unicodeScalars.map(escape).joined()
  }

  /// The same of a text of several lines, which stay lines.
  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
      .joined(separator: "\n")
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.isPrintable ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
  }
}

extension Unicode.Scalar {
  /// Whether a person sees it and a terminal does not obey it.
  package var isPrintable: Bool {
    // Most text.
    if (0x20..<0x7F).contains(value) { return true }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
    // They are invisible, and some turn round what follows; but one joins the parts of an emoji.
    case .format: value == 0x200D
    default: true
    }
  }
}
