import System

/// A password or a token. It can be used and compared, but not printed: interpolation, `dump` and
/// a debugger's description show only that there is one.
///
/// Its bytes are overwritten when nobody has it any more. What is made of them in between, such as
/// `revealed`, is an ordinary text, and the memory of that is given back as it is.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: WipedBytes

  package init(_ text: String) { bytes = WipedBytes(Array(text.utf8)) }

  /// Takes the text over, and overwrites it. It must have been made just now, and be nobody else's.
  package init(wiping text: inout String) {
    self.init(text)
    text.withUTF8 { wipe(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer($0))) }
    text = ""
  }

  /// The text itself, named so that each use can be found.
  package var revealed: String {
    bytes.storage.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of UTF-8 themselves, for as long as `body` runs.
  package func withRevealedBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    bytes.storage.withUnsafeBytes(body)
  }

  package var isEmpty: Bool { bytes.storage.isEmpty }

  /// What a token that is kept may have, in bytes of UTF-8. A larger one fits in no header.
  package static let tokenBytesMax = 8 << 10

  /// Why this is no token that is kept, as what follows "the token", or nil.
  package var tokenProblem: String? {
    if bytes.storage.count > Self.tokenBytesMax {
      return "has more than \(Self.tokenBytesMax) bytes"
    }
    let hasControl = revealed.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControl ? "has control characters" : nil
  }

  /// In user-perceived characters.
  package var characterCount: Int { revealed.count }

  package static func == (a: Secret, b: Secret) -> Bool { a.bytes.storage == b.bytes.storage }

  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Bytes that are overwritten before their memory is given back.
private final class WipedBytes: Sendable {
  let storage: [UInt8]

  init(_ bytes: [UInt8]) { storage = bytes }

  deinit {
    // Nobody else has the array, and nothing reads it after this.
    storage.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
  }
}
