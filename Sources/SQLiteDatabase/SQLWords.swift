/// The tokens of an SQL statement, without whitespace, comments, and the quotes around plain names.
struct SQLWords: Equatable {
  /// The tokens, without the final `;`. Each is followed by a NUL, which no statement contains.
  private(set) var bytes: [UInt8] = []

  init(of sql: String) {
    var sql = sql
    sql.withUTF8 { text in
      bytes.reserveCapacity(text.count)
      var place = 0
      while place < text.count { add(text, at: &place) }
    }
    if bytes.suffix(2) == [UInt8(ascii: ";"), 0] { bytes.removeLast(2) }
  }

  /// Returns the first `count` tokens.
  func first(_ count: Int) -> [String] {
    bytes.split(separator: 0, maxSplits: count).prefix(count)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Adds the token that starts at the position, if any, and advances the position past it.
  private mutating func add(_ text: UnsafeBufferPointer<UInt8>, at place: inout Int) {
    let first = text[place]
    let second = place + 1 < text.count ? text[place + 1] : 0
    switch (first, second) {
    case (0x09...0x0D, _), (0x20, _): place += 1
    case (UInt8(ascii: "-"), UInt8(ascii: "-")):
      while place < text.count, text[place] != 0x0A { place += 1 }
    case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipComment(text, at: &place)
    case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _), (UInt8(ascii: "`"), _):
      addQuoted(text, at: &place)
    default:
      repeat {
        bytes.append(text[place])
        place += 1
      } while place < text.count && Self.isPart(text[place]) && Self.isPart(first)
      bytes.append(0)
    }
  }

  private func skipComment(_ text: UnsafeBufferPointer<UInt8>, at place: inout Int) {
    place += 2
    while place < text.count {
      place += 1
      if text[place - 1] == UInt8(ascii: "*"), place < text.count,
        text[place] == UInt8(ascii: "/")
      {
        place += 1
        return
      }
    }
  }

  /// Adds a string or a quoted name. A name that needs no quotes is added without them.
  private mutating func addQuoted(_ text: UnsafeBufferPointer<UInt8>, at place: inout Int) {
    let quote = text[place]
    let start = bytes.count
    bytes.append(quote)
    place += 1
    while place < text.count {
      let byte = text[place]
      place += 1
      if byte == quote {
        // A doubled quote is part of the text.
        guard place < text.count, text[place] == quote else { break }
        place += 1
      }
      bytes.append(byte)
    }
    let inside = bytes[(start + 1)...]
    if quote != UInt8(ascii: "'"), !inside.isEmpty, inside.allSatisfy(Self.isPart) {
      bytes.remove(at: start)
    } else {
      bytes.append(quote)
    }
    bytes.append(0)
  }

  /// Whether a byte can be part of an unquoted token.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...0xFF: true
    default: false
    }
  }
}
