import TodoModel

/// A title as it stands in a line: what would be read as something else has a `\` before it, as in
/// Markdown, and what cannot stand in a line at all is a character reference such as `&#10;`.
enum TitleText {
  /// Appends a title in writing.
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

  /// Reads a title that was written, or typed.
  ///
  /// - Parameter isEscaped: Whether its todo is marked as one with references for line breaks.
  static func read(_ bytes: ArraySlice<UInt8>, isEscaped: Bool = false) -> String {
    guard bytes.contains(where: { $0 == ASCII.backslash || $0 == ampersand }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var title: [UInt8] = []
    title.reserveCapacity(bytes.count)
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

  private static let ampersand = UInt8(ascii: "&")
  private static let number = UInt8(ascii: "#")
  /// What begins something else in Markdown when it begins a line.
  private static let starts = Set("#>-+*[`<|=~&\\".utf8)

  /// Whether a title is written as it is. Most are.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    if starts.contains(first) || ASCII.isDigit(first) { return false }
    if first == ASCII.space || last == ASCII.space { return false }
    for byte in bytes {
      if byte == ASCII.backslash || byte == ampersand || byte == UInt8(ascii: "<") { return false }
      if ASCII.isControl(byte) || byte == 0xC2 || byte == 0xE2 { return false }
    }
    return true
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    // `1.` and `1)` begin a numbered list.
    let digitCount = bytes.prefix { ASCII.isDigit($0) }.count
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x80, let (number, byteCount) = LineBreakText.lineBreak(in: bytes, at: index) {
        out += "&#\(number);".utf8
        index += byteCount
        continue
      }
      defer { index += 1 }
      let next = index + 1 < bytes.count ? bytes[index + 1] : ASCII.space
      let isEnd = index == 0 || index == bytes.count - 1
      if ASCII.isControl(byte) || (byte == ASCII.space && isEnd) {
        out.append(contentsOf: "&#\(byte);".utf8)
        continue
      }
      let isMarkup =
        index == 0 && starts.contains(byte)
        || index == digitCount && index > 0
          && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: ")"))
        || byte == ASCII.backslash
          && (ASCII.isPunctuation(next) || ASCII.isControl(next) || index == bytes.count - 2
            || LineBreakText.lineBreak(in: bytes, at: index + 1) != nil)
        || byte == ampersand && next == number
        || byte == UInt8(ascii: "<") && next == UInt8(ascii: "!")
      if isMarkup { out.append(ASCII.backslash) }
      out.append(byte)
    }
  }

  /// Whether the number of a reference is read: only what is written like that.
  private static func isReference(_ number: UInt32, isEscaped: Bool) -> Bool {
    if number < 0x80 { return ASCII.isControl(UInt8(number)) || number == UInt32(ASCII.space) }
    return isEscaped && LineBreakText.isReference(number)
  }
}

/// A name in one word: everything that could end it, or a comment, is written as `%2D`.
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
