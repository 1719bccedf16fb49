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

  /// Nil where the index can have the text as it is, as it mostly can.
  static func folded(_ text: String) -> String? {
    guard text.utf8.contains(where: { $0 >= 0xC3 }),
      text.unicodeScalars.contains(where: { $0.value >= firstFolded || $0 == sharpS })
    else { return nil }
    var folded = String.UnicodeScalarView()
    for scalar in text._nfd { append(scalar, to: &folded) }
    let result = String(folded)
    return result.hasSameBytes(as: text) ? nil : result
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
    guard scalar.value >= firstFolded || scalar == sharpS else { return folded.append(scalar) }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter where scalar == sharpS || ligatures.contains(scalar):
      folded.append(contentsOf: scalar.properties.uppercaseMapping.lowercased().unicodeScalars)
    case .uppercaseLetter where scalar == capitalSharpS: folded.append(contentsOf: ["s", "s"])
    case .nonspacingMark, .enclosingMark: break
    case .otherSymbol: folded.append(contentsOf: [" ", scalar, " "])
    case .unassigned: folded.append(" ")
    case .modifierSymbol where scalar.value >= firstNew: folded.append(" ")
    case .uppercaseLetter where scalar.value >= firstNewCapital:
      folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    default: folded.append(scalar)
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
