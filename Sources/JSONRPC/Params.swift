/// A reader of the `params` of a call. Its errors contain the path of the invalid member.
///
/// ```swift
/// let params = try Params(call.params)
/// let title = try params.string("title")
/// let limit = try params.optionalInteger("limit") ?? 50
/// let todo = try params.object("todo")   // its errors name "params.todo.note", for example
/// ```
///
/// Absent, null, `{}` and `[]` params all count as an object without members. Members that are not
/// read are ignored, whatever they contain.
///
/// A method for a required member throws `invalidParams` if the member is absent, null or of
/// another kind. A method for an optional member returns `nil` if the member is absent or null, and
/// throws if it is of another kind. The error states the expected and the actual kind, but never
/// the value, which may be a secret.
///
/// Values are read from the received bytes: no tree is built for members that are not read.
public struct Params: Sendable {
  /// The path of this object, such as `params.todo`.
  public let path: String

  private let bytes: ArraySlice<UInt8>
  private let entries: [Entry]

  /// The positions of a member's key and value in `bytes`.
  private struct Entry {
    var key: JSONKey
    var value: Range<Int>
  }

  /// Creates a reader of the params of a call.
  ///
  /// - Throws: `invalidParams` if the params are neither empty nor an object.
  public init(_ raw: RawJSON?) throws(RPCError) {
    try self.init(raw?.bytes ?? [], path: "params")
  }

  /// Creates a reader of params that are a `JSON` tree.
  ///
  /// - Throws: `invalidParams` if the params are neither empty nor an object.
  public init(_ json: JSON?) throws(RPCError) {
    try self.init(json.map { RawJSON($0) })
  }

  private init(_ bytes: ArraySlice<UInt8>, path: String) throws(RPCError) {
    self.path = path
    self.bytes = bytes
    switch bytes.first {
    case UInt8(ascii: "{")?:
      entries = Self.entries(of: bytes)
    case nil, UInt8(ascii: "n")?: entries = []
    case UInt8(ascii: "[")? where Self.isEmptyArray(bytes): entries = []
    case let first?:
      throw .invalidParams("\(path): expected object, got \(kindName(of: first))")
    }
  }

  private static func entries(of bytes: ArraySlice<UInt8>) -> [Entry] {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return [] }
      var entries: [Entry] = []
      // Enough for most params, in one allocation.
      entries.reserveCapacity(4)
      var walk = JSONWalk(start, count: buffer.count)
      walk.visitMembers { entries.append(Entry(key: $0, value: $1)) }
      return entries
    }
  }

  private static func isEmptyArray(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.dropFirst().first { !isBlank($0) && !isLineEnd($0) } == UInt8(ascii: "]")
  }

  /// Whether there are no members.
  public var isEmpty: Bool { entries.isEmpty }

  /// The names of the members, in the order of the text.
  public var names: [String] {
    withBytes { start in entries.map { $0.key.text(in: start) } } ?? []
  }

  /// Returns an `invalidParams` error about a member, for checks that the caller makes itself.
  ///
  /// - Parameter message: the problem, such as "expected one of mine, theirs, merged".
  public func invalid(_ key: String, _ message: String) -> RPCError {
    .invalidParams("\(path).\(key): \(message)")
  }
}

extension Params {
  /// Returns a required string.
  public func string(_ key: String) throws(RPCError) -> String {
    try required(key, "string", try optionalString(key))
  }

