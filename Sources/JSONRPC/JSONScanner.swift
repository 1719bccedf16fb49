import System

/// A scanner that checks a JSON text without building a tree, and finds the ranges of its values.
///
/// It is as strict as `JSONParser`, with one exception: whether a `Double` can represent a number
/// is checked only when the number is read.
struct JSONScanner: ~Copyable {
  private struct Container {
    var isObject: Bool
    /// The index of the object's first key in `keys`.
    var start: Int
    var duplicates = DuplicateKeys()
  }

  var cursor: JSONCursor
  private var containers: MoveStack<Container>
  private var keys: MoveStack<JSONKey>

  private init(
    _ cursor: consuming JSONCursor, _ containers: UnsafeMutableBufferPointer<Container>,
    _ keys: UnsafeMutableBufferPointer<JSONKey>
  ) {
    self.cursor = cursor
    self.containers = MoveStack(lent: containers)
    self.keys = MoveStack(lent: keys)
  }

  /// Calls `body` with a scanner at the beginning of a text. Storage for 16 levels and 16 keys,
  /// enough for most messages, is on the thread's stack.
  static func scan<Result>(
    _ bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits,
    _ body: (inout JSONScanner) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: Container.self, capacity: 16) { containers in
      withUnsafeTemporaryAllocation(of: JSONKey.self, capacity: 16) { keys in
        var scanner = JSONScanner(
          JSONCursor(bytes: bytes, count: count, limits: limits), containers, keys)
        return body(&scanner)
      }
    }
  }

  /// Skips the next value of any kind.
  ///
  /// - Returns: its range, without surrounding whitespace.
  mutating func scanValue() throws(JSONError) -> Range<Int> {
    cursor.skipWhiteSpace()
    let start = cursor.position
    let depth = containers.count
    repeat {
      // After the end of a value, its container determines what follows.
      var hasEnded = try scanScalarOrOpen()
      while hasEnded, containers.count > depth {
        hasEnded = try !moveToNextChild()
        if !hasEnded, isInObject { _ = try scanKey() }
      }
      if hasEnded { return start..<cursor.position }
    } while true
  }

  /// Opens the object or array whose bracket is at the position, and moves to its first child.
  ///
  /// - Returns: whether there is a child; an empty container is closed immediately.
  @inline(__always)
  mutating func open(isObject: Bool) throws(JSONError) -> Bool {
    if containers.count == cursor.limits.depthMax {
      throw cursor.problem(.tooDeep(depthMax: cursor.limits.depthMax))
    }
    containers.push(Container(isObject: isObject, start: keys.count))
    cursor.position += 1
    cursor.skipWhiteSpace()
    guard cursor.peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return true }
    close()
    return false
  }

  /// Moves past the comma after a child, or closes the container.
  ///
  /// - Returns: whether another child follows; in an object, its key is next.
  @inline(__always)
  mutating func moveToNextChild() throws(JSONError) -> Bool {
    let isObject = isInObject
    cursor.skipWhiteSpace()
    let separatorOffset = cursor.position
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    switch cursor.peek() {
    case UInt8(ascii: ","):
      cursor.position += 1
      cursor.skipWhiteSpace()
      if cursor.peek() == end {
        throw JSONError(.trailingComma, byteOffset: separatorOffset)
      }
      return true
    case end:
      close()
      return false
    default:
      throw cursor.problem(isObject ? .expectedCommaOrObjectEnd : .expectedCommaOrArrayEnd)
    }
  }

  /// Parses a key and its colon.
  mutating func scanKey() throws(JSONError) -> JSONKey {
    let keyOffset = cursor.position
    guard cursor.peek() == UInt8(ascii: "\"") else { throw cursor.problem(.expectedKey) }
    let text = try cursor.scanString()
    let key = JSONKey(
      start: keyOffset + 1, count: cursor.position - keyOffset - 2,
      isEscaped: text.count != cursor.position - keyOffset - 2)
    let bytes = cursor.bytes
    let isDuplicate =
      containers.updateTop { [start = keysStart] container in
        container.duplicates.contains(
          key, signature: DuplicateKeys.signature(of: text), earlier: keys.elements(from: start),
          isEqual: { $0.isSame(as: $1, in: bytes) }, text: { $0.text(in: bytes) })
      } ?? false
    if isDuplicate {
      throw JSONError(.duplicateKey, byteOffset: keyOffset)
    }
    keys.push(key)
    cursor.skipWhiteSpace()
    guard cursor.peek() == UInt8(ascii: ":") else { throw cursor.problem(.expectedColon) }
    cursor.position += 1
    return key
  }

  /// Parses a scalar or an empty container and returns `true`, or opens a container that has a
  /// child and returns `false`.
  @inline(__always)
  private mutating func scanScalarOrOpen() throws(JSONError) -> Bool {
    switch try cursor.beginValue() {
    case UInt8(ascii: "\""): _ = try cursor.scanString()
    case UInt8(ascii: "{"):
      guard try open(isObject: true) else { return true }
      _ = try scanKey()
      return false
    case UInt8(ascii: "["): return try !open(isObject: false)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try cursor.scanNumber()
    case UInt8(ascii: "t"): try cursor.scanLiteral("true")
    case UInt8(ascii: "f"): try cursor.scanLiteral("false")
    case UInt8(ascii: "n"): try cursor.scanLiteral("null")
    default: throw cursor.noValueProblem()
    }
    return true
  }

  private var isInObject: Bool { containers.elements(from: 0).last?.isObject ?? false }
  private var keysStart: Int { containers.elements(from: 0).last?.start ?? 0 }

  @inline(__always)
  private mutating func close() {
    cursor.position += 1
    if let container = containers.pop() { keys.removeAll(from: container.start) }
  }
}

