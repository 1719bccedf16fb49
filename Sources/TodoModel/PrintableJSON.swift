/// An encoding of JSON that can be printed in a terminal: characters that control a terminal are
/// escaped. The escaped JSON parses to the same values.
///
/// JSON itself requires escapes only for control characters below U+0020. This type also escapes
/// DEL and U+0080 to U+009F (for some terminals, U+009B begins a control sequence), characters that
/// change the direction of text, U+2028 and U+2029. An escape is written as `\u009b`.
package enum PrintableJSON {
  /// Returns JSON in which all characters that control a terminal are escaped.
  ///
  /// - Parameter bytes: JSON in valid UTF-8. Outside of its strings, the JSON must contain no
  ///   characters that control a terminal.
  package static func escaping(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: isLead) else { return bytes }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count + 64)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard isLead(byte), let scalar = scalar(at: index, in: bytes) else {
        escaped.append(byte)
        index += 1
        continue
      }
      escaped.append(contentsOf: "\\u\(hexadecimal(scalar.value))".utf8)
      index += scalar.byteCount
    }
    return escaped
  }

  /// Returns whether a character that needs an escape can begin with this byte.
  private static func isLead(_ byte: UInt8) -> Bool {
    byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  /// Returns the character at an index if it needs an escape; otherwise `nil`.
  private static func scalar(
    at index: Int, in bytes: [UInt8]
  ) -> (value: UInt32, byteCount: Int)? {
    func next(_ offset: Int) -> UInt32? {
      index + offset < bytes.count ? UInt32(bytes[index + offset] & 0x3F) : nil
    }
    let found: (value: UInt32, byteCount: Int)
    switch (bytes[index], next(1), next(2)) {
    case (0x7F, _, _): found = (0x7F, 1)
    case (0xC2, let low?, _): found = (0x80 | low, 2)
    case (0xD8, let low?, _): found = (0x600 | low, 2)
    case (0xE2, let high?, let low?): found = (0x2000 | high << 6 | low, 3)
    default: return nil
    }
    switch found.value {
    case 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return found
    default: return nil
    }
  }

  /// Returns a number as four hexadecimal digits.
  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
