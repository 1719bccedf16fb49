/// A JSON value of RFC 8259.
///
/// Numbers keep the two kinds that matter on a wire: a number written without fraction and
/// exponent that fits is an `.integer` and comes back digit for digit, every other one is a
/// `.double`.
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
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  /// Any other number.
  case double(Double)
  /// A text.
  case string(String)
  /// Values in their order.
  case array([JSON])
  /// Members in their order.
  case object(JSONObject)
}

extension JSON: Equatable {
  /// Equal means: the same bytes on the wire, but for the order of object members.
  ///
  /// Strings are compared byte for byte and not by Unicode equivalence, because two spellings of
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
  /// What `==` says, with less stack a level when nothing is optimized.
  fileprivate func hasSameElements(as other: [JSON]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] {
      return false
    }
    return true
  }
}

extension JSON {
  /// The text of a string, nil for every other kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The value of an integer, nil for every other kind, also for a `.double` such as 1.0.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The value of any number as a `Double`, nil for every other kind.
  ///
  /// An integer beyond 2^53 is rounded.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The value of a boolean, nil for every other kind.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array, nil for every other kind.
  public var arrayValue: [JSON]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an object, nil for every other kind.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The value of an object's member, nil when there is none or this is no object.
  public subscript(key: String) -> JSON? {
    objectValue?[key]
  }

  /// The element of an array, nil when the index is out of range or this is no array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// What this kind of value is called in an error message: `null`, `boolean`, `number`,
  /// `string`, `array` or `object`.
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
  /// The estimated number of bytes that the value has in memory, and that it has when written.
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
