/// A line of an iCalendar object (RFC 5545), which can be folded into several lines of the file.
struct ContentLine: Sendable, Equatable {
  /// The bytes of the line in the file, with its folds and its line end.
  let raw: [UInt8]
  /// The bytes of the line without folds and line end.
  let text: [UInt8]

  /// The maximum length of a line when it is written, in bytes without its line end. A longer line
  /// is folded.
  static let foldBytesMax = 75

  private static let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  private init(raw: [UInt8], text: [UInt8]) { (self.raw, self.text) = (raw, text) }

  /// Creates a line from its text, and folds it between characters if it is too long.
  init(folding text: [UInt8], lineEnd: [UInt8]) {
    var raw: [UInt8] = []
    raw.reserveCapacity(text.count + text.count / 32 + lineEnd.count)
    var rest = text[...]
    var room = Self.foldBytesMax
    while rest.count > room {
      var end = rest.startIndex + room
      // A fold must not split a character into its bytes.
      while end > rest.startIndex + 1, rest[end] & 0xC0 == 0x80 { end -= 1 }
      raw += rest[..<end]
      raw += lineEnd
      raw.append(UInt8(ascii: " "))
      rest = rest[end...]
      room = Self.foldBytesMax - 1
    }
    raw += rest
    raw += lineEnd
    self.init(raw: raw, text: text)
  }

  /// Splits the bytes of an object into lines. Folds are removed from the bytes before these become
  /// strings, because other programs may have folded a line within a character.
  static func lines(of bytes: [UInt8]) -> [ContentLine] {
    var lines: [ContentLine] = []
    var (rawStart, position) = (0, 0)
    var text: [UInt8] = []
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: lf) ?? bytes.count
      let next = min(end + 1, bytes.count)
      let isTerminated = end < bytes.count
      let textEnd = isTerminated && end > position && bytes[end - 1] == cr ? end - 1 : end
      text += bytes[position..<textEnd]
      position = next
      if isTerminated, next < bytes.count, isFold(bytes[next]) {
        position = next + 1
        continue
      }
      lines.append(ContentLine(raw: Array(bytes[rawStart..<next]), text: text))
      text = []
      rawStart = next
    }
    return lines
  }

  private static func isFold(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

/// A property of a component: `NAME;PARAMETER=VALUE:VALUE`.
struct CalendarProperty {
  /// The name, in upper case.
  let name: String
  /// The parameters as they were written, such as `TZID="Europe/Berlin"`.
  private(set) var parameters: [[UInt8]]
  let value: [UInt8]
  private let spelledName: [UInt8]

  /// Creates a property from its parts.
  init(_ name: String, parameters: [String] = [], value: [UInt8]) {
    self.name = name
    self.parameters = parameters.map { Array($0.utf8) }
    self.value = value
    spelledName = Array(name.utf8)
  }

  /// Parses the property on a line.
  ///
  /// - Returns: `nil` if the line has no value.
  init?(_ line: ContentLine) {
    let text = line.text
    var isQuoted = false
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";") where !isQuoted:
        parts.append(text[start..<index])
        start = index + 1
      case UInt8(ascii: ":") where !isQuoted:
        parts.append(text[start..<index])
        guard let first = parts.first, !first.isEmpty else { return nil }
        spelledName = Array(first)
        name = String(decoding: first, as: UTF8.self).uppercased()
        parameters = parts.dropFirst().map { Array($0) }
        value = Array(text[(index + 1)...])
        return
      default: break
      }
    }
    return nil
  }

  /// The value of a parameter, without quotation marks; `nil` if there is no such parameter.
  subscript(parameter name: String) -> String? {
    parameters.first { Self.name(of: $0) == name }.map { bytes in
      let value = bytes.drop { $0 != UInt8(ascii: "=") }.dropFirst()
      return String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }

  var valueText: String { String(decoding: value, as: UTF8.self) }

  /// Returns the text of the property with another value. The parameters in `dropped` are removed,
  /// and those in `added` are added.
  func with(
    value: [UInt8], without dropped: Set<String> = [], adding added: [String] = []
  ) -> [UInt8] {
    var text = spelledName
    for parameter in parameters where !dropped.contains(Self.name(of: parameter)) {
      text.append(UInt8(ascii: ";"))
      text += parameter
    }
    for parameter in added {
      text.append(UInt8(ascii: ";"))
      text += parameter.utf8
    }
    text.append(UInt8(ascii: ":"))
    return text + value
  }

  var text: [UInt8] { with(value: value) }

  private static func name(of parameter: [UInt8]) -> String {
    String(decoding: parameter.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).uppercased()
  }
}

/// The conversion between texts and the TEXT values of iCalendar.
enum CalendarText {
  /// Returns the text of a TEXT value. The escape `\n` becomes a line end; from any other escape,
  /// the backslash is removed.
  static func unescaped(_ value: some Collection<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var isEscaped = false
    for byte in value {
      if isEscaped {
        isEscaped = false
        bytes.append(byte | 0x20 == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): bytes += [0x5C, byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// Splits a list of TEXT values at its commas, except those that are escaped.
  static func list(_ value: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, isEscaped) = (0, false)
    for index in value.indices {
      if isEscaped {
        isEscaped = false
      } else if value[index] == UInt8(ascii: "\\") {
        isEscaped = true
      } else if value[index] == UInt8(ascii: ",") {
        parts.append(value[start..<index])
        start = index + 1
      }
    }
    parts.append(value[start...])
    return parts
  }
}
