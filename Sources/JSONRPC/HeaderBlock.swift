import System

/// The header of one frame, parsed line by line.
///
/// Names are case-insensitive, as in HTTP. Only `Content-Length`, which is required, and the
/// character set in `Content-Type` have a meaning.
struct HeaderBlock {
  static let lengthMissing = "the header has no Content-Length"

  private static let lengthName = Array("content-length".utf8)
  private static let typeName = Array("content-type".utf8)

  /// The size of the lines so far, including their line feeds.
  private(set) var byteCount = 0

  /// The first error found.
  private(set) var problem: String?

  /// Whether the `Content-Length` follows bytes that are not a header.
  ///
  /// This happens after a frame whose length is wrong or missing: the rest of its body, which does
  /// not end with a line feed, precedes the next header on the same line.
  private(set) var isAfterGarbage = false

  private var length: Int?
  private var hasBadLength = false

  var isEmpty: Bool { byteCount == 0 }

  /// The length of the body; `nil` if it is missing or invalid.
  var byteCountOfBody: Int? { hasBadLength ? nil : length }

  /// Parses a line that is not blank, without its line feed.
  mutating func parse(line: ArraySlice<UInt8>) {
    byteCount += line.count + 1
    if length == nil, !hasBadLength, let fastPath = Self.fastPathLength(line) {
      length = fastPath
      return
    }
    let text = trim(line)
    guard line.startIndex == text.startIndex, let colon = text.firstIndex(of: UInt8(ascii: ":")),
      isToken(text[..<colon])
    else {
      skipGarbage(text)
      return
    }
    let value = trim(text[(colon + 1)...])
    if isSame(text[..<colon], Self.lengthName) {
      parseLength(value)
    } else if isSame(text[..<colon], Self.typeName) {
      parseType(value)
    }
  }

  /// Returns the length in a line of the usual form `Content-Length: N\r`; `nil` for any other
  /// line.
  private static func fastPathLength(_ line: ArraySlice<UInt8>) -> Int? {
    line.withUnsafeBytes { bytes in
      let name: StaticString = "Content-Length: "
      let start = name.utf8CodeUnitCount
      // Up to nine digits and a carriage return: no overflow, and no blank at the end.
      guard let base = bytes.baseAddress, bytes.count > start + 1, bytes.count <= start + 10,
        bytes[bytes.count - 1] == UInt8(ascii: "\r"), memcmp(base, name.utf8Start, start) == 0
      else { return nil }
      var length = 0
      for byte in bytes[start..<bytes.count - 1] {
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        length = length * 10 + Int(digit)
      }
      return length
    }
  }

  private mutating func parseLength(_ value: ArraySlice<UInt8>) {
    guard let newLength = decimal(value) else {
      hasBadLength = true
      record("Content-Length is not a valid decimal number")
      return
    }
    if let length, length != newLength {
      hasBadLength = true
      record("the header has two Content-Lengths that differ")
    }
    length = newLength
  }

  private mutating func parseType(_ value: ArraySlice<UInt8>) {
    for parameter in value.split(separator: UInt8(ascii: ";")).dropFirst() {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")),
        isSame(trim(parameter[..<equals]), Array("charset".utf8))
      else { continue }
      let name = trim(parameter[(equals + 1)...]).filter { $0 != UInt8(ascii: "\"") }[...]
      if !isSame(name, Array("utf-8".utf8)) && !isSame(name, Array("utf8".utf8)) {
        record("the character set in Content-Type is not utf-8")
      }
    }
  }

  /// Handles a line that is not a header field. If the line ends with a `Content-Length`, the block
  /// starts again with that field; otherwise an error is recorded.
  private mutating func skipGarbage(_ text: ArraySlice<UInt8>) {
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")),
      let newLength = decimal(trim(text[(colon + 1)...])),
      isSame(text[..<colon].suffix(Self.lengthName.count), Self.lengthName)
    else {
      record("the header has a line that is not `Name: value`")
      return
    }
    self = HeaderBlock(byteCount: byteCount, isAfterGarbage: true, length: newLength)
  }

  private mutating func record(_ newProblem: String) {
    problem = problem ?? newProblem
  }
}

extension HeaderBlock {
  private init(byteCount: Int, isAfterGarbage: Bool, length: Int) {
    self.byteCount = byteCount
    self.isAfterGarbage = isAfterGarbage
    self.length = length
  }
}

/// Returns the text without whitespace at its start and end.
private func trim(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let isTrimmed = { (byte: UInt8) in isBlank(byte) || isLineEnd(byte) }
  guard let first = text.firstIndex(where: { !isTrimmed($0) }),
    let last = text.lastIndex(where: { !isTrimmed($0) })
  else { return [] }
  return text[first...last]
}

/// Whether two texts are equal apart from the case of ASCII letters; `lowercased` must be in lower
/// case.
private func isSame(_ text: ArraySlice<UInt8>, _ lowercased: [UInt8]) -> Bool {
  text.count == lowercased.count
    && zip(text, lowercased).allSatisfy { byte, expected in
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      return (isCapital ? byte | 0x20 : byte) == expected
    }
}

/// Whether the text is a valid header name (a token of RFC 9110).
private func isToken(_ text: ArraySlice<UInt8>) -> Bool {
  !text.isEmpty
    && text.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default:
        "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
}

/// Returns the value of a sequence of decimal digits; `nil` for any other text and on overflow.
private func decimal(_ text: ArraySlice<UInt8>) -> Int? {
  guard !text.isEmpty else { return nil }
  var value = 0
  for byte in text {
    let digit = byte &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, sumOverflow) = product.addingReportingOverflow(Int(digit))
    guard !productOverflow && !sumOverflow else { return nil }
    value = sum
  }
  return value
}
