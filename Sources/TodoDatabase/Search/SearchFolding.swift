@_spi(_Unicode) import Swift

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
    for scalar in text.unicodeScalars { append(scalar, to: &folded) }
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
    case .uppercaseLetter where scalar.value >= firstNewCapital:
      folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    default: folded.append(contentsOf: scalar.utf8)
    }
  }

  private static let sharpS: Unicode.Scalar = "ß"
  private static let capitalSharpS: Unicode.Scalar = "ẞ"
  /// Such as "ﬁ", of Latin and Armenian.
  private static let ligatures: ClosedRange<Unicode.Scalar> = "\u{FB00}"..."\u{FB17}"
  /// From here on the tokenizer does not know every capital letter.
  private static let firstNewCapital: UInt32 = 0x1E00
  /// From here on it does not know the colours of emoji.
  private static let firstNew: UInt32 = 0x1_F000
}
