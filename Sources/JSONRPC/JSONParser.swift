/// Reads one JSON value from bytes.
///
/// It is strict on purpose: what is accepted here is accepted by every other parser, with the same
/// meaning. Every byte is looked at a bounded number of times. Open containers are kept on a stack
/// of its own and not on the thread's, so depth costs nothing but memory. All reads of `bytes` are
/// guarded by `count`, because nothing about the input is known.
struct JSONParser: ~Copyable {
  /// What the value that is read next belongs to.
  private struct Container {
    enum Kind {
      case document
      case array
      case object
    }

    var kind: Kind
    /// How many children of the containers around this one there are on their stack.
    var start: Int
    var duplicates = DuplicateKeys()
  }

  let bytes: UnsafePointer<UInt8>
  let count: Int
  let limits: JSONLimits

  var position = 0

  /// The bytes of a string with escapes, decoded.
  var decodedText = MoveStack<UInt8>()

  private var valueCount = 0
  private var container = Container(kind: .document, start: 0)
  private var outerContainers = MoveStack<Container>()

  /// The children of all open arrays.
  private var elements = MoveStack<JSON>()

  /// The children of all open objects. A key is pushed with `null`, which its value replaces.
  private var members = MoveStack<JSONObject.Member>()

  init(bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits) {
    self.bytes = bytes
    self.count = count
    self.limits = limits
  }

  mutating func parseDocument() throws(JSONError) -> JSON {
    if count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
      throw JSONError(.byteOrderMark, byteOffset: 0)
    }
    while true {
      var completed = try parseScalarOrOpen()
      while let value = completed {
        switch container.kind {
        case .document:
          skipWhiteSpace()
          guard position == count else { throw JSONError(.trailingContent, byteOffset: position) }
          return value
        case .array:
          elements.push(value)
          completed = try parseAfterElement()
        case .object:
          members.updateTop { $0.value = value }
          completed = try parseAfterMember()
        }
      }
    }
  }

  /// Reads a value that is complete at once, or opens a container and returns nil.
  @inline(__always)
  private mutating func parseScalarOrOpen() throws(JSONError) -> JSON? {
    skipWhiteSpace()
    guard position < count else { throw problem(.unexpectedEnd) }
    valueCount += 1
    if valueCount > limits.valuesMax {
      throw problem(.tooManyValues(valuesMax: limits.valuesMax))
    }
    switch bytes[position] {
    case UInt8(ascii: "\""): return .string(String(decoding: try scanString(), as: UTF8.self))
    case UInt8(ascii: "{"): return try openObject()
    case UInt8(ascii: "["): return try openArray()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
    case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
    case UInt8(ascii: "n"): return try parseLiteral("null", .null)
    case UInt8(ascii: "+"), UInt8(ascii: "."): throw problem(.invalidNumber)
    default: throw problem(.expectedValue)
    }
  }

  private mutating func parseLiteral(
    _ word: StaticString, _ value: JSON
  ) throws(JSONError) -> JSON {
    for index in 0..<word.utf8CodeUnitCount {
      guard position + index < count else {
        throw JSONError(.unexpectedEnd, byteOffset: count)
      }
      guard bytes[position + index] == word.utf8Start[index] else {
        throw problem(.expectedValue)
      }
    }
    position += word.utf8CodeUnitCount
    return value
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
}

// MARK: - Containers

extension JSONParser {
  /// Opens an array; an empty one is complete at once.
  private mutating func openArray() throws(JSONError) -> JSON? {
    try open(Container(kind: .array, start: elements.count))
    guard peek() == UInt8(ascii: "]") else { return nil }
    close()
    return .array([])
  }

  /// Opens an object and reads its first key; an empty one is complete at once.
  private mutating func openObject() throws(JSONError) -> JSON? {
    try open(Container(kind: .object, start: members.count))
    guard peek() == UInt8(ascii: "}") else {
      try parseKey()
      return nil
    }
    close()
    return .object(JSONObject())
  }

  /// Moves to the next element and returns nil, or returns the array when it ends here.
  @inline(__always)
  private mutating func parseAfterElement() throws(JSONError) -> JSON? {
    skipWhiteSpace()
    let separatorOffset = position
    switch peek() {
    case UInt8(ascii: ","):
      position += 1
      skipWhiteSpace()
      if peek() == UInt8(ascii: "]") {
        throw JSONError(.trailingComma, byteOffset: separatorOffset)
      }
      return nil
    case UInt8(ascii: "]"):
      let array = elements.popAll(from: container.start)
      close()
      return .array(array)
    default:
      throw problem(.expectedCommaOrArrayEnd)
    }
  }

  /// Moves past the next key and returns nil, or returns the object when it ends here.
  @inline(__always)
  private mutating func parseAfterMember() throws(JSONError) -> JSON? {
    skipWhiteSpace()
    let separatorOffset = position
    switch peek() {
    case UInt8(ascii: ","):
      position += 1
      skipWhiteSpace()
      if peek() == UInt8(ascii: "}") {
        throw JSONError(.trailingComma, byteOffset: separatorOffset)
      }
      try parseKey()
      return nil
    case UInt8(ascii: "}"):
      let object = JSONObject(distinctMembers: members.popAll(from: container.start))
      close()
      return .object(object)
    default:
      throw problem(.expectedCommaOrObjectEnd)
    }
  }

  /// Reads a key and the colon after it.
  private mutating func parseKey() throws(JSONError) {
    let keyOffset = position
    guard peek() == UInt8(ascii: "\"") else { throw problem(.expectedKey) }
    let text = try scanString()
    let key = String(decoding: text, as: UTF8.self)
    let isDuplicate = container.duplicates.contains(
      key, signature: DuplicateKeys.signature(of: text),
      members: members.elements(from: container.start))
    if isDuplicate {
      throw JSONError(.duplicateKey, byteOffset: keyOffset)
    }
    members.push((key, .null))
    skipWhiteSpace()
    guard peek() == UInt8(ascii: ":") else { throw problem(.expectedColon) }
    position += 1
  }

  @inline(__always)
  private mutating func open(_ inner: Container) throws(JSONError) {
    if outerContainers.count == limits.depthMax {
      throw problem(.tooDeep(depthMax: limits.depthMax))
    }
    outerContainers.push(container)
    container = inner
    position += 1
    skipWhiteSpace()
  }

  @inline(__always)
  private mutating func close() {
    position += 1
    container = outerContainers.pop() ?? Container(kind: .document, start: 0)
  }
}
