import TodoModel

/// The words of a search, as the index contains them.
enum SearchText: Equatable {
  /// The text is blank.
  case everything
  /// The text contains no words, such as "!?", so that nothing matches.
  case nothing
  /// The prefixes, all of which must match. They consist of letters, digits and marks, so that they
  /// need no escapes within quotation marks. Sorted by length, longest first, because long words
  /// are rare.
  case words([String])

  /// Splits the text of a search.
  ///
  /// - Parameter cut: Splits a text into words as the index does.
  init(
    _ text: String?, cut: (String) throws(TodoError) -> [String]
  ) throws(TodoError) {
    guard let text, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      self = .everything
      return
    }
    // A text that matches "milk" also matches "mi", so only the longest of such words is searched
    // for. In the order of their bytes it follows the shorter ones.
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
