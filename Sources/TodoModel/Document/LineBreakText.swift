/// Escapes for characters at which some editors break a line. An escape is a character reference
/// such as `&#13;`.
///
/// Titles and notes from other programs can contain a CR or U+2028. Some editors would save the
/// text after such a character as a separate line, which could then become a todo. A todo that
/// contains escapes is marked with `!escaped`. In other todos, `&#13;` is plain text, because older
/// documents have no escapes.
package enum LineBreakText {
  /// Returns whether `&#number;` is an escape in a todo marked with `!escaped`. The number must be
  /// the code point of an escaped line break or of `&`.
  package static func isReference(_ number: UInt32) -> Bool {
    switch number {
    case 0x0B...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: number == ampersandNumber
    }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let ampersand = UInt8(ascii: "&")
  private static let ampersandNumber = UInt32(UInt8(ascii: "&"))

  /// Returns the code point and the length in bytes of the line break at an index; `nil` for any
  /// other character. LF and CR LF do not count, because every editor breaks a line there.
  package static func lineBreak(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (number: UInt32, byteCount: Int)? {
    guard index < bytes.count else { return nil }
    func next(_ offset: Int) -> UInt8? {
      index + offset < bytes.count ? bytes[index + offset] : nil
    }
    switch bytes[index] {
    case carriageReturn: return next(1) == newline ? nil : (0x0D, 1)
    case 0x0B, 0x0C, 0x1C...0x1E: return (UInt32(bytes[index]), 1)
    case 0xC2: return next(1) == 0x85 ? (0x85, 2) : nil
    case 0xE2:
      guard next(1) == 0x80, let last = next(2), last == 0xA8 || last == 0xA9 else { return nil }
      return (0x2028 + UInt32(last - 0xA8), 3)
    default: return nil
    }
  }

  /// Returns whether a note contains characters that must be escaped.
  package static func isNeeded(inNote note: String) -> Bool {
    var note = note
    return note.withUTF8 { bytes in
      bytes.indices.contains { lineBreak(in: bytes, at: $0) != nil }
    }
  }

  /// Returns whether a title contains a line break that is not ASCII. Such a line break is escaped
  /// in every title, even without `!escaped`.
  package static func isNeeded(inTitle title: String) -> Bool {
    var title = title
    return title.withUTF8 { bytes in
      bytes.indices.contains { bytes[$0] >= 0x80 && lineBreak(in: bytes, at: $0) != nil }
    }
  }

  /// Escapes the note of a todo that is marked with `!escaped`.
  package static func escaped(_ note: String) -> String {
    escaped(note, withAmpersands: true)
  }

  /// Splits a text outside of todos at its line ends, and escapes the other line breaks in it.
  /// These escapes are never decoded, because plain lines cannot be marked with `!escaped`.
  package static func plainLines(of text: String) -> [String] {
    // The text is split by bytes, because Swift treats CR LF as one character that differs from LF.
    escaped(text, withAmpersands: false).utf8
      .split(separator: newline, omittingEmptySubsequences: false)
      .map { line in
        let end = line.last == carriageReturn ? line.dropLast() : line
        return String(decoding: Array(end), as: UTF8.self)
      }
  }

  private static func escaped(_ note: String, withAmpersands: Bool) -> String {
    var note = note
    let escaped = note.withUTF8 { bytes in
      var out: [UInt8] = []
      out.reserveCapacity(bytes.count + 64)
      var index = 0
      while index < bytes.count {
        if let (number, byteCount) = lineBreak(in: bytes, at: index) {
          out += "&#\(number);".utf8
          index += byteCount
          continue
        }
        let isReference =
          withAmpersands && bytes[index] == ampersand && index + 1 < bytes.count
          && bytes[index + 1] == UInt8(ascii: "#")
        if isReference { out += "&#\(ampersandNumber);".utf8 } else { out.append(bytes[index]) }
        index += 1
      }
      return out
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Decodes the escapes that `escaped` has written.
  package static func unescaped(_ text: String) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == ampersand, let number = parseReference(&rest, where: isReference) {
        out += number.utf8
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Returns whether a note begins with `half`. The text `half` is a truncated note in which all
  /// escapes are decoded, except an incomplete escape at its end.
  package static func isBegun(_ note: String, by half: String) -> Bool {
    if note.utf8.starts(with: half.utf8) { return true }
    // The longest character reference has seven characters.
    guard let start = half.utf8.suffix(7).lastIndex(of: ampersand) else { return false }
    let whole = half.utf8[..<start]
    guard note.utf8.starts(with: whole) else { return false }
    let rest = escaped(String(decoding: Array(note.utf8.dropFirst(whole.count)), as: UTF8.self))
    return rest.utf8.starts(with: half.utf8[start...])
  }

  /// Parses the rest of a character reference after its `&`, such as `#10;`.
  ///
  /// - Returns: The character; `nil` for any other text, or if `isAccepted` rejects the number.
  package static func parseReference(
    _ rest: inout ArraySlice<UInt8>, where isAccepted: (UInt32) -> Bool
  ) -> String? {
    guard rest.first == UInt8(ascii: "#") else { return nil }
    let digits = rest.dropFirst().prefix(5).prefix { (0x30...0x39).contains($0) }
    guard let number = UInt32(String(decoding: digits, as: UTF8.self)), isAccepted(number),
      let scalar = Unicode.Scalar(number),
      rest.dropFirst(1 + digits.count).first == UInt8(ascii: ";")
    else { return nil }
    rest = rest.dropFirst(digits.count + 2)
    return String(scalar)
  }
}
