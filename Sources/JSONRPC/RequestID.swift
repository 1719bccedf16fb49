/// What ties a response to its request.
///
/// An id comes back as it came, so 1 and "1" are two ids, and so are two spellings of one letter.
public enum RequestID: Sendable {
  /// A whole number.
  case integer(Int64)
  /// A text, which is compared byte for byte.
  case string(String)
}

extension RequestID: Hashable {
  /// Whether two ids are written alike.
  public static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer, .string), (.string, .integer): false
    }
  }

  /// The same for equal ids.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ByteExactText(text: value))
    }
  }
}

extension RequestID {
  /// The id that a JSON value stands for, nil when it can be none: ids are integers, or strings
  /// without U+0000, which is never written and so could not come back.
  public init?(_ json: JSON) {
    switch json {
    case .integer(let value): self = .integer(value)
    case .string(let value) where !value.utf8.contains(0): self = .string(value)
    case .string, .null, .bool, .double, .array, .object: return nil
    }
  }

  /// The id as it is written.
  public var json: JSON {
    switch self {
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    }
  }
}

extension RequestID {
  /// The bytes of a string in UTF-8; 0 for an integer, which needs no memory of its own.
  var byteCount: Int {
    switch self {
    case .integer: 0
    case .string(let text): text.utf8.count
    }
  }
}

extension RequestID: ExpressibleByIntegerLiteral {
  /// An id that is a whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension RequestID: ExpressibleByStringLiteral {
  /// An id that is a text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension RequestID: CustomStringConvertible {
  /// The id as JSON, so that 1 and "1" differ in a log.
  public var description: String { json.compactText }
}
