/// A part of a search query: a qualifier such as `label:home`, or a word to search for.
enum QueryWord: Equatable {
  /// A word to search for. A text in quotation marks is one word, and can contain spaces.
  case plain(Substring)
  case qualifier(Qualifier.Name, value: Substring, isNegated: Bool)

  /// Splits a query at its spaces, except those in quotations. A quotation begins with a quotation
  /// mark at the start of a word or in the value of a qualifier. Without a closing quotation mark,
  /// the quotation extends to the end of the query.
  static func words(of text: String) -> [QueryWord] {
    var words: [QueryWord] = []
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    while true {
      while index < scalars.endIndex, scalars[index].properties.isWhitespace {
        index = scalars.index(after: index)
      }
      guard index < scalars.endIndex else { return words }
      words.append(word(of: text, at: &index))
    }
  }

  private static func word(of text: String, at index: inout String.Index) -> QueryWord {
    let scalars = text.unicodeScalars
    let start = index
    let isNegated = scalars[index] == "-"
    var value = isNegated ? scalars.index(after: index) : index
    let isQuoted = value < scalars.endIndex && scalars[value] == "\""
    let name = isQuoted ? nil : qualifierName(of: text, before: &value)
    index = end(of: scalars, from: value, allowsQuotation: isQuoted || name != nil)
    guard let name else { return .plain(text[start..<index]) }
    return .qualifier(name, value: text[value..<index], isNegated: isNegated)
  }

  /// Parses the name of a qualifier and the colon after it, and moves the index past the colon.
  ///
  /// - Returns: `nil` if no known name with a colon begins at the index.
  private static func qualifierName(
    of text: String, before index: inout String.Index
  ) -> Qualifier.Name? {
    let bytes = text.utf8
    guard
      let colon = bytes[index...].prefix(Qualifier.Name.bytesMax + 1).firstIndex(
        of: UInt8(ascii: ":")),
      let name = Qualifier.Name(rawValue: text[index..<colon].lowercased())
    else { return nil }
    index = bytes.index(after: colon)
    return name
  }

  private static func end(
    of scalars: String.UnicodeScalarView, from start: String.Index, allowsQuotation: Bool
  ) -> String.Index {
    var index = start
    var isInQuotation = false
    while index < scalars.endIndex, isInQuotation || !scalars[index].properties.isWhitespace {
      if allowsQuotation, scalars[index] == "\"" { isInQuotation.toggle() }
      index = scalars.index(after: index)
    }
    return index
  }
}

extension Qualifier {
  /// The names of the qualifiers. If another name precedes a colon, the word is not a qualifier but
  /// a word to search for.
  enum Name: String, CaseIterable {
    case `is`, label, no, due, priority, number, assignee, milestone, comments

    /// The length of the longest name, in bytes.
    static let bytesMax = 9
  }
}
