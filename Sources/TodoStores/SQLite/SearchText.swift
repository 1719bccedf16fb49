/// What a person typed to search for, as words that the index understands.
enum SearchText: Equatable {
  /// Nothing was typed.
  case everything
  /// What was typed holds no word, such as "!?": nothing has it.
  case nothing
  /// An expression in the index's own language.
  case match(String)

  /// Each word becomes a quoted prefix, so that nothing a person types is taken for an operator.
  init(_ text: String?) {
    guard let text, text.contains(where: { !$0.isWhitespace }) else {
      self = .everything
      return
    }
    var words: [String] = []
    var seen: Set<String> = []
    for piece in text.unicodeScalars.split(whereSeparator: { !Self.isPartOfWord($0) }) {
      let word = String(piece)
      if seen.insert(word).inserted { words.append(word) }
    }
    self = words.isEmpty ? .nothing : .match(words.map { "\"\($0)\"*" }.joined(separator: " AND "))
  }

  /// Letters and digits, as the index's tokenizer has them, and the marks that combine with them.
  /// A quote is none of these, so no word can end its own quotation.
  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .privateUse:
      true
    default:
      false
    }
  }
}