  /// Returns an optional string.
  public func optionalString(_ key: String) throws(RPCError) -> String? {
    try optional(key, "string") { range, start in
      guard start[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
      return JSONKey.text(ofString: range, in: start)
    }
  }

  /// Returns a required integer, written without fraction and exponent.
  public func integer(_ key: String) throws(RPCError) -> Int {
    try required(key, "integer", try optionalInteger(key))
  }

  /// Returns an optional integer, written without fraction and exponent.
  public func optionalInteger(_ key: String) throws(RPCError) -> Int? {
    try optional(key, "integer") { range, start in
      Self.json(range, start).integerValue.flatMap(Int.init(exactly:))
    }
  }

  /// Returns a required number.
  public func double(_ key: String) throws(RPCError) -> Double {
    try required(key, "number", try optionalDouble(key))
  }

  /// Returns an optional number.
  public func optionalDouble(_ key: String) throws(RPCError) -> Double? {
    try optional(key, "number") { Self.json($0, $1).doubleValue }
  }

  /// Returns a required boolean.
  public func bool(_ key: String) throws(RPCError) -> Bool {
    try required(key, "boolean", try optionalBool(key))
  }

  /// Returns an optional boolean.
  public func optionalBool(_ key: String) throws(RPCError) -> Bool? {
    try optional(key, "boolean") { range, start in
      switch start[range.lowerBound] {
      case UInt8(ascii: "t"): true
      case UInt8(ascii: "f"): false
      default: nil
      }
    }
  }

  /// Returns a required request id or token: an integer or a string.
  public func requestID(_ key: String) throws(RPCError) -> RequestID {
    try required(key, "integer or string", try optionalRequestID(key))
  }

  /// Returns an optional request id or token: an integer or a string.
  public func optionalRequestID(_ key: String) throws(RPCError) -> RequestID? {
    try optional(key, "integer or string") { RequestID(Self.json($0, $1)) }
  }

  /// Returns a required nested object. Errors about its members contain the whole path.
  public func object(_ key: String) throws(RPCError) -> Params {
    try required(key, "object", try optionalObject(key))
  }

  /// Returns an optional nested object. Errors about its members contain the whole path.
  public func optionalObject(_ key: String) throws(RPCError) -> Params? {
    guard let raw = raw(key) else { return nil }
    guard raw.bytes.first == UInt8(ascii: "{") else { throw mismatch(key, "object", raw) }
    return try Params(raw.bytes, path: "\(path).\(key)")
  }

  /// Returns a required array, with its elements as trees.
  public func array(_ key: String) throws(RPCError) -> [JSON] {
    try required(key, "array", try optionalArray(key))
  }

  /// Returns an optional array, with its elements as trees.
  public func optionalArray(_ key: String) throws(RPCError) -> [JSON]? {
    try elements(key, "value") { element, _ in try? element.parsed() }
  }

  /// Returns a required array of objects. Errors contain the index: `params.todos[3].title`.
  public func objects(_ key: String) throws(RPCError) -> [Params] {
    try required(key, "array", try optionalObjects(key))
  }

  /// Returns an optional array of objects. Errors contain the index: `params.todos[3].title`.
  public func optionalObjects(_ key: String) throws(RPCError) -> [Params]? {
    try elements(key, "object") { (element, path) throws(RPCError) in
      guard element.bytes.first == UInt8(ascii: "{") else { return nil }
      return try Params(element.bytes, path: path)
    }
  }

  /// Returns a required array of strings.
  public func strings(_ key: String) throws(RPCError) -> [String] {
    try required(key, "array", try optionalStrings(key))
  }

  /// Returns an optional array of strings.
  public func optionalStrings(_ key: String) throws(RPCError) -> [String]? {
    try elements(key, "string") { element, _ in
      guard element.bytes.first == UInt8(ascii: "\"") else { return nil }
      return try? element.parsed().stringValue
    }
  }

  /// Returns all members by name. Each must be a string.
  public func stringsByName() throws(RPCError) -> [String: String] {
    var strings: [String: String] = [:]
    // A lookup by name for each member would take quadratic time.
    for (name, range) in zip(names, entries.lazy.map(\.value)) {
      guard bytes[bytes.startIndex + range.lowerBound] == UInt8(ascii: "\""),
        let text = withBytes({ JSONKey.text(ofString: range, in: $0) })
      else {
        // The name of a member is input of any length and content.
        let kind = RawJSON(checked: slice(range)).kindName
        throw invalid(RPCError.excerpt(of: name), "expected string, got \(kind)")
      }
      strings[name] = text
    }
    return strings
  }

  /// Returns the value of a member as a tree; `nil` if it is absent or null, or contains a number
  /// out of range.
  public func value(_ key: String) -> JSON? { raw(key).flatMap { try? $0.parsed() } }

  /// Returns the value of a member as bytes; `nil` if it is absent or null.
  public func raw(_ key: String) -> RawJSON? {
    guard let range = range(of: key) else { return nil }
    return bytes[bytes.startIndex + range.lowerBound] == UInt8(ascii: "n")
      ? nil : RawJSON(checked: slice(range))
  }
}

extension Params {
  /// Calls `body` with the bytes of the params. Returns `nil` if there are no bytes; then there are
  /// no entries either.
  @inline(__always)
  private func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result? {
    bytes.withUnsafeBufferPointer { $0.baseAddress.map(body) }
  }

  private func range(of key: String) -> Range<Int>? {
    withBytes { start in entries.first { $0.key.equals(key, in: start) }?.value } ?? nil
  }

  private func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
  }

  /// Returns a value as a tree; null if the value cannot be parsed, such as a value with a number
  /// out of the range of a `Double`.
  private static func json(_ range: Range<Int>, _ start: UnsafePointer<UInt8>) -> JSON {
    let bytes = UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
    return (try? JSON(parsing: bytes)) ?? .null
  }

  private func optional<Value>(
    _ key: String, _ expected: String,
    _ read: (Range<Int>, UnsafePointer<UInt8>) -> Value?
  ) throws(RPCError) -> Value? {
    guard let range = range(of: key) else { return nil }
    if bytes[bytes.startIndex + range.lowerBound] == UInt8(ascii: "n") { return nil }
    guard let value = withBytes({ read(range, $0) }) ?? nil else {
      throw mismatch(key, expected, RawJSON(checked: slice(range)))
    }
    return value
  }

  private func required<Value>(
    _ key: String, _ expected: String, _ value: Value?
  ) throws(RPCError) -> Value {
    if let value {
      return value
    }
    guard range(of: key) != nil else { throw invalid(key, "missing, expected \(expected)") }
    throw invalid(key, "expected \(expected), got null")
  }

  private func elements<Value>(
    _ key: String, _ expected: String, _ read: (RawJSON, String) throws(RPCError) -> Value?
  ) throws(RPCError) -> [Value]? {
    guard let raw = raw(key) else { return nil }
    guard raw.bytes.first == UInt8(ascii: "[") else { throw mismatch(key, "array", raw) }
    var values: [Value] = []
    for (index, range) in Self.elementRanges(of: raw.bytes).enumerated() {
      let base = raw.bytes.startIndex
      let element = RawJSON(
        checked: raw.bytes[base + range.lowerBound..<base + range.upperBound])
      guard let value = try read(element, "\(path).\(key)[\(index)]") else {
        throw mismatch("\(key)[\(index)]", expected, element)
      }
      values.append(value)
    }
    return values
  }

  private static func elementRanges(of bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return [] }
      var ranges: [Range<Int>] = []
      var walk = JSONWalk(start, count: buffer.count)
      walk.visitElements { ranges.append($0) }
      return ranges
    }
  }

  private func mismatch(_ key: String, _ expected: String, _ raw: RawJSON) -> RPCError {
    invalid(key, "expected \(expected), got \(raw.kindName)")
  }
}
