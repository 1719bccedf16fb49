/// A line of an iCalendar object (RFC 5545): the bytes as they were written, and as they are read.
struct ContentLine: Sendable, Equatable {
  /// The bytes as written, with folds and line end.
  let raw: [UInt8]
  /// The bytes without folds and line end.
  let text: [UInt8]

  /// The maximum length of a line that is written, in bytes, without its line end.
  static let foldBytesMax = 75

  private static let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  private init(raw: [UInt8], text: [UInt8]) { (self.raw, self.text) = (raw, text) }

  /// Creates a line, folded between characters.
  init(folding text: [UInt8], lineEnd: [UInt8]) {
    var raw: [UInt8] = []
    raw.reserveCapacity(text.count + text.count / 32 + lineEnd.count)
    var rest = text[...]
    var room = Self.foldBytesMax
    while rest.count > room {
      var end = rest.startIndex + room
      // A fold must not precede a byte that continues a character.
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

  /// Splits an object into its lines. A fold may split a character, so the parts are joined as
  /// bytes, not as strings.
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

/// A property: `NAME;PARAMETER=VALUE:VALUE`.
struct CalendarProperty {
  /// The name, in upper case.
  let name: String
  /// The parameters, each as written, such as `TZID="Europe/Berlin"`.
  private(set) var parameters: [[UInt8]]
  let value: [UInt8]
  private let spelledName: [UInt8]

  /// Creates a property.
  init(_ name: String, parameters: [String] = [], value: [UInt8]) {
    self.name = name
    self.parameters = parameters.map { Array($0.utf8) }
    self.value = value
    spelledName = Array(name.utf8)
  }

  /// Parses a line.
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

  /// The value of a parameter, without quotation marks; `nil` if there is none.
  subscript(parameter name: String) -> String? {
    parameters.first { Self.name(of: $0) == name }.map { bytes in
      let value = bytes.drop { $0 != UInt8(ascii: "=") }.dropFirst()
      return String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }

  var valueText: String { String(decoding: value, as: UTF8.self) }

  /// Returns the text of the property with another value, without the parameters in `dropped`, and
  /// with those in `added`.
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

/// The TEXT values of iCalendar.
enum CalendarText {
  /// Returns the text of a value. In it, `\n` is a line end, and any other character after a
  /// backslash is itself.
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

  /// Splits a list of values at the commas that are not escaped.
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
