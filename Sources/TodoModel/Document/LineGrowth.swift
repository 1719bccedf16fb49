/// A line that somebody went on typing, in a buffer that was saved before and not read again.
///
/// What was saved first has become a todo or a text, of which the buffer does not know. The line is
/// that one, longer, where it has all of its words in their order: so nothing is lost by taking it
/// for that, whoever has typed it.
///
///     LineGrowth.isGrown("Buy oat milk", from: "Buy milk")  // true
package enum LineGrowth {
  package static func isGrown(_ content: TodoContent, from earlier: TodoContent) -> Bool {
    isGrown(
      words(of: content.title) + words(of: content.note),
      from: words(of: earlier.title) + words(of: earlier.note))
  }

  package static func isGrown(_ text: String, from earlier: String) -> Bool {
    isGrown(words(of: text), from: words(of: earlier))
  }

  /// A line of text that has got a check box, and so is a todo.
  package static func isGrown(_ content: TodoContent, from earlier: String) -> Bool {
    isGrown(content.asTexts.flatMap(words), from: words(of: earlier))
  }

  private typealias Word = Substring.UTF8View

  /// One word alone is a beginning only where it stands at the beginning.
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
