/// The id that associates a response with its request.
///
/// A response repeats the id unchanged: 1 and "1" are two ids, and so are two encodings of one
/// letter.
public enum RequestID: Sendable {
  /// A whole number.
  case integer(Int64)
  /// A string, compared byte for byte.
  case string(String)
}

extension RequestID: Hashable {
  /// Whether two ids have the same type and the same bytes.
  public static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer, .string), (.string, .integer): false
    }
  }

  /// Hashes the id. Equal ids have equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ByteExactText(text: value))
    }
  }
}

extension RequestID {
  /// Creates an id from an integer, or from a string without U+0000; `nil` for any other JSON
  /// value. U+0000 is replaced in output, so a response could not repeat it.
  public init?(_ json: JSON) {
    switch json {
    case .integer(let value): self = .integer(value)
    case .string(let value) where !value.utf8.contains(0): self = .string(value)
    case .string, .null, .bool, .double, .array, .object: return nil
    }
  }

  /// The id as a JSON value.
  public var json: JSON {
    switch self {
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    }
  }
}

extension RequestID {
  /// The size with which the id counts towards the memory limits, in bytes: the UTF-8 length of a
  /// string; 0 for an integer, which is stored in the enum itself.
  var byteCount: Int {
    switch self {
    case .integer: 0
    case .string(let text): text.utf8.count
    }
  }
}

extension RequestID: ExpressibleByIntegerLiteral {
  /// Creates an integer id.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension RequestID: ExpressibleByStringLiteral {
  /// Creates a string id.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension RequestID: CustomStringConvertible {
  /// The id as JSON, so that 1 and "1" are different in a log.
  public var description: String { json.compactText }
}
