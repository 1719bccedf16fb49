import TodoModel

/// An edit that was sent. The client may apply it at any time, or never.
struct SentEdit: Sendable, Equatable {
  var version: Int64?
  /// The generation of the resulting text.
  var number: Int64
  var source: BufferText
  var expected: BufferText
  var edits: [TextReplacement]
  /// The edits of the intended text. They are the same as `edits`, unless the buffer differs from
  /// the intended text.
  var intendedEdits: [TextReplacement]
  /// Whether the buffer became the expected text.
  var isApplied = false
  /// Whether the edit was applied, to `source` or to another text, and cannot be applied again.
  var isSettled = false

  /// Returns the edits for another text, at the same lines and characters.
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

extension [SentEdit] {
  /// The maximum number of sent edits that are remembered.
  private static let countMax = 32
  /// The maximum total size of the texts of these edits, in bytes. The newest edit may exceed it.
  private static let bytesMax = 64 << 20

  mutating func record(_ new: SentEdit) {
    append(new)
    var byteCount = reduce(0) { $0 + $1.byteCount }
    while count > Self.countMax || count > 1 && byteCount > Self.bytesMax {
      byteCount -= removeFirst().byteCount
    }
  }

  /// Allows edits to be sent again.
  mutating func forgetOffers() {
    for index in indices { (self[index].isApplied, self[index].version) = (false, nil) }
  }

  /// Returns the generations after `number` that the buffer may have reached by a sent edit.
  func numbers(after number: Int64) -> [Int64] {
    Set(map(\.number)).filter { $0 > number }.sorted()
  }
}

extension SentEdit {
  fileprivate var byteCount: Int { source.bytes.count + expected.bytes.count }
}
