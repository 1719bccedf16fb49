extension JSON: ExpressibleByNilLiteral {
  /// `null`.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// A boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// A double.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }
}

extension JSON: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSON...) {
    self = .array(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object. If a key is repeated, its last value is kept.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(JSONObject(members))
  }
}
