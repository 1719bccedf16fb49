import SQLiteDatabase
@_spi(_Unicode) import Swift
import TodoModel

/// The folding of texts for the search index, before SQLite's tokenizer folds them.
///
/// SQLite's tokenizer removes accents from Latin letters only. This type removes the accents of all
/// other scripts (Greek, Cyrillic, Hebrew, kana and so on). The tokenizer also treats characters
/// that are newer than itself, such as most emoji, as letters. This type makes each emoji a
/// separate word, regardless of its skin tone. It also replaces "ß" and the ligatures, such as "ﬁ",
/// with their letters: "straße" becomes "strasse".
///
/// The folded text is stored beside the original text, because removing a text from the index
/// requires the same words as adding it.
enum SearchFolding {
  /// The first character of the range that this type folds. Of the characters before it, this type
  /// folds only "ß", and leaves the others to the tokenizer.
  private static let firstFolded: UInt32 = 0x180
  /// The range of most emoji. They have no decomposition, so decomposing them is skipped, which
  /// saves time in a text with many emoji.
  private static let emoji: Range<UInt32> = 0x1_F000..<0x2_0000

  /// Returns the folded text; `nil` if folding does not change it, which is the usual case.
  static func folded(_ text: String) -> String? {
    guard !text.isASCII, text.utf8.contains(where: { $0 >= 0xC3 }),
      text.unicodeScalars.contains(where: { $0.value >= firstFolded || $0 == sharpS })
    else { return nil }
    // Bytes are used instead of scalars, because appending several scalars to a string copies them.
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    // The last character, if its script is written without spaces between words.
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if let part = writtenWithoutSpaces(scalar) {
        if let last { append([last, part], to: &folded) }
        last = part
      } else if last == nil || !isMark(scalar) {
        if let last { append([last], to: &folded) }
        last = nil
        append(scalar, to: &folded)
      }
    }
    if let last { append([last], to: &folded) }
    let isSame = folded.count == text.utf8.count && text.utf8.elementsEqual(folded)
    return isSame ? nil : String(decoding: folded, as: UTF8.self)
  }

  /// Appends the folded form of one scalar. Each scalar is decomposed separately, so that combining
  /// marks are not sorted. Their order does not matter, and sorting thousands of them takes
  /// minutes.
  static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case ..<0x80: folded.append(UInt8(truncatingIfNeeded: scalar.value))
    case emoji: append(part: scalar, to: &folded)
    default: for part in String(scalar)._nfd { append(part: part, to: &folded) }
    }
  }

  /// Appends one or two adjacent characters as a word. Chinese and Japanese have no spaces between
  /// words. Therefore, each pair of neighbors becomes a word, and so does the last character on its
  /// own. A search then finds any part of a text.
  private static func append(_ pair: [Unicode.Scalar], to folded: inout [UInt8]) {
    folded.append(UInt8(ascii: " "))
    for scalar in pair { folded.append(contentsOf: scalar.utf8) }
    folded.append(UInt8(ascii: " "))
  }

  /// Returns the character without its voicing mark if its script is written without spaces between
  /// words (Han, Hiragana or Katakana); `nil` for a character of another script.
  private static func writtenWithoutSpaces(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF,
      0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D,
      0x2_0000...0x3_FFFD:
      // Decomposes characters such as "が" into "か" and a mark.
      String(scalar)._nfd.first { _ in true }
    default: nil
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
  }

  private static func append(part scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    guard scalar.value >= firstFolded || scalar == sharpS else {
      return folded.append(contentsOf: scalar.utf8)
    }
    let space = UInt8(ascii: " ")
    switch scalar.properties.generalCategory {
    case .lowercaseLetter where scalar == sharpS || ligatures.contains(scalar):
      folded.append(contentsOf: scalar.properties.uppercaseMapping.lowercased().utf8)
    case .uppercaseLetter where scalar == capitalSharpS: folded.append(contentsOf: "ss".utf8)
    case .nonspacingMark, .enclosingMark: break
    case .otherSymbol:
      folded.append(space)
      folded.append(contentsOf: scalar.utf8)
      folded.append(space)
    case .unassigned: folded.append(space)
    case .modifierSymbol where scalar.value >= firstNew: folded.append(space)
    // The tokenizer does not recognize the small letters of Cherokee and the capital letters of
    // Georgian.
    case .lowercaseLetter where cherokee.contains(where: { $0.contains(scalar) }):
      folded.append(contentsOf: scalar.properties.uppercaseMapping.utf8)
    case .uppercaseLetter where cherokeeCapitals.contains(scalar):
      folded.append(contentsOf: scalar.utf8)
    case .uppercaseLetter where georgianCapitals.contains(scalar):
      folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    case .uppercaseLetter where scalar.value >= firstNewCapital:
      folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    default: folded.append(contentsOf: scalar.utf8)
    }
  }

  private static let sharpS: Unicode.Scalar = "ß"
  private static let capitalSharpS: Unicode.Scalar = "ẞ"
  /// The ligatures of Latin and Armenian letters, such as "ﬁ".
  private static let ligatures: ClosedRange<Unicode.Scalar> = "\u{FB00}"..."\u{FB17}"
  private static let cherokee: [ClosedRange<Unicode.Scalar>] = [
    "\u{13F8}"..."\u{13FD}", "\u{AB70}"..."\u{ABBF}",
  ]
  private static let cherokeeCapitals: ClosedRange<Unicode.Scalar> = "\u{13A0}"..."\u{13F5}"
  private static let georgianCapitals: ClosedRange<Unicode.Scalar> = "\u{1C90}"..."\u{1CBF}"
  /// The first character of the range in which the tokenizer does not recognize all capital
  /// letters.
  private static let firstNewCapital: UInt32 = 0x1E00
  /// The first character of the range in which the tokenizer does not recognize the modifiers of
  /// emoji.
  private static let firstNew: UInt32 = 0x1_F000

  /// Folds all texts of a database in batches, because all notes together may not fit into memory.
  static func foldAll(over connection: Connection) throws(TodoError) {
    for (table, key, text, folded) in [
      ("todo", "id", "title", "search_title"), ("note", "todo", "text", "search"),
    ] {
      let select = Statement(
        "SELECT \(key), \(text) FROM \(table) WHERE \(key) > ? ORDER BY \(key) LIMIT 100",
        on: connection)
      let update = Statement("UPDATE \(table) SET \(folded) = ? WHERE \(key) = ?", on: connection)
      var last = Int64.min
      while true {
        let texts = try select.all(.integer(last)) { row in
          (row: row.integer(0), folded: Self.folded(row.text(1)))
        }
        guard let end = texts.last else { break }
        for text in texts { try update.run(SQLValue(text.folded), .integer(text.row)) }
        last = end.row
      }
    }
  }
}
