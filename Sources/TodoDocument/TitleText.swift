import TodoModel

/// The form of a title in a line of a document.
///
/// - A character that cannot be in a line is written as a reference, such as `&#10;`.
/// - A `\` is written before text that looks like a reference.
/// - Each `\` of the title directly before a reference or such text is doubled.
/// - A `\` before the last word can be an escape of `AttributeWords`, and a `\` before a mark can
///   be an escape of `escapeMarks`.
/// - Any other `\` is part of the title.
enum TitleText {
  /// Appends a title with the escapes that it needs in a document.
  static func write(_ title: String, to out: inout [UInt8]) {
    var title = title
    title.withUTF8 { bytes in
      if isPlain(bytes) {
        out.append(contentsOf: bytes)
      } else {
        write(bytes, to: &out)
      }
    }
  }

  /// Reads a title that was written or typed.
  ///
  /// - Parameter isEscaped: Whether the line contains the word `!escaped`. Only then, references to
  ///   line breaks outside ASCII, such as `&#8232;`, are decoded.
  static func read(_ bytes: ArraySlice<UInt8>, isEscaped: Bool = false) -> String {
    guard bytes.contains(ampersand) else { return String(decoding: bytes, as: UTF8.self) }
    var title: [UInt8] = []
    title.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      var next = rest
      guard byte == ampersand,
        let referenced = LineBreakText.parseReference(
          &next, where: { isReference($0, isEscaped: true) })
      else {
        title.append(byte)
        continue
      }
      let escapes = title.reversed().prefix { $0 == ASCII.backslash }.count
      var isDecoded = false
      if escapes % 2 == 0 {
        var same = rest
        isDecoded =
          LineBreakText.parseReference(&same, where: { isReference($0, isEscaped: isEscaped) })
          != nil
      }
      if isDecoded || escapes % 2 == 1 { title.removeLast((escapes + 1) / 2) }
      if isDecoded {
        title += referenced.utf8
        rest = next
      } else {
        title.append(byte)
      }
    }
    return String(decoding: title, as: UTF8.self)
  }

  /// Reads a title of an old document: a document that a store before version 20 has printed. In an
  /// old document, a `\` before any punctuation is an escape.
  static func readMarkdown(_ bytes: ArraySlice<UInt8>, isEscaped: Bool = false) -> String {
    guard bytes.contains(ASCII.backslash) else { return read(bytes, isEscaped: isEscaped) }
    var title: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == ASCII.backslash, let next = rest.first, ASCII.isPunctuation(next) {
        title.append(next)
        rest.removeFirst()
      } else if byte == ampersand,
        let referenced = LineBreakText.parseReference(
          &rest, where: { isReference($0, isEscaped: isEscaped) })
      {
        title += referenced.utf8
      } else {
        title.append(byte)
      }
    }
    return String(decoding: title, as: UTF8.self)
  }

  /// Escapes each mark before a check box in a written title. Without the escape, the line would be
  /// read as two todos.
  ///
  /// - Parameter start: The index in `out` at which the title begins.
  static func escapeMarks(in out: inout [UInt8], from start: Int, _ marks: AssignedMarks) {
    for sign in signs(of: marks, in: out[start...]).reversed() {
      out.insert(ASCII.backslash, at: sign)
    }
  }

  /// Removes the escapes that `escapeMarks` has added to a written title.
  static func withoutMarkEscapes(
    _ title: ArraySlice<UInt8>, _ marks: AssignedMarks
  ) -> ArraySlice<UInt8> {
    var signs = signs(of: marks, in: title)
    signs.removeAll { title[$0 - 1] != ASCII.backslash }
    guard !signs.isEmpty else { return title }
    var bytes = Array(title)
    for sign in signs.reversed() { bytes.remove(at: sign - title.startIndex - 1) }
    return bytes[...]
  }

  /// Returns the positions of the marks in a title that need an escape, or already have one. Each
  /// position is the index of the `^`.
  ///
  /// A mark needs an escape if blanks and a check box follow it, and if a blank precedes it. Any
  /// number of `\` may be between this blank and the mark.
  private static func signs(of marks: AssignedMarks, in title: ArraySlice<UInt8>) -> [Int] {
    guard title.contains(UInt8(ascii: "^")) else { return [] }
    return title.indices.filter { sign in
      guard title[sign] == UInt8(ascii: "^"), marks.beforeBox(at: sign, in: title) != nil
      else {
        return false
      }
      let before = title[..<sign].reversed().first { $0 != ASCII.backslash }
      return before.map(ASCII.isBlank) ?? false
    }
  }

  private static let ampersand = UInt8(ascii: "&")

  /// Whether a title certainly needs no references or escapes. Most titles need none.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    if first == ASCII.space || last == ASCII.space { return false }
    for byte in bytes {
      if byte == ampersand || ASCII.isControl(byte) || byte == 0xC2 || byte == 0xE2 { return false }
    }
    return true
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var (index, escapes) = (0, 0)
    while index < bytes.count {
      let byte = bytes[index]
      let isEnd = index == 0 || index == bytes.count - 1
      var reference: (number: UInt32, byteCount: Int)?
      if ASCII.isControl(byte) || byte == ASCII.space && isEnd {
        reference = (UInt32(byte), 1)
      } else if byte >= 0x80 {
        reference = LineBreakText.lineBreak(in: bytes, at: index)
      }
      if let reference {
        out += repeatElement(ASCII.backslash, count: escapes)
        out += "&#\(reference.number);".utf8
      } else {
        if byte == ampersand, isReference(bytes, at: index) {
          out += repeatElement(ASCII.backslash, count: escapes + 1)
        }
        out.append(byte)
      }
      escapes = byte == ASCII.backslash ? escapes + 1 : 0
      index += reference?.byteCount ?? 1
    }
  }

  /// Whether the `&` at an index begins a character reference that `read` can decode, such as
  /// `&#10;`.
  private static func isReference(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    var rest = Array(bytes[(index + 1)...].prefix(7))[...]
    return LineBreakText.parseReference(&rest, where: { isReference($0, isEscaped: true) }) != nil
  }

  /// Whether a reference to the scalar with this number is decoded. This is so only for references
  /// that `write` can write.
  private static func isReference(_ number: UInt32, isEscaped: Bool) -> Bool {
    if number < 0x80 { return ASCII.isControl(UInt8(number)) || number == UInt32(ASCII.space) }
    return isEscaped && LineBreakText.isReference(number)
  }
}

/// The form of a name as a single word of a document's heading, which is an HTML comment. Bytes
/// that could end the word or the comment are percent-encoded. For example, `--` becomes `-%2D`.
enum WordText {
  static func write(_ name: String, to out: inout [UInt8]) {
    var last: UInt8 = 0
    for byte in name.utf8 {
      if isPlain(byte), !(byte == dash && last == dash) {
        out.append(byte)
      } else {
        out.append(UInt8(ascii: "%"))
        out.append(digits[Int(byte >> 4)])
        out.append(digits[Int(byte & 15)])
      }
      last = byte
    }
  }

  static func read(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
    var name: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        name.append(value)
        rest = rest.dropFirst(2)
      } else {
        name.append(byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static let dash = UInt8(ascii: "-")
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x40...0x5A, 0x2D...0x3A: true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+")
    }
  }
}
