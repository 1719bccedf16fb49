import Foundation
import TodoModel

/// A reference implementation of the search: every word of the input is the prefix of a word of the
/// title or the note, without regard to case or accents.
struct SearchOracle {
  /// The distinct words of a title and of a note.
  typealias Words = [Set<[Unicode.Scalar]>]

  /// The cached words of texts, by their bytes.
  private var knownWords: [[UInt8]: Set<[Unicode.Scalar]>] = [:]

  mutating func words(of content: TodoContent) -> Words {
    [content.title, content.note].map { text in
      let bytes = Array(text.utf8)
      if let known = knownWords[bytes] { return known }
      let words = Set(Self.words(of: text))
      knownWords[bytes] = words
      return words
    }
  }

  /// Returns a function that tells whether a search matches a todo with these words.
  static func search(for typed: String) -> (Words) -> Bool {
    if typed.allSatisfy(\.isWhitespace) { return { _ in true } }
    let wanted = Set(words(of: typed))
    return { texts in
      !wanted.isEmpty
        && wanted.allSatisfy { prefix in
          texts.contains { words in words.contains { $0.starts(with: prefix) } }
        }
    }
  }

  /// Returns the words of letters, digits and marks in lower case, and each emoji as a word.
  static func words(of text: String) -> [[Unicode.Scalar]] {
    var lower = ""
    for scalar in text.unicodeScalars {
      let capitals = scalar == "ẞ" ? "SS" : scalar.properties.uppercaseMapping
      let isSeveral =
        capitals.decomposedStringWithCanonicalMapping.unicodeScalars.count {
          $0.properties.isAlphabetic
        } > 1
      lower += isSeveral ? capitals.lowercased() : scalar.properties.lowercaseMapping
    }
    var words: [[Unicode.Scalar]] = [[]]
    for scalar in lower.decomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: break
      case .otherSymbol where scalar.value > 0xFF: words += [[scalar], []]
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .spacingMark, .privateUse:
        words[words.count - 1].append(otherForms[scalar] ?? scalar)
      default: words.append([])
      }
    }
    return words.filter { !$0.isEmpty }.flatMap(parts)
  }

  /// Splits Han and kana, which have no spaces: each pair of neighbours is a word, and so is the
  /// last character.
  private static func parts(of word: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    func isHanOrKana(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isIdeographic || "ー々".unicodeScalars.contains(scalar)
        || [0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF]
          .contains { $0.contains(scalar.value) }
        || (0xFF66...0xFF9D).contains(scalar.value)
    }
    var parts: [[Unicode.Scalar]] = [[]]
    for (index, scalar) in word.enumerated() {
      if isHanOrKana(scalar) {
        let next = index + 1 < word.count ? word[index + 1] : nil
        parts += [next.map { isHanOrKana($0) ? [scalar, $0] : [scalar] } ?? [scalar], []]
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    return parts.filter { !$0.isEmpty }
  }

  /// Letters with another form at the end of a word.
  private static let otherForms: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{3C2}": "\u{3C3}", "\u{17F}": "s",
  ]
}

extension RandomTexts {
  private static let strangePieces = [
    "Ἀθήνα", "ΑΘΗΝΑ", "αθηνα", "Σίσυφος", "йод", "ИОД", "Ёлка", "ёж", "שָׁלוֹם", "שלום", "हिन्दी", "ไทย",
    "がぎ", "かき", "한국어", "한", "Ấn", "ấn", "AN", "z\u{336}a\u{35F}lgo\u{20DD}", "zalgo", "ø", "Ł", "œ",
    "ſ",
    "1️⃣", "½", "٣", "❤️", "👍🏽", "🇩🇪x", "\r\n", "\u{301}", "\u{301}a", "ﾊﾟ", "Ǆ", "ẞ", "Straße",
    "STRASSE", "ﬁn", "FIN", "\u{1E9B}", "K",
  ]

  /// Returns words of many scripts with marks, sometimes as a large note.
  mutating func strangeText() -> String {
    let separators = [" ", "\r\n", "\n", "-", ".", "", "\u{200B}", "👩‍👩‍👧‍👦"]
    var text = ""
    for _ in 0..<below(8) {
      text += (pick(flag() ? Self.strangePieces : Self.pieces) ?? "") + (pick(separators) ?? "")
    }
    return below(100) == 0 ? String(repeating: "lorem\r\n", count: 20_000) + text : text
  }

  /// Returns the prefixes of some words, as a user would type them.
  mutating func typed() -> String {
    var words: [String] = []
    for _ in 0...below(3) {
      let word = pick(flag() ? Self.strangePieces : Self.pieces) ?? ""
      let scalars = Array(word.unicodeScalars)
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars.prefix(1 + below(max(1, scalars.count))))
      let start = String(view)
      words.append(flag() ? start : flag() ? start.uppercased() : start.lowercased())
    }
    return words.joined(separator: flag() ? " " : "\r\n")
  }
}
