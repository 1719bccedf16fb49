/// Finds the bytes that end a run of plain text in a JSON string, eight at a time.
enum SpecialBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The first index in `start..<end` whose byte is a quote, a backslash, a control character or
  /// no ASCII; `end` when there is none.
  @inline(__always)
  static func first(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while end - index >= 8 {
      let word = loadWord(bytes + index)
      let found = escapes(in: word) | word & highBits
      if found != 0 {
        return index + found.trailingZeroBitCount / 8
      }
      index += 8
    }
    while index < end && !isEscape(bytes[index]) && bytes[index] < 0x80 {
      index += 1
    }
    return index
  }

  /// The first index in `start..<end` whose byte is a quote, a backslash or a control character;
  /// `end` when there is none.
  @inline(__always)
  static func firstEscape(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while end - index >= 8 {
      let found = escapes(in: loadWord(bytes + index))
      if found != 0 {
        return index + found.trailingZeroBitCount / 8
      }
      index += 8
    }
    while index < end && !isEscape(bytes[index]) {
      index += 1
    }
    return index
  }

  /// Whether a word has a byte that is escaped in a JSON string.
  @inline(__always)
  static func hasEscape(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    return firstEscape(in: word.utf8Start, from: 0, to: count) < count
  }

  /// Whether a byte is a quote, a backslash or a control character.
  @inline(__always)
  static func isEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  @inline(__always)
  private static func loadWord(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// Sets the high bit of each byte that is a quote, a backslash or a control character. A byte
  /// after the first one found may be marked wrongly, so only the lowest mark counts.
  @inline(__always)
  private static func escapes(in word: UInt64) -> UInt64 {
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let marks =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- (ones &* 0x20)) & ~word
    return marks & highBits
  }
}
