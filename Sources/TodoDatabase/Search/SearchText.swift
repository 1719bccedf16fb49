import TodoModel

/// The text of a search, split into words of the index.
enum SearchText: Equatable {
  /// The text is blank.
  case everything
  /// The text contains no words, as in "!?", so nothing matches.
  case nothing
  /// The prefixes that must all match. They contain no quotation marks, so they need no escapes in
  /// a quoted FTS5 string. The longest come first, because long words are rare.
  case words([String])

  /// Splits the text of a search.
  ///
  /// - Parameter cut: Splits a text into words in the same way as the index.
  init(
    _ text: String?, cut: (String) throws(TodoError) -> [String]
  ) throws(TodoError) {
    guard let text, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      self = .everything
      return
    }
    // A word that is a prefix of another one is not searched for: a text that matches "milk" also
    // matches "mi". In byte order, longer words follow their prefixes.
    let sorted = Set(try cut(text)).sorted { Self.isBefore($0, $1) }
    var words: [String] = []
    for word in sorted {
      if let last = words.last, word.utf8.starts(with: last.utf8) { words.removeLast() }
      words.append(word)
    }
    words.sort { $0.utf8.count > $1.utf8.count }
    self = words.isEmpty ? .nothing : .words(words)
  }

  private static func isBefore(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}
