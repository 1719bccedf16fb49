/// A place in a JSON text, and the grammar of what has no parts: white space, literals, strings and
/// numbers.
///
/// `JSONParser` makes a tree with it, `JSONScanner` only checks. All reads of `bytes` are guarded by
/// `count`, because nothing about the input is known.
struct JSONCursor: ~Copyable {
  let bytes: UnsafePointer<UInt8>
  let count: Int
  let limits: JSONLimits

  var position: Int

  /// The bytes of a string with escapes, decoded.
  var decodedText = MoveStack<UInt8>()

  private var valueCount = 0

  init(bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits, position: Int = 0) {
    self.bytes = bytes
    self.count = count
    self.limits = limits
    self.position = position
  }

  /// Refuses a text that begins with a byte order mark.
  func checkStart() throws(JSONError) {
    if count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
      throw JSONError(.byteOrderMark, byteOffset: 0)
    }
  }

  /// Refuses anything but white space up to the end.
  mutating func checkEnd() throws(JSONError) {
    skipWhiteSpace()
    guard position == count else { throw JSONError(.trailingContent, byteOffset: position) }
  }

  /// Moves to the next value and gives its first byte.
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

  /// The byte at the position; NUL, which is allowed nowhere, when the input has ended.
  @inline(__always)
  func peek() -> UInt8 {
    position < count ? bytes[position] : 0
  }

  /// An error at the position; at the end of the input, that it ended is the error.
  func problem(_ problem: JSONError.Problem) -> JSONError {
    JSONError(position < count ? problem : .unexpectedEnd, byteOffset: position)
  }

  /// An error for a byte with which no value begins.
  func noValueProblem() -> JSONError {
    switch peek() {
    case UInt8(ascii: "+"), UInt8(ascii: "."): problem(.invalidNumber)
    default: problem(.expectedValue)
    }
  }
}
