import System

/// A password or a token that cannot be printed by accident: interpolation, `dump` and debuggers
/// show a placeholder.
///
/// Its bytes are overwritten when the last reference is released. Copies made from it, such as
/// `revealed`, are ordinary strings, whose memory is not overwritten.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: WipedBytes

  package init(_ text: String) { bytes = WipedBytes(Array(text.utf8)) }

  /// Moves a text into a secret and overwrites the text, which must be newly created and not
  /// shared.
  package init(wiping text: inout String) {
    self.init(text)
    text.withUTF8 { wipe(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer($0))) }
    text = ""
  }

  /// The text of the secret, in a property with a name that can be searched for.
  package var revealed: String {
    bytes.storage.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of UTF-8, which are valid during the call.
  package func withRevealedBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    bytes.storage.withUnsafeBytes(body)
  }

  package var isEmpty: Bool { bytes.storage.isEmpty }

  /// The maximum length of a stored token, in bytes of UTF-8. A longer one does not fit into a
  /// header.
  package static let tokenBytesMax = 8 << 10

  /// The reason why a token cannot be stored, as a clause that follows "the token"; `nil` if it
  /// can.
  package var tokenProblem: String? {
    if bytes.storage.count > Self.tokenBytesMax {
      return "has more than \(Self.tokenBytesMax) bytes"
    }
    let hasControl = revealed.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControl ? "has control characters" : nil
  }

  /// The length in user-perceived characters.
  package var characterCount: Int { revealed.count }

  package static func == (a: Secret, b: Secret) -> Bool { a.bytes.storage == b.bytes.storage }

  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Bytes that are overwritten before they are deallocated.
private final class WipedBytes: Sendable {
  let storage: [UInt8]

  init(_ bytes: [UInt8]) { storage = bytes }

  deinit {
    // The array has no other references, and nothing reads it after this.
    storage.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
  }
}
