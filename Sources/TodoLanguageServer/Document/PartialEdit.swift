/// An edit whose replacements the client applies one by one, the last one first, with a change
/// notification for each, as lsp-mode does.
struct PartialEdit: Sendable {
  /// The text to which the edit is applied.
  let base: BufferText
  private let edits: [TextReplacement]
  private var text: BufferText
  private var count = 0

  init(_ edits: [TextReplacement], from base: BufferText) {
    (self.edits, self.base, text) = (edits, base, base)
  }

  var isWhole: Bool { count == edits.count }

  private var nextEdit: TextReplacement? {
    let index = edits.count - 1 - count
    return edits.indices.contains(index) ? edits[index] : nil
  }

  /// Returns the state after one more replacement; `nil` if its result is not the given text.
  func next(giving new: BufferText) -> PartialEdit? {
    var next = self
    next.skip()
    guard let edit = next.nextEdit,
      new.bytes.count == text.bytes.count + edit.text.count - edit.range.count
    else { return nil }
    next.text = text.replacing([edit])
    next.count += 1
    next.skip()
    return next.text == new ? next : nil
  }

  /// Skips replacements that change nothing, for which clients send no change.
  private mutating func skip() {
    while let edit = nextEdit, text.bytes[edit.range].elementsEqual(edit.text) { count += 1 }
  }
}
