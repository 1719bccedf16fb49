extension String {
  /// Returns the text with CR LF line ends if all line ends of `stored` are CR LF; otherwise the
  /// unchanged text.
  package func withLineEnds(of stored: String) -> String {
    guard stored.hasOnlyCRLF else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == UInt8(ascii: "\n"), bytes.last != UInt8(ascii: "\r") {
        bytes.append(UInt8(ascii: "\r"))
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns this text, followed by `text` on a new line.
  func appendingLine(_ text: String) -> String {
    let last = utf8.last
    let hasEnd = last == nil || last == UInt8(ascii: "\n")
    return self + ((hasEnd ? "" : "\n") + text).withLineEnds(of: self)
  }

  /// The text with each CR LF replaced by LF.
  package var withLF: String {
    guard utf8.contains(UInt8(ascii: "\r")) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the text has line ends, and all of them are CR LF.
  var hasOnlyCRLF: Bool {
    var hasLineEnd = false
    var last: UInt8 = 0
    for byte in utf8 {
      if byte == UInt8(ascii: "\n") {
        if last != UInt8(ascii: "\r") { return false }
        hasLineEnd = true
      }
      last = byte
    }
    return hasLineEnd
  }
}
