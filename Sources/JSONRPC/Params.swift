/// Reads the `params` of a call by name, with errors that say which member is wrong.
///
/// ```swift
/// let params = try Params(call.params)
/// let title = try params.string("title")
/// let limit = try params.optionalInteger("limit") ?? 50
/// let todo = try params.object("todo")   // errors inside name "params.todo.note"
/// ```
///
/// Params that are absent, null, `{}` or `[]` are all empty. An optional member that is null counts
/// as absent. Members that nobody asks for are ignored, whatever they hold. An error says what was
/// expected and which kind of value came, never the value, which may be a secret.
///
/// It walks the bytes as they came: no tree is made of what is not asked for.
public struct Params: Sendable {
  /// Where this object is, such as `params.todo`.
  public let path: String

  private let bytes: ArraySlice<UInt8>
  private let entries: [Entry]

  /// A member, by the offsets of its key and its value in `bytes`.
  private struct Entry {
    var key: JSONKey
    var value: Range<Int>
  }

  /// - Throws: `invalidParams` when there are params and they are not an object.
  public init(_ raw: RawJSON?) throws(RPCError) {
    try self.init(raw?.bytes ?? [], path: "params")
  }

  /// - Throws: `invalidParams` when there are params and they are not an object.
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
      // As many as most params have, in one piece of memory.
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

  /// The names of the members, in the order in which they came.
  public var names: [String] {
    withBytes { start in entries.map { $0.key.text(in: start) } } ?? []
  }

  /// An error about a member, for a check that only the caller can do.
  ///
  /// - Parameter sentence: Such as "expected one of mine, theirs, merged".
  public func invalid(_ key: String, _ message: String) -> RPCError {
    .invalidParams("\(path).\(key): \(message)")
  }
}

extension Params {
  /// A string that has to be there.
  public func string(_ key: String) throws(RPCError) -> String {
    try required(key, "string", try optionalString(key))
  }

  /// A string, or nil.
  public func optionalString(_ key: String) throws(RPCError) -> String? {
    try optional(key, "string") { range, start in
      guard start[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
      return JSONKey.text(ofString: range, in: start)
    }
  }

  /// A whole number, written without fraction and exponent.
  public func integer(_ key: String) throws(RPCError) -> Int {
    try required(key, "integer", try optionalInteger(key))
  }

  /// A whole number, written without fraction and exponent.
  public func optionalInteger(_ key: String) throws(RPCError) -> Int? {
    try optional(key, "integer") { range, start in
      Self.json(range, start).integerValue.flatMap(Int.init(exactly:))
    }
  }

  /// A number that has to be there.
  public func double(_ key: String) throws(RPCError) -> Double {
    try required(key, "number", try optionalDouble(key))
  }

  /// A number, or nil.
  public func optionalDouble(_ key: String) throws(RPCError) -> Double? {
    try optional(key, "number") { Self.json($0, $1).doubleValue }
  }

  /// A boolean that has to be there.
  public func bool(_ key: String) throws(RPCError) -> Bool {
    try required(key, "boolean", try optionalBool(key))
  }

  /// A boolean, or nil.
  public func optionalBool(_ key: String) throws(RPCError) -> Bool? {
    try optional(key, "boolean") { range, start in
      switch start[range.lowerBound] {
      case UInt8(ascii: "t"): true
      case UInt8(ascii: "f"): false
      default: nil
      }
    }
  }

  /// An id of a request or a token: an integer or a string.
  public func requestID(_ key: String) throws(RPCError) -> RequestID {
    try required(key, "integer or string", try optionalRequestID(key))
  }

  /// An id of a request or a token: an integer or a string.
  public func optionalRequestID(_ key: String) throws(RPCError) -> RequestID? {
    try optional(key, "integer or string") { RequestID(Self.json($0, $1)) }
  }

  /// A nested object, whose errors carry the whole path.
  public func object(_ key: String) throws(RPCError) -> Params {
    try required(key, "object", try optionalObject(key))
  }

  /// A nested object, whose errors carry the whole path.
  public func optionalObject(_ key: String) throws(RPCError) -> Params? {
    guard let raw = raw(key) else { return nil }
    guard raw.bytes.first == UInt8(ascii: "{") else { throw mismatch(key, "object", raw) }
    return try Params(raw.bytes, path: "\(path).\(key)")
  }

  /// An array that has to be there, its elements as trees.
  public func array(_ key: String) throws(RPCError) -> [JSON] {
    try required(key, "array", try optionalArray(key))
  }

  /// An array with its elements as trees, or nil.
  public func optionalArray(_ key: String) throws(RPCError) -> [JSON]? {
    try elements(key, "value") { element, _ in try? element.parsed() }
  }

  /// An array of objects, whose errors carry the index: `params.todos[3].title`.
  public func objects(_ key: String) throws(RPCError) -> [Params] {
    try required(key, "array", try optionalObjects(key))
  }

  /// An array of objects, whose errors carry the index: `params.todos[3].title`.
  public func optionalObjects(_ key: String) throws(RPCError) -> [Params]? {
    try elements(key, "object") { (element, path) throws(RPCError) in
      guard element.bytes.first == UInt8(ascii: "{") else { return nil }
      return try Params(element.bytes, path: path)
    }
  }

  /// An array of strings that has to be there.
  public func strings(_ key: String) throws(RPCError) -> [String] {
    try required(key, "array", try optionalStrings(key))
  }

  /// An array of strings, or nil.
  public func optionalStrings(_ key: String) throws(RPCError) -> [String]? {
    try elements(key, "string") { element, _ in
      guard element.bytes.first == UInt8(ascii: "\"") else { return nil }
      return try? element.parsed().stringValue
    }
  }

  /// Every member, where each has to be a string.
  public func stringsByName() throws(RPCError) -> [String: String] {
    var strings: [String: String] = [:]
    // Not by their names: with many members each would be looked for among all.
    for (name, range) in zip(names, entries.lazy.map(\.value)) {
      guard bytes[bytes.startIndex + range.lowerBound] == UInt8(ascii: "\""),
        let text = withBytes({ JSONKey.text(ofString: range, in: $0) })
      else {
        // A member can be called anything, at any length.
        let kind = RawJSON(checked: slice(range)).kindName
        throw invalid(RPCError.excerpt(of: name), "expected string, got \(kind)")
      }
      strings[name] = text
    }
    return strings
  }

  /// Any value but null, as a tree; nil when it is absent, null, or a number that is out of range.
  public func value(_ key: String) -> JSON? { raw(key).flatMap { try? $0.parsed() } }

  /// Any value but null, in bytes; nil when it is absent or null.
  public func raw(_ key: String) -> RawJSON? {
    guard let range = range(of: key) else { return nil }
    return bytes[bytes.startIndex + range.lowerBound] == UInt8(ascii: "n")
      ? nil : RawJSON(checked: slice(range))
  }
}

extension Params {
  /// Lends the bytes; nil when there are none, and then there are no entries.
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

  /// A value as a tree; null where none can hold it.
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
