/// A parser that reads one JSON value from bytes.
///
/// The parser is strict: it accepts a text only if every other JSON parser also accepts the text
/// and reads the same value from it. Each byte is read a bounded number of times. Open containers
/// are on a stack in heap memory and not on the thread's stack, so deep nesting costs only memory.
struct JSONParser: ~Copyable {
  /// A container that is being parsed.
  private struct Container {
    enum Kind {
      case document
      case array
      case object
    }

    var kind: Kind
    /// The index of the container's first child in `elements` or `members`.
    var start: Int
    var duplicates = DuplicateKeys()
  }

  private var cursor: JSONCursor
  private var container = Container(kind: .document, start: 0)
  private var outerContainers = MoveStack<Container>()

  /// The children of all open arrays.
  private var elements = MoveStack<JSON>()

  /// The members of all open objects. A member is pushed with the value `null`, which is replaced
  /// when the value has been parsed.
  private var members = MoveStack<JSONObject.Member>()

  init(bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits) {
    cursor = JSONCursor(bytes: bytes, count: count, limits: limits)
  }

  mutating func parseDocument() throws(JSONError) -> JSON {
    try cursor.checkStart()
    while true {
      var completed = try parseScalarOrOpen()
      while let value = completed {
        switch container.kind {
        case .document:
          try cursor.checkEnd()
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

  /// Parses a scalar or an empty container; opens any other container and returns `nil`.
  @inline(__always)
  private mutating func parseScalarOrOpen() throws(JSONError) -> JSON? {
    switch try cursor.beginValue() {
    case UInt8(ascii: "\""):
      return .string(String(decoding: try cursor.scanString(), as: UTF8.self))
    case UInt8(ascii: "{"): return try openObject()
    case UInt8(ascii: "["): return try openArray()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try cursor.parseNumber()
    case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
    case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
    case UInt8(ascii: "n"): return try parseLiteral("null", .null)
    default: throw cursor.noValueProblem()
    }
  }

  private mutating func parseLiteral(
    _ word: StaticString, _ value: JSON
  ) throws(JSONError) -> JSON {
    try cursor.scanLiteral(word)
    return value
  }
}

// MARK: - Containers

extension JSONParser {
  /// Opens an array.
  ///
  /// - Returns: the array if it is empty, else `nil`.
  private mutating func openArray() throws(JSONError) -> JSON? {
    try open(Container(kind: .array, start: elements.count))
    guard cursor.peek() == UInt8(ascii: "]") else { return nil }
    close()
    return .array([])
  }

  /// Opens an object and parses its first key.
  ///
  /// - Returns: the object if it is empty, else `nil`.
  private mutating func openObject() throws(JSONError) -> JSON? {
    try open(Container(kind: .object, start: members.count))
    guard cursor.peek() == UInt8(ascii: "}") else {
      try parseKey()
      return nil
    }
    close()
    return .object(JSONObject())
  }

  /// Parses what follows an element: moves to the next element and returns `nil`, or returns the
  /// whole array if it ends.
  @inline(__always)
  private mutating func parseAfterElement() throws(JSONError) -> JSON? {
    cursor.skipWhiteSpace()
    let separatorOffset = cursor.position
    switch cursor.peek() {
    case UInt8(ascii: ","):
      cursor.position += 1
      cursor.skipWhiteSpace()
      if cursor.peek() == UInt8(ascii: "]") {
        throw JSONError(.trailingComma, byteOffset: separatorOffset)
      }
      return nil
    case UInt8(ascii: "]"):
      let array = elements.popAll(from: container.start)
      close()
      return .array(array)
    default:
      throw cursor.problem(.expectedCommaOrArrayEnd)
    }
  }

  /// Parses what follows the value of a member: moves past the next key and returns `nil`, or
  /// returns the whole object if it ends.
  @inline(__always)
  private mutating func parseAfterMember() throws(JSONError) -> JSON? {
    cursor.skipWhiteSpace()
    let separatorOffset = cursor.position
    switch cursor.peek() {
    case UInt8(ascii: ","):
      cursor.position += 1
      cursor.skipWhiteSpace()
      if cursor.peek() == UInt8(ascii: "}") {
        throw JSONError(.trailingComma, byteOffset: separatorOffset)
      }
      try parseKey()
      return nil
    case UInt8(ascii: "}"):
      let object = JSONObject(distinctMembers: members.popAll(from: container.start))
      close()
      return .object(object)
    default:
      throw cursor.problem(.expectedCommaOrObjectEnd)
    }
  }

  /// Parses a key and its colon.
  private mutating func parseKey() throws(JSONError) {
    let keyOffset = cursor.position
    guard cursor.peek() == UInt8(ascii: "\"") else { throw cursor.problem(.expectedKey) }
    let text = try cursor.scanString()
    let key = String(decoding: text, as: UTF8.self)
    let isDuplicate = container.duplicates.contains(
      (key, JSON.null), signature: DuplicateKeys.signature(of: text),
      earlier: members.elements(from: container.start),
      isEqual: { $0.key.hasSameBytes(as: $1.key) }, text: { $0.key })
    if isDuplicate {
      throw JSONError(.duplicateKey, byteOffset: keyOffset)
    }
    members.push((key, .null))
    cursor.skipWhiteSpace()
    guard cursor.peek() == UInt8(ascii: ":") else { throw cursor.problem(.expectedColon) }
    cursor.position += 1
  }

  @inline(__always)
  private mutating func open(_ inner: Container) throws(JSONError) {
    if outerContainers.count == cursor.limits.depthMax {
      throw cursor.problem(.tooDeep(depthMax: cursor.limits.depthMax))
    }
    outerContainers.push(container)
    container = inner
    cursor.position += 1
    cursor.skipWhiteSpace()
  }

  @inline(__always)
  private mutating func close() {
    cursor.position += 1
    container = outerContainers.pop() ?? Container(kind: .document, start: 0)
  }
}
