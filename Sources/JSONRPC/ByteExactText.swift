import System

/// A string that is compared byte for byte.
///
/// `String` compares by canonical equivalence: two encodings of one letter are equal. In JSON they
/// are different keys and different ids, and a response must repeat the bytes of the request's id.
struct ByteExactText: Hashable {
  var text: String

  static func == (left: ByteExactText, right: ByteExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
