/// Edits of ours that an editor applies one after the other, the last one first, and says each, as
/// lsp-mode does.
struct PartialPush: Sendable {
  /// The text that they are applied to.
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

  /// With one edit more, if that gives a text.
  func next(giving new: BufferText) -> PartialPush? {
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

  /// Nobody says an edit that changes nothing where it is applied.
  private mutating func skip() {
    while let edit = nextEdit, text.bytes[edit.range].elementsEqual(edit.text) { count += 1 }
  }
}