/// The range of a key, without its quotes.
struct JSONKey {
  var start: Int
  var count: Int
  /// Whether the key contains escapes, so that its bytes differ from its text.
  var isEscaped: Bool

  @inline(__always)
  func equals(_ word: StaticString, in bytes: UnsafePointer<UInt8>) -> Bool {
    if isEscaped { return text(in: bytes).hasSameBytes(as: word.description) }
    return count == word.utf8CodeUnitCount && memcmp(bytes + start, word.utf8Start, count) == 0
  }

  /// Whether the key equals a string, byte for byte.
  @inline(__always)
  func equals(_ text: String, in bytes: UnsafePointer<UInt8>) -> Bool {
    if isEscaped { return self.text(in: bytes).hasSameBytes(as: text) }
    guard count == text.utf8.count else { return false }
    var text = text
    return text.withUTF8 { memcmp(bytes + start, $0.baseAddress ?? bytes, count) == 0 }
  }

  func isSame(as other: JSONKey, in bytes: UnsafePointer<UInt8>) -> Bool {
    if isEscaped || other.isEscaped {
      return text(in: bytes).hasSameBytes(as: other.text(in: bytes))
    }
    return count == other.count && memcmp(bytes + start, bytes + other.start, count) == 0
  }

  func text(in bytes: UnsafePointer<UInt8>) -> String {
    let written = UnsafeBufferPointer(start: bytes + start, count: count)
    guard isEscaped else { return String(decoding: written, as: UTF8.self) }
    return Self.text(ofString: start - 1..<start + count + 1, in: bytes)
  }

  /// Returns the decoded text of a string that was already checked; `range` includes its quotes.
  static func text(ofString range: Range<Int>, in bytes: UnsafePointer<UInt8>) -> String {
    var cursor = JSONCursor(
      bytes: bytes, count: range.upperBound, limits: .standard, position: range.lowerBound)
    guard let text = try? cursor.scanString() else { return "" }
    return String(decoding: text, as: UTF8.self)
  }
}
