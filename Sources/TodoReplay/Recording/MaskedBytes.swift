/// Invalid input, masked so that it contains no readable secrets. The masked input is invalid at
/// the same position and for the same reason.
///
/// Secrets cannot be located in bytes that are not a message, so everything is masked. In strings,
/// each visible ASCII character becomes `x`. Outside of strings, letters become `x`, and digits
/// except `0` become `1`. A character that is not ASCII becomes another character of the same size.
/// The following stay unchanged: the punctuation of JSON, `true`, `false`, `null`, escapes such as
/// `\n`, the names of members, and headers that begin with `Content-`.
struct MaskedBytes {
  private(set) var bytes: [UInt8]

  /// Masks bytes that are not a message.
  ///
  /// - Parameter hasHeaders: Whether headers may precede the JSON.
  init(_ bytes: some Collection<UInt8>, hasHeaders: Bool) {
    self.bytes = Array(bytes)
    let isText = String(validating: self.bytes, as: UTF8.self) != nil
    let start = hasHeaders ? maskHeaders() : 0
    maskJSON(from: start)
    for index in self.bytes.indices where !isText && self.bytes[index] >= 0x80 {
      self.bytes[index] = 0xFF
    }
  }

  // MARK: Headers

  /// Masks the headers, which end at an empty line.
  ///
  /// - Returns: The start of the body.
  private mutating func maskHeaders() -> Int {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
      let next = min(end + 1, bytes.count)
      if line.allSatisfy({ $0 == "\r" }), end < bytes.count { return next }
      if !line.hasPrefix("content-") { for index in start..<end { mask(index) } }
      start = next
    }
    return start
  }

  // MARK: JSON

  private mutating func maskJSON(from start: Int) {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") {
        index = maskString(from: index + 1)
      } else {
        let end = bytes[index...].firstIndex { !Self.isWord($0) } ?? bytes.count
        let word = String(decoding: bytes[index..<end], as: UTF8.self)
        if !["true", "false", "null"].contains(word) {
          for place in index..<end { mask(place) }
        }
        index = max(end, index + 1)
      }
    }
  }

  /// Masks the contents of a string, unless the string is the name of a member.
  ///
  /// - Returns: The position after the string.
  private mutating func maskString(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    end = min(end, bytes.count)
    let after = bytes[min(end + 1, bytes.count)...].first { !Self.isBlank($0) }
    if after != UInt8(ascii: ":") { maskText(start..<end) }
    return end + 1
  }

  private mutating func maskText(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
        mask(index, all: true)
        index += 1
        continue
      }
      if bytes[index + 1] == UInt8(ascii: "u") { maskEscape(index + 2, before: range.upperBound) }
      index += bytes[index + 1] == UInt8(ascii: "u") ? 6 : 2
    }
  }

  /// Replaces the digits of a `\u` escape with those of another character. A high surrogate is
  /// replaced with a high surrogate, and a low surrogate with a low surrogate.
  private mutating func maskEscape(_ start: Int, before end: Int) {
    guard start + 4 <= end else { return }
    let digits = String(decoding: bytes[start..<start + 4], as: UTF8.self).lowercased()
    guard let value = UInt16(digits, radix: 16) else { return }
    let masked =
      switch value {
      case 0xD800...0xDBFF: "d83d"
      case 0xDC00...0xDFFF: "de00"
      default: "0078"
      }
    bytes.replaceSubrange(start..<start + 4, with: masked.utf8)
  }

  /// Masks the character at a position.
  ///
  /// - Parameter isAll: Whether punctuation is also masked.
  private mutating func mask(_ index: Int, all isAll: Bool = false) {
    switch bytes[index] {
    case UInt8(ascii: "0"): if isAll { bytes[index] = UInt8(ascii: "x") }
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      bytes[index] = isAll ? UInt8(ascii: "x") : UInt8(ascii: "1")
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      bytes[index] = UInt8(ascii: "x")
    case 0x21..<0x7F: if isAll { bytes[index] = UInt8(ascii: "x") }
    // The replacement is a character with the same number of bytes.
    case 0xC2...0xDF: maskCharacter(index, [0xC3, 0xA9])
    case 0xE0...0xEF: maskCharacter(index, [0xE2, 0x80, 0xA6])
    case 0xF0...0xF4: maskCharacter(index, [0xF0, 0x9F, 0x8C, 0xB1])
    default: break
    }
  }

  private mutating func maskCharacter(_ index: Int, _ other: [UInt8]) {
    guard index + other.count <= bytes.count else { return }
    bytes.replaceSubrange(index..<index + other.count, with: other)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...:
      true
    default: false
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
