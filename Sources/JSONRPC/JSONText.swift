extension JSON {
  /// Appends the value as compact JSON in UTF-8: no whitespace or line ends, members in order, `/`
  /// not escaped.
  ///
  /// A double is written with the fewest digits that parse to the same double. A double that is not
  /// finite has no JSON form, and is replaced by `null`. U+0000 in a string is replaced by U+FFFD,
  /// because some readers treat U+0000 as the end of the text.
  public func write(to buffer: inout [UInt8]) {
    var output = ByteBuffer()
    write(to: &output)
    buffer.append(contentsOf: output.bytes)
  }

  func write(to buffer: inout ByteBuffer) {
    switch self {
    case .null: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .integer(let value): buffer.append(decimal: value)
    case .double(let value): buffer.append(number: value)
    case .string(let value): buffer.append(quoting: value)
    case .array(let elements):
      buffer.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 {
          buffer.append(UInt8(ascii: ","))
        }
        element.write(to: &buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    case .object(let object):
      object.write(to: &buffer)
    }
  }

  /// The value as compact JSON; see `write(to:)`.
  public var compactText: String {
    var buffer = ByteBuffer()
    write(to: &buffer)
    return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { compactText }
}

extension JSONObject {
  /// Appends the object as compact JSON in UTF-8; see `JSON.write(to:)`.
  public func write(to buffer: inout [UInt8]) { JSON.object(self).write(to: &buffer) }

  func write(to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 {
        buffer.append(UInt8(ascii: ","))
      }
      buffer.append(quoting: member.key)
      buffer.append(UInt8(ascii: ":"))
      member.value.write(to: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }
}
