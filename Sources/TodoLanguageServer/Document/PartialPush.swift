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

  /// With one edit more, if that gives a text.
  func next(giving new: BufferText) -> PartialPush? {
    guard edits.indices.contains(edits.count - 1 - count) else { return nil }
    let edit = edits[edits.count - 1 - count]
    let byteCount = text.bytes.count + edit.text.count - edit.range.count
    guard new.bytes.count == byteCount else { return nil }
    var next = self
    next.text = text.replacing([edit])
    next.count += 1
    return next.text == new ? next : nil
  }
}
