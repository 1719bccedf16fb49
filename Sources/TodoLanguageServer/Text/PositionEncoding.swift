/// The unit of a position in a line.
enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf32 = "utf-32"
  case utf16 = "utf-16"

  /// Selects UTF-8 if the client offers it, otherwise UTF-32, otherwise UTF-16, which every client
  /// supports. UTF-32 is also right for lsp-mode 9: it offers `utf-32` and `utf-16`, but counts
  /// characters, as in UTF-32, with either of them.
  init(offered: [String]) {
    self = Self.allCases.first { offered.contains($0.rawValue) } ?? .utf16
  }

  /// Returns the index after a number of units; the end if the bytes contain fewer units. The index
  /// is never within a character.
  func offset(of count: Int, in bytes: ArraySlice<UInt8>) -> Int {
    guard count > 0 else { return bytes.startIndex }
    var index = bytes.startIndex
    switch self {
    case .utf8:
      guard count < bytes.count else { return bytes.endIndex }
      index += count
      while index > bytes.startIndex, Byte.isContinuation(bytes[index]) { index -= 1 }
    case .utf16, .utf32:
      var left = count
      while index < bytes.endIndex {
        let units = self.count(of: bytes[index])
        guard units <= left else { break }
        left -= units
        index += 1
        while index < bytes.endIndex, Byte.isContinuation(bytes[index]) { index += 1 }
        if left == 0 { break }
      }
    }
    return index
  }

  /// Returns the number of units in some bytes.
  func count(of bytes: ArraySlice<UInt8>) -> Int {
    self == .utf8 ? bytes.count : bytes.reduce(0) { $0 + count(of: $1) }
  }

  /// Returns the number of UTF-16 or UTF-32 units of the character that begins with a byte; 0 for a
  /// continuation byte.
  private func count(of byte: UInt8) -> Int {
    switch self {
    case .utf8: 1
    case .utf32: Byte.isContinuation(byte) ? 0 : 1
    case .utf16: Byte.isContinuation(byte) ? 0 : byte >= 0xF0 ? 2 : 1
    }
  }
}
