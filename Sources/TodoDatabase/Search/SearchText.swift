import TodoModel

/// What a person typed to search for, as words that the index has.
enum SearchText: Equatable {
  /// Nothing was typed.
  case everything
  /// What was typed holds no word, such as "!?": nothing has it.
  case nothing
  /// All of these have to occur as prefixes. They are letters, digits and marks, so that no word
  /// can end its own quotation. The longest, which are the rarest, come first.
  case words([String])

  /// - Parameter cut: Cuts a text into words as the index does.
  init(
    _ text: String?, cut: (String) throws(TodoError) -> [String]
  ) throws(TodoError) {
    guard let text, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      self = .everything
      return
    }
    // Whatever begins with "milk" begins with "mi": only the longest of such words is looked for,
    // and in the order of their bytes it follows the shorter ones.
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
