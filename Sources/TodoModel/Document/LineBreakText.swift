/// Escapes characters at which some editors end a line as character references, such as `&#13;`.
///
/// Titles and notes come from other programs. An editor that ends lines at a CR or at U+2028 would
/// save the text after one as a separate line, which could become a todo. A todo with such
/// references is marked with `!escaped`. In the note of any other todo, `&#13;` is plain text, as
/// it was in documents before references were introduced.
package enum LineBreakText {
  /// Whether the character reference with this number is decoded in a marked todo.
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

  /// Returns the line break at an index, as its number and its length in bytes; `nil` for a line
  /// feed and for the CR before one, because CR LF is one line end.
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

  /// Whether a note contains characters that have to be escaped.
  package static func isNeeded(inNote note: String) -> Bool {
    var note = note
    return note.withUTF8 { bytes in
      bytes.indices.contains { lineBreak(in: bytes, at: $0) != nil }
    }
  }

  /// Whether a title has a line break that is not an ASCII control character. ASCII control
  /// characters are escaped in every title.
  package static func isNeeded(inTitle title: String) -> Bool {
    var title = title
    return title.withUTF8 { bytes in
      bytes.indices.contains { bytes[$0] >= 0x80 && lineBreak(in: bytes, at: $0) != nil }
    }
  }

  /// Escapes the note of a marked todo.
  package static func escaped(_ note: String) -> String {
    escaped(note, withAmpersands: true)
  }

  /// Splits text outside of a todo into lines, with other line breaks escaped. Such lines have no
  /// mark, so their references are not decoded.
  package static func plainLines(of text: String) -> [String] {
    // Split by bytes: Swift treats CR LF as one character, which is not equal to a line feed.
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

  /// Decodes the references of a note that `escaped` returned.
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

  /// Whether a note begins with a truncated text that may end within a reference.
  package static func isBegun(_ note: String, by half: String) -> Bool {
    if note.utf8.starts(with: half.utf8) { return true }
    // The longest reference has seven characters.
    guard let start = half.utf8.suffix(7).lastIndex(of: ampersand) else { return false }
    let whole = half.utf8[..<start]
    guard note.utf8.starts(with: whole) else { return false }
    let rest = escaped(String(decoding: Array(note.utf8.dropFirst(whole.count)), as: UTF8.self))
    return rest.utf8.starts(with: half.utf8[start...])
  }

  /// Parses the rest of a reference such as `&#10;` after the `&`.
  ///
  /// - Returns: The character; `nil` if its number is not accepted.
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
