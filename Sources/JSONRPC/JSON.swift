/// A JSON value of RFC 8259.
///
/// A number without fraction and exponent that fits into 64 bits is an `.integer`, and is written
/// back digit for digit. Every other number is a `.double`.
///
/// ```swift
/// let json = try JSON(parsing: Array(#"{"id": 7, "tags": ["a"]}"#.utf8))
/// print(json["id"]?.integerValue ?? 0)        // 7
/// print(json["tags"]?[0]?.stringValue ?? "")  // a
/// ```
public enum JSON: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits into 64 bits.
  case integer(Int64)
  /// A number with a fraction or an exponent, or a number that does not fit into 64 bits.
  case double(Double)
  /// A string.
  case string(String)
  /// An array: its elements in order.
  case array([JSON])
  /// An object: its members in order.
  case object(JSONObject)
}

extension JSON: Equatable {
  /// Whether two values are equal. The order of object members does not matter.
  ///
  /// Strings are compared byte for byte and not by canonical equivalence, because two encodings of
  /// one letter are different data to the other side. An `.integer` never equals a `.double`.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left.hasSameElements(as: right)
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension [JSON] {
  /// Whether two arrays are equal. In unoptimized builds, this method uses less stack than `==` for
  /// each level of nesting.
  fileprivate func hasSameElements(as other: [JSON]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] {
      return false
    }
    return true
  }
}

extension JSON {
  /// The value of a string; `nil` for other kinds.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The value of an integer; `nil` for other kinds, including a `.double` such as 1.0.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The value of any number as a `Double`; `nil` for other kinds.
  ///
  /// Integers beyond 2^53 are rounded.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The value of a boolean; `nil` for other kinds.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array; `nil` for other kinds.
  public var arrayValue: [JSON]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an object; `nil` for other kinds.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// Whether the value is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The value of the member with this key; `nil` if there is no such member or this value is not
  /// an object.
  public subscript(key: String) -> JSON? {
    objectValue?[key]
  }

  /// An element of an array; `nil` if the index is out of range or the value is not an array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The name of this kind of value for error messages: `null`, `boolean`, `number`, `string`,
  /// `array` or `object`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSON {
  /// An estimate of the value's size in memory, in bytes. The same number also serves as an
  /// estimate of the length of its JSON text.
  var estimatedByteCount: Int {
    switch self {
    case .null, .bool, .integer, .double: 16
    case .string(let text): 16 + text.utf8.count
    case .array(let elements): elements.reduce(16) { $0 + $1.estimatedByteCount }
    case .object(let object):
      object.members.reduce(16) { $0 + $1.key.utf8.count + $1.value.estimatedByteCount }
    }
  }
}
