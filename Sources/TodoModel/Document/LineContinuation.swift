/// A test for whether a line of a document continues a line of an earlier save.
///
/// After a save, an editor that does not reload the file still shows the new line without the id of
/// its todo. If the user continues typing and saves again, the line must change that todo, and not
/// add another one. A line counts as a continuation if it contains all words of the saved line in
/// the same order.
///
///     LineContinuation.isGrown("Buy oat milk", from: "Buy milk")  // true
package enum LineContinuation {
  package static func isGrown(_ content: TodoContent, from earlier: TodoContent) -> Bool {
    isGrown(
      words(of: content.title) + words(of: content.note),
      from: words(of: earlier.title) + words(of: earlier.note))
  }

  package static func isGrown(_ text: String, from earlier: String) -> Bool {
    isGrown(words(of: text), from: words(of: earlier))
  }

  /// Returns whether the line of a todo can continue a plain line of an earlier save. The user has
  /// then added a check box to the plain line, and perhaps more words.
  package static func isGrown(_ content: TodoContent, from earlier: String) -> Bool {
    isGrown(content.plainLines.flatMap(words), from: words(of: earlier))
  }

  private typealias Word = Substring.UTF8View

  /// Returns whether `words` contains all words of `earlier` in the same order. If `earlier` is a
  /// single word, `words` must begin with it.
  private static func isGrown(_ words: [Word], from earlier: [Word]) -> Bool {
    guard let first = earlier.first, earlier.count > 1 || words.first?.elementsEqual(first) == true
    else { return false }
    var rest = words[...]
    return earlier.allSatisfy { word in
      while let next = rest.popFirst() { if next.elementsEqual(word) { return true } }
      return false
    }
  }

  private static func words(of text: String) -> [Word] {
    text.utf8.split { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
  }
}
