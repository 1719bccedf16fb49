/// What a position in a line is counted in.
enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"

  /// What both sides can: bytes where the client offers them, else what everybody has to know.
  init(offered: [String]) {
    self = offered.contains(PositionEncoding.utf8.rawValue) ? .utf8 : .utf16
  }

  /// Where in some bytes so many units have passed; their end where there are not so many. Never in
  /// the middle of a character.
  func offset(of count: Int, in bytes: ArraySlice<UInt8>) -> Int {
    guard count > 0 else { return bytes.startIndex }
    var index = bytes.startIndex
    switch self {
    case .utf8:
      guard count < bytes.count else { return bytes.endIndex }
      index += count
      while index > bytes.startIndex, Byte.isContinuation(bytes[index]) { index -= 1 }
    case .utf16:
      var left = count
      while index < bytes.endIndex {
        let units = Self.utf16Count(bytes[index])
        guard units <= left else { break }
        left -= units
        index += 1
        while index < bytes.endIndex, Byte.isContinuation(bytes[index]) { index += 1 }
        if left == 0 { break }
      }
    }
    return index
  }

  /// How many units some bytes are.
  func count(of bytes: ArraySlice<UInt8>) -> Int {
    switch self {
    case .utf8: bytes.count
    case .utf16: bytes.reduce(0) { $0 + Self.utf16Count($1) }
    }
  }

  /// How many units a character has that begins with a byte; none for one that goes on.
  private static func utf16Count(_ byte: UInt8) -> Int {
    if Byte.isContinuation(byte) { return 0 }
    return byte >= 0xF0 ? 2 : 1
  }
}
