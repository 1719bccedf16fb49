/// The bytes of one value in JSON that was already checked. The bytes of a string include its
/// quotes and escapes.
struct ScannedValue {
  private let bytes: UnsafePointer<UInt8>
  private let range: Range<Int>

  init(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  /// Whether the value is a string of more than `bytesMax` bytes of UTF-8. A string that is far
  /// longer is recognized without being decoded.
  func isLonger(than bytesMax: Int) -> Bool {
    let quotesCount = 2
    guard range.count - quotesCount > bytesMax, bytes[range.lowerBound] == UInt8(ascii: "\"") else {
      return false
    }
    // `\u0041` is the longest encoding of one byte.
    if (range.count - quotesCount) / 6 > bytesMax { return true }
    return JSONKey.text(ofString: range, in: bytes).utf8.count > bytesMax
  }
}
