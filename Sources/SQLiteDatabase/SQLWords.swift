/// What SQL says, whatever its white space, its comments, and the quotes round plain names.
enum SQLWords {
  /// The words of one statement, without the `;` at its end.
  static func words(of sql: String) -> [String] {
    var words: [String] = []
    var rest = Substring(sql).utf8
    while let word = next(&rest) { words.append(word) }
    if words.last == ";" { words.removeLast() }
    return words
  }

  /// The words of each statement of a script of `CREATE`s.
  static func statements(of script: String) -> [[String]] {
    var statements: [[String]] = []
    for word in words(of: script) {
      // No statement has this word inside.
      if word == "CREATE" { statements.append([]) }
      if !statements.isEmpty { statements[statements.count - 1].append(word) }
    }
    return statements.map { $0.last == ";" ? $0.dropLast() : $0 }
  }

  /// Nil at the end.
  private static func next(_ rest: inout Substring.UTF8View) -> String? {
    while let first = rest.first {
      switch first {
      case 0x09...0x0D, 0x20: rest.removeFirst()
      case UInt8(ascii: "-") where rest.dropFirst().first == first:
        rest = rest.drop { $0 != 0x0A }
      case UInt8(ascii: "/") where rest.dropFirst().first == UInt8(ascii: "*"):
        skipComment(&rest)
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(first, &rest)
      default:
        let word = rest.prefix(while: isWord)
        let taken = word.isEmpty ? rest.prefix(1) : word
        rest = rest.dropFirst(taken.count)
        return String(decoding: taken, as: UTF8.self)
      }
    }
    return nil
  }

  private static func skipComment(_ rest: inout Substring.UTF8View) {
    rest = rest.dropFirst(2)
    while let first = rest.first {
      rest.removeFirst()
      if first == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") {
        rest.removeFirst()
        return
      }
    }
  }

  /// A text, or a name in quotes; one that needs none is without them.
  private static func quoted(_ quote: UInt8, _ rest: inout Substring.UTF8View) -> String {
    rest.removeFirst()
    var inside: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote {
        // Twice, it is part of the text.
        guard rest.first == quote else { break }
        rest.removeFirst()
      }
      inside.append(byte)
    }
    let isPlainName = quote != UInt8(ascii: "'") && !inside.isEmpty && inside.allSatisfy(isWord)
    let text = String(decoding: inside, as: UTF8.self)
    let mark = String(Unicode.Scalar(quote))
    return isPlainName ? text : mark + text + mark
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...0xFF: true
    default: false
    }
  }
}
