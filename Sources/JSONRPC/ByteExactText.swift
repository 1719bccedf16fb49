import System

/// A text that equals another one only when the bytes do.
///
/// `String` calls two spellings of one letter equal. On a wire they are different keys and
/// different ids, and a reply must carry the one that came.
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
