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

  /// In user-perceived characters.
  package var characterCount: Int { text.count }

  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
