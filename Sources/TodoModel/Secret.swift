/// A password or a token. It can be used and compared, but not printed: interpolation, `dump` and
/// a debugger's description show only that there is one.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let text: String

  package init(_ text: String) { self.text = text }

  /// The text itself, named so that each use can be found.
  package var revealed: String { text }

  package var isEmpty: Bool { text.isEmpty }

  /// What a token that is kept may have, in bytes of UTF-8. A larger one fits in no header.
  package static let tokenBytesMax = 8 << 10

  /// Why this is no token that is kept, as what follows "the token", or nil.
  package var tokenProblem: String? {
    if text.utf8.count > Self.tokenBytesMax { return "has more than \(Self.tokenBytesMax) bytes" }
    let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControl ? "has control characters" : nil
  }

  /// In user-perceived characters.
  package var characterCount: Int { text.count }

  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
