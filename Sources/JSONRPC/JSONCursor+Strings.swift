extension JSONCursor {
  /// Parses a string whose opening quote is at the position.
  ///
  /// - Returns: the decoded bytes, which are well-formed UTF-8. The buffer is valid until this
  ///   method is called again.
  mutating func scanString() throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    let quoteOffset = position
    position += 1
    let start = position
    try skipPlainText(quoteOffset: quoteOffset)
    if bytes[position] == UInt8(ascii: "\"") {
      position += 1
      return UnsafeBufferPointer(start: bytes + start, count: position - 1 - start)
    }
    return try scanEscapedString(from: start, quoteOffset: quoteOffset)
  }

  /// Decodes the rest of a string into `decodedText`. The first backslash must be at the position.
  @inline(never)
  private mutating func scanEscapedString(
    from start: Int, quoteOffset: Int
  ) throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    decodedText.removeAll()
    // A decoded escape is never longer than its source, so this is the only allocation.
    decodedText.reserve(count - start)
    var runStart = start
    while bytes[position] == UInt8(ascii: "\\") {
      decodedText.push(
        contentsOf: UnsafeBufferPointer(start: bytes + runStart, count: position - runStart))
      try decodeEscape()
      runStart = position
      try skipPlainText(quoteOffset: quoteOffset)
    }
    decodedText.push(
      contentsOf: UnsafeBufferPointer(start: bytes + runStart, count: position - runStart))
    position += 1
    return decodedText.elements(from: 0)
  }

  /// Skips to the next quote or backslash, and checks all bytes before it.
  ///
  /// - Throws: `unterminatedString` if the input ends before a quote or backslash.
  @inline(__always)
  private mutating func skipPlainText(quoteOffset: Int) throws(JSONError) {
    while true {
      position = SpecialBytes.first(in: bytes, from: position, to: count)
      guard position < count else {
        throw JSONError(.unterminatedString, byteOffset: quoteOffset)
      }
      let byte = bytes[position]
      if byte >= 0x80 {
        try skipMultiByteCharacters()
      } else if byte >= 0x20 {
        return
      } else {
        throw JSONError(byte == 0 ? .nullCharacter : .controlCharacter, byteOffset: position)
      }
    }
  }

  /// Skips a run of characters of two to four bytes each, and checks that they are well-formed
  /// according to table 3-7 of the Unicode standard.
  private mutating func skipMultiByteCharacters() throws(JSONError) {
    while position < count && bytes[position] >= 0x80 {
      let lead = bytes[position]
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: throw JSONError(.invalidUTF8, byteOffset: position)
      }
      guard length <= count - position, second.contains(bytes[position + 1]),
        length < 3 || bytes[position + 2] & 0xC0 == 0x80,
        length < 4 || bytes[position + 3] & 0xC0 == 0x80
      else { throw JSONError(.invalidUTF8, byteOffset: position) }
      position += length
    }
  }

  /// Decodes the escape whose backslash is at the position.
  private mutating func decodeEscape() throws(JSONError) {
    guard position + 1 < count else { throw JSONError(.unexpectedEnd, byteOffset: count) }
    let decoded: UInt8
    switch bytes[position + 1] {
    case UInt8(ascii: "\""): decoded = UInt8(ascii: "\"")
    case UInt8(ascii: "\\"): decoded = UInt8(ascii: "\\")
    case UInt8(ascii: "/"): decoded = UInt8(ascii: "/")
    case UInt8(ascii: "b"): decoded = 0x08
    case UInt8(ascii: "f"): decoded = 0x0C
    case UInt8(ascii: "n"): decoded = 0x0A
    case UInt8(ascii: "r"): decoded = 0x0D
    case UInt8(ascii: "t"): decoded = 0x09
    case UInt8(ascii: "u"): return try decodeUnicodeEscape()
    default: throw problem(.invalidEscape)
    }
    decodedText.push(decoded)
    position += 2
  }

  /// Decodes `\uXXXX`, or two of them if they form a surrogate pair.
  private mutating func decodeUnicodeEscape() throws(JSONError) {
    let escapeOffset = position
    var codePoint = try parseHexadecimalEscape()
    if (0xD800...0xDBFF).contains(codePoint) {
      guard position + 1 < count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      else { throw JSONError(.loneSurrogate, byteOffset: escapeOffset) }
      let low = try parseHexadecimalEscape()
      guard (0xDC00...0xDFFF).contains(low) else {
        throw JSONError(.loneSurrogate, byteOffset: escapeOffset)
      }
      codePoint = 0x10000 + (codePoint - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(codePoint) else {
      throw JSONError(.loneSurrogate, byteOffset: escapeOffset)
    }
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      decodedText.push(byte)
    }
  }

  /// Parses the six bytes of `\uXXXX`.
  private mutating func parseHexadecimalEscape() throws(JSONError) -> UInt32 {
    guard position + 6 <= count else { throw problem(.invalidEscape) }
    var value: UInt32 = 0
    for index in 2..<6 {
      let digit: UInt8
      switch bytes[position + index] {
      case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
        digit = byte - UInt8(ascii: "0")
      case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte):
        digit = byte - UInt8(ascii: "a") + 10
      case let byte where (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte):
        digit = byte - UInt8(ascii: "A") + 10
      default: throw problem(.invalidEscape)
      }
      value = value << 4 | UInt32(digit)
    }
    position += 6
    return value
  }
}
