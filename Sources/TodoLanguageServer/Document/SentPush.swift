import TodoModel

/// An edit that was sent, and may be applied at any time, or never.
struct SentPush: Sendable, Equatable {
  var version: Int64?
  /// The generation that it makes of the text.
  var number: Int64
  var source: BufferText
  var expected: BufferText
  var edits: [TextReplacement]
  /// What of it changes the text that is meant: all of it, unless the buffer says something else.
  var meantEdits: [TextReplacement]
  /// Whether the buffer was seen to be what was expected.
  var isApplied = false
  /// Whether it was applied, to that text or another one, and will not be again.
  var isSettled = false

  /// The edits as they change another text, where they stand at the same positions.
  func edits(
    movedTo other: BufferText, _ encoding: PositionEncoding
  ) -> [TextReplacement] {
    edits.map { edit in
      func moved(_ offset: Int) -> Int {
        other.offset(of: source.position(of: offset, encoding), encoding)
      }
      let start = moved(edit.range.lowerBound)
      return TextReplacement(
        range: start..<max(start, moved(edit.range.upperBound)), text: edit.text)
    }
  }
}
