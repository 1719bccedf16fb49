/// Reads the `params` of a call by name, with errors that say which member is wrong.
///
/// ```swift
/// let params = try Params(request.params)
/// let title = try params.string("title")
/// let limit = try params.optionalInteger("limit") ?? 50
/// let todo = try params.object("todo")   // errors inside name "params.todo.note"
/// ```
///
/// Params that are absent, null, `{}` or `[]` are all empty. An optional member that is null counts
/// as absent. Members that nobody asks for are ignored. An error says what was expected and which
/// kind of value came, never the value, which may be a secret.
public struct Params: Sendable {
  /// Where this object is, such as `params.todo`.
  public let path: String

  public let members: JSONObject

  /// - Throws: `invalidParams` when there are params and they are no object.
  public init(_ json: JSON?) throws(RPCError) {
    try self.init(json ?? .null, path: "params")
  }

  private init(_ json: JSON, path: String) throws(RPCError) {
    self.path = path
    switch json {
    case .null, .array([]): members = JSONObject()
    case .object(let object): members = object
    case .bool, .integer, .double, .string, .array:
      throw .invalidParams("\(path): expected object, got \(json.kindName)")
    }
  }

  public var isEmpty: Bool { members.isEmpty }

  /// An error about a member, for a check that only the caller can do.
  ///
  /// - Parameter sentence: Such as "expected one of mine, theirs, merged".
  public func invalid(_ key: String, _ sentence: String) -> RPCError {
    .invalidParams("\(path).\(key): \(sentence)")
  }
}

extension Params {
  public func string(_ key: String) throws(RPCError) -> String {
    try required(key, "string", try optionalString(key))
  }

  public func optionalString(_ key: String) throws(RPCError) -> String? {
    try optional(key, "string", \.stringValue)
  }

  /// A whole number, written without fraction and exponent.
  public func integer(_ key: String) throws(RPCError) -> Int {
    try required(key, "integer", try optionalInteger(key))
  }

  /// A whole number, written without fraction and exponent.
  public func optionalInteger(_ key: String) throws(RPCError) -> Int? {
    try optional(key, "integer") { $0.integerValue.flatMap(Int.init(exactly:)) }
  }

  public func double(_ key: String) throws(RPCError) -> Double {
    try required(key, "number", try optionalDouble(key))
  }

  public func optionalDouble(_ key: String) throws(RPCError) -> Double? {
    try optional(key, "number", \.doubleValue)
  }

  public func bool(_ key: String) throws(RPCError) -> Bool {
    try required(key, "boolean", try optionalBool(key))
  }

  public func optionalBool(_ key: String) throws(RPCError) -> Bool? {
    try optional(key, "boolean", \.boolValue)
  }

  /// An id of a request or a token: an integer or a string.
  public func requestID(_ key: String) throws(RPCError) -> RequestID {
    try required(key, "integer or string", try optionalRequestID(key))
  }

  /// An id of a request or a token: an integer or a string.
  public func optionalRequestID(_ key: String) throws(RPCError) -> RequestID? {
    try optional(key, "integer or string") { RequestID($0) }
  }

  /// A nested object, whose errors carry the whole path.
  public func object(_ key: String) throws(RPCError) -> Params {
    try required(key, "object", try optionalObject(key))
  }

  /// A nested object, whose errors carry the whole path.
  public func optionalObject(_ key: String) throws(RPCError) -> Params? {
    guard let json = value(key) else { return nil }
    guard case .object = json else { throw mismatch(key, "object", json) }
    return try Params(json, path: "\(path).\(key)")
  }

  public func array(_ key: String) throws(RPCError) -> [JSON] {
    try required(key, "array", try optionalArray(key))
  }

  public func optionalArray(_ key: String) throws(RPCError) -> [JSON]? {
    try optional(key, "array", \.arrayValue)
  }

  /// An array of objects, whose errors carry the index: `params.todos[3].title`.
  public func objects(_ key: String) throws(RPCError) -> [Params] {
    try required(key, "array", try optionalObjects(key))
  }

  /// An array of objects, whose errors carry the index: `params.todos[3].title`.
  public func optionalObjects(_ key: String) throws(RPCError) -> [Params]? {
    try elements(key, "object") { (json, path) throws(RPCError) in
      guard case .object = json else { return nil }
      return try Params(json, path: path)
    }
  }

  public func strings(_ key: String) throws(RPCError) -> [String] {
    try required(key, "array", try optionalStrings(key))
  }

  public func optionalStrings(_ key: String) throws(RPCError) -> [String]? {
    try elements(key, "string") { json, _ in json.stringValue }
  }

  /// Any value but null; nil when it is absent or null.
  public func value(_ key: String) -> JSON? {
    guard let json = members[key], !json.isNull else { return nil }
    return json
  }
}

extension Params {
  private func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSON) -> Value?
  ) throws(RPCError) -> Value? {
    guard let json = value(key) else { return nil }
    guard let value = read(json) else { throw mismatch(key, expected, json) }
    return value
  }

  private func required<Value>(
    _ key: String, _ expected: String, _ value: Value?
  ) throws(RPCError) -> Value {
    if let value {
      return value
    }
    guard let json = members[key] else { throw invalid(key, "missing, expected \(expected)") }
    throw mismatch(key, expected, json)
  }

  private func elements<Value>(
    _ key: String, _ expected: String, _ read: (JSON, String) throws(RPCError) -> Value?
  ) throws(RPCError) -> [Value]? {
    guard let array = try optionalArray(key) else { return nil }
    var values: [Value] = []
    values.reserveCapacity(array.count)
    for (index, json) in array.enumerated() {
      let element = "\(key)[\(index)]"
      guard let value = try read(json, "\(path).\(element)") else {
        throw mismatch(element, expected, json)
      }
      values.append(value)
    }
    return values
  }

  private func mismatch(_ key: String, _ expected: String, _ json: JSON) -> RPCError {
    invalid(key, "expected \(expected), got \(json.kindName)")
  }
}
