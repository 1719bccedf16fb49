/// A position in a JSON text, with methods that parse whitespace and values without children:
/// literals, strings and numbers.
///
/// `JSONParser` builds a tree with it, and `JSONScanner` checks a text with it. All reads of
/// `bytes` are checked against `count`, because the input is untrusted.
struct JSONCursor: ~Copyable {
  let bytes: UnsafePointer<UInt8>
  let count: Int
  let limits: JSONLimits

  var position: Int

  /// The decoded bytes of the last string with escapes.
  var decodedText = MoveStack<UInt8>()

  private var valueCount = 0

  init(bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits, position: Int = 0) {
    self.bytes = bytes
    self.count = count
    self.limits = limits
    self.position = position
  }

  /// Checks that the text does not begin with a byte order mark.
  func checkStart() throws(JSONError) {
    if count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
      throw JSONError(.byteOrderMark, byteOffset: 0)
    }
  }

  /// Checks that only whitespace follows.
  mutating func checkEnd() throws(JSONError) {
    skipWhiteSpace()
    guard position == count else { throw JSONError(.trailingContent, byteOffset: position) }
  }

  /// Skips whitespace and returns the first byte of the next value.
  @inline(__always)
  mutating func beginValue() throws(JSONError) -> UInt8 {
    skipWhiteSpace()
    guard position < count else { throw problem(.unexpectedEnd) }
    valueCount += 1
    if valueCount > limits.valuesMax {
      throw problem(.tooManyValues(valuesMax: limits.valuesMax))
    }
    return bytes[position]
  }

  mutating func scanLiteral(_ word: StaticString) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard position + index < count else {
        throw JSONError(.unexpectedEnd, byteOffset: count)
      }
      guard bytes[position + index] == word.utf8Start[index] else {
        throw problem(.expectedValue)
      }
    }
    position += word.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    while position < count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Returns the byte at the position, or NUL at the end of the input. JSON allows NUL nowhere.
  @inline(__always)
  func peek() -> UInt8 {
    position < count ? bytes[position] : 0
  }

  /// Returns an error at the position: `problem`, or `unexpectedEnd` if the input has ended.
  func problem(_ problem: JSONError.Problem) -> JSONError {
    JSONError(position < count ? problem : .unexpectedEnd, byteOffset: position)
  }

  /// Returns the error for a byte that cannot begin a value.
  func noValueProblem() -> JSONError {
    switch peek() {
    case UInt8(ascii: "+"), UInt8(ascii: "."): problem(.invalidNumber)
    default: problem(.expectedValue)
    }
  }
}
