import SQLiteDatabase
@_spi(_Unicode) import Swift
import TodoModel

/// What the search index is given in place of a text whose accents its tokenizer cannot take off.
///
/// SQLite's tokenizer knows the accents of Latin letters only. Elsewhere (Greek, Cyrillic, Hebrew,
/// kana, ...) the marks are taken off here. It also takes characters that it is too old to know for
/// letters: most emoji of today. Here each emoji becomes a word of its own, whatever its colour.
/// And a letter that is several in capitals becomes those: "straße" is "STRASSE".
///
/// The result is kept beside the text, because the index has to be told the same when the text is
/// taken out of it again.
enum SearchFolding {
  /// Below this the tokenizer does it by itself.
  private static let firstFolded: UInt32 = 0x180
  /// None of these is decomposed, and there may be many of them.
  private static let emoji: Range<UInt32> = 0x1_F000..<0x2_0000

  /// Nil where the index can have the text as it is, as it mostly can.
  static func folded(_ text: String) -> String? {
    guard text.utf8.contains(where: { $0 >= 0xC3 }),
      text.unicodeScalars.contains(where: { $0.value >= firstFolded || $0 == sharpS })
    else { return nil }
    // Bytes, not scalars: more than one scalar at a time is appended to those by copying them all.
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    // The last character of what is written without spaces.
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

  /// Appends what the index is given in place of one scalar. Each is decomposed by itself: the
  /// order of its marks does not matter, and to sort thousands of them takes minutes.
  static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case ..<0x80: folded.append(UInt8(truncatingIfNeeded: scalar.value))
    case emoji: append(part: scalar, to: &folded)
    default: for part in String(scalar)._nfd { append(part: part, to: &folded) }
    }
  }

  /// Chinese and Japanese put no spaces between words, so each two neighbouring characters are a
  /// word, and the last one by itself: what is found are all parts of a text, not only beginnings.
  private static func append(_ pair: [Unicode.Scalar], to folded: inout [UInt8]) {
    folded.append(UInt8(ascii: " "))
    for scalar in pair { folded.append(contentsOf: scalar.utf8) }
    folded.append(UInt8(ascii: " "))
  }

  /// A character of Han, Hiragana or Katakana, without its mark; nil for any other.
  private static func writtenWithoutSpaces(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF,
      0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D,
      0x2_0000...0x3_FFFD:
      // Such as "が", which is "か" and a mark.
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
    // The tokenizer is older than the small letters of Cherokee, and than the capitals of Georgian.
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
  /// Such as "ﬁ", of Latin and Armenian.
  private static let ligatures: ClosedRange<Unicode.Scalar> = "\u{FB00}"..."\u{FB17}"
  private static let cherokee: [ClosedRange<Unicode.Scalar>] = [
    "\u{13F8}"..."\u{13FD}", "\u{AB70}"..."\u{ABBF}",
  ]
  private static let cherokeeCapitals: ClosedRange<Unicode.Scalar> = "\u{13A0}"..."\u{13F5}"
  private static let georgianCapitals: ClosedRange<Unicode.Scalar> = "\u{1C90}"..."\u{1CBF}"
  /// From here on the tokenizer does not know every capital letter.
  private static let firstNewCapital: UInt32 = 0x1E00
  /// From here on it does not know the colours of emoji.
  private static let firstNew: UInt32 = 0x1_F000

  /// Folds everything that a file has, a few at a time: all notes at once could be more than memory
  /// holds.
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
