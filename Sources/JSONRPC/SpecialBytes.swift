/// Functions that search a JSON string for the end of a run of plain text. Eight bytes are checked
/// in each step; the last step may overlap bytes that were already checked.
enum SpecialBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns the first index in `start..<end` whose byte is a quote, a backslash, a control
  /// character or not ASCII; `end` if there is none.
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
    if index < end, end - start >= 8 {
      let word = loadWord(bytes + end - 8)
      let found = escapes(in: word) | word & highBits
      return found == 0 ? end : end - 8 + found.trailingZeroBitCount / 8
    }
    while index < end && !isEscape(bytes[index]) && bytes[index] < 0x80 {
      index += 1
    }
    return index
  }

  /// Returns the first index in `start..<end` whose byte is a quote, a backslash or a control
  /// character; `end` if there is none.
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
    if index < end, end - start >= 8 {
      let found = escapes(in: loadWord(bytes + end - 8))
      return found == 0 ? end : end - 8 + found.trailingZeroBitCount / 8
    }
    while index < end && !isEscape(bytes[index]) {
      index += 1
    }
    return index
  }

  /// Whether a string literal contains a byte that must be escaped in JSON.
  @inline(__always)
  static func hasEscape(_ word: StaticString) -> Bool {
    let (bytes, count) = (word.utf8Start, word.utf8CodeUnitCount)
    guard count >= 8 else { return hasEscape(bytes, upTo8: count) }
    var index = 0
    while index + 8 < count {
      if escapes(in: loadWord(bytes + index)) != 0 { return true }
      index += 8
    }
    return escapes(in: loadWord(bytes + count - 8)) != 0
  }

  @inline(__always)
  private static func hasEscape(_ bytes: UnsafePointer<UInt8>, upTo8 count: Int) -> Bool {
    guard count >= 4 else {
      return (0..<count).contains { isEscape(bytes[$0]) }
    }
    let first = UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self)
    let last = UnsafeRawPointer(bytes + count - 4).loadUnaligned(as: UInt32.self)
    return escapes(in: UInt64(first) | UInt64(last) << 32) != 0
  }

  /// Whether the byte is a quote, a backslash or a control character.
  @inline(__always)
  static func isEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  @inline(__always)
  private static func loadWord(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// Returns a word that marks each byte of `word` that is a quote, a backslash or a control
  /// character: the high bit of the byte at the same position is set. Only the lowest mark is
  /// reliable; bytes above it may be false positives.
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
