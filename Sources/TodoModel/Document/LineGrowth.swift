/// A test for a line that was edited further after it was saved, in a buffer that was not reloaded.
///
/// The saved line has become a todo or a plain line, but the buffer does not contain its id. The
/// later line counts as a continuation if it contains all words of the saved one in the same order.
/// Treating it as that entry then loses no text.
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

  /// Whether a plain line was continued, and turned into a todo by a check box.
  package static func isGrown(_ content: TodoContent, from earlier: String) -> Bool {
    isGrown(content.asTexts.flatMap(words), from: words(of: earlier))
  }

  private typealias Word = Substring.UTF8View

  /// Whether `words` contains all earlier words in the same order. A single earlier word must be
  /// the first of `words`.
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
