import System

/// A password or a token. Interpolation, `dump` and debuggers show only a placeholder, so that the
/// secret is not printed by accident.
///
/// The bytes are overwritten when the last reference is released. `revealed` returns an ordinary
/// string, whose memory is not overwritten.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: WipedBytes

  package init(_ text: String) { bytes = WipedBytes(Array(text.utf8)) }

  /// Creates a secret from a text, and overwrites the memory of the text. The text must not be
  /// shared with another variable.
  package init(wiping text: inout String) {
    self.init(text)
    text.withUTF8 { wipe(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer($0))) }
    text = ""
  }

  /// The text of the secret. The unusual name makes each use easy to find.
  package var revealed: String {
    bytes.storage.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the text of the secret in UTF-8, and returns its result. The pointer is
  /// valid only during the call.
  package func withRevealedBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    bytes.storage.withUnsafeBytes(body)
  }

  package var isEmpty: Bool { bytes.storage.isEmpty }

  /// The maximum length of a token, in bytes of UTF-8. A longer token does not fit into an HTTP
  /// header.
  package static let tokenBytesMax = 8 << 10

  /// The reason why a token is invalid, as a clause that follows "the token"; `nil` for a valid
  /// token.
  package var tokenProblem: String? {
    if bytes.storage.count > Self.tokenBytesMax {
      return "has more than \(Self.tokenBytesMax) bytes"
    }
    let hasControl = revealed.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControl ? "has control characters" : nil
  }

  /// The length of the text, in user-perceived characters.
  package var characterCount: Int { revealed.count }

  package static func == (a: Secret, b: Secret) -> Bool { a.bytes.storage == b.bytes.storage }

  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A byte array that is overwritten before it is deallocated.
private final class WipedBytes: Sendable {
  let storage: [UInt8]

  init(_ bytes: [UInt8]) { storage = bytes }

  deinit {
    // The array has no other references, and is never read again.
    storage.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
  }
}
