extension JSON {
  /// Appends the value as compact UTF-8: no white space, keys in their order, `/` not escaped,
  /// and a text without line ends.
  ///
  /// A double is written with the fewest digits that read back as the same double. Two values have
  /// no JSON form and are replaced: a double that is not finite by `null`, and U+0000 in a string
  /// by U+FFFD, because some readers end a text there.
  public func write(to buffer: inout [UInt8]) {
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

  /// The value as compact text; see `write(to:)`.
  public var compactText: String {
    var buffer: [UInt8] = []
    write(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact text.
  public var description: String { compactText }
}

extension JSONObject {
  /// Appends the object as compact UTF-8; see `JSON.write(to:)`.
  public func write(to buffer: inout [UInt8]) {
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

extension [UInt8] {
  mutating func append(_ word: StaticString) {
    append(
      contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Appends a word that needs no escapes, with its quotes.
  mutating func append(quoted word: StaticString) {
    append(UInt8(ascii: "\""))
    append(word)
    append(UInt8(ascii: "\""))
  }

  /// Appends a key that needs no escapes, with what stands before and after it.
  mutating func append(key: StaticString, isFirst: Bool) {
    let count = key.utf8CodeUnitCount
    append(addingCapacity: count + 4) { span in
      span.withUnsafeMutableBufferPointer { target, initializedCount in
        var index = 0
        if !isFirst {
          target.initializeElement(at: 0, to: UInt8(ascii: ","))
          index = 1
        }
        target.initializeElement(at: index, to: UInt8(ascii: "\""))
        _ = target.extracting((index + 1)...).initialize(
          fromContentsOf: UnsafeBufferPointer(start: key.utf8Start, count: count))
        target.initializeElement(at: index + count + 1, to: UInt8(ascii: "\""))
        target.initializeElement(at: index + count + 2, to: UInt8(ascii: ":"))
        initializedCount = index + count + 3
      }
    }
  }

  mutating func append(decimal value: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = value.magnitude
      var index = digits.count
      repeat {
        index -= 1
        digits.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if value < 0 {
        index -= 1
        digits.initializeElement(at: index, to: UInt8(ascii: "-"))
      }
      append(contentsOf: UnsafeBufferPointer(digits.extracting(index...)))
    }
  }

  mutating func append(number value: Double) {
    if value.isFinite {
      append(contentsOf: value.description.utf8)
    } else {
      append("null")
    }
  }

  /// Appends a string with its quotes and escapes.
  @inline(__always)
  mutating func append(quoting text: String) {
    let wasContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { append(quoting: $0) }
    if wasContiguous == nil {
      Array(text.utf8).withUnsafeBufferPointer { append(quoting: $0) }
    }
  }

  private mutating func append(quoting text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else {
      append("\"\"")
      return
    }
    let plainCount = SpecialBytes.firstEscape(in: start, from: 0, to: text.count)
    // Most strings are plain. They are appended in one piece.
    append(addingCapacity: text.count + 2) { span in
      span.withUnsafeMutableBufferPointer { target, count in
        target.initializeElement(at: 0, to: UInt8(ascii: "\""))
        _ = target.extracting(1...).initialize(
          fromContentsOf: UnsafeBufferPointer(start: start, count: plainCount))
        count = plainCount + 1
        if plainCount == text.count {
          target.initializeElement(at: count, to: UInt8(ascii: "\""))
          count += 1
        }
      }
    }
    if plainCount < text.count {
      append(escaping: UnsafeBufferPointer(rebasing: text[plainCount...]))
      append(UInt8(ascii: "\""))
    }
  }

  /// Appends a text that begins with a byte to escape.
  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    var index = 0
    while index < text.count {
      while index < text.count && SpecialBytes.isEscape(start[index]) {
        append(escaping: start[index])
        index += 1
      }
      let runEnd = SpecialBytes.firstEscape(in: start, from: index, to: text.count)
      append(contentsOf: UnsafeBufferPointer(start: start + index, count: runEnd - index))
      index = runEnd
    }
  }

  private mutating func append(escaping byte: UInt8) {
    let letter: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    case 0x08: letter = UInt8(ascii: "b")
    case 0x09: letter = UInt8(ascii: "t")
    case 0x0A: letter = UInt8(ascii: "n")
    case 0x0C: letter = UInt8(ascii: "f")
    case 0x0D: letter = UInt8(ascii: "r")
    case 0x00:
      append("\u{FFFD}")
      return
    default:
      let digits: StaticString = "0123456789abcdef"
      append(byte < 0x10 ? "\\u000" : "\\u001")
      append(digits.utf8Start[Int(byte & 0xF)])
      return
    }
    append(UInt8(ascii: "\\"))
    append(letter)
  }
}
