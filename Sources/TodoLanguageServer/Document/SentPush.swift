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

extension [SentPush] {
  /// How many edits are remembered that may yet be applied.
  private static let countMax = 32
  /// How long they may be together.
  private static let bytesMax = 64 << 20

  mutating func record(_ new: SentPush) {
    append(new)
    var byteCount = reduce(0) { $0 + $1.byteCount }
    while count > Self.countMax || count > 1 && byteCount > Self.bytesMax {
      byteCount -= removeFirst().byteCount
    }
  }

  /// What was offered before may be offered again.
  mutating func forgetOffers() {
    for index in indices { (self[index].isApplied, self[index].version) = (false, nil) }
  }

  /// The generations after one that the buffer may have become meanwhile.
  func numbers(after number: Int64) -> [Int64] {
    Set(map(\.number)).filter { $0 > number }.sorted()
  }
}

extension SentPush {
  fileprivate var byteCount: Int { source.bytes.count + expected.bytes.count }
}
