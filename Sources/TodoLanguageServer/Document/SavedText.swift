import TodoDocument
import TodoModel

/// A saved text that waits for the store, and the current positions of its lines.
struct SavedText: Sendable {
  private(set) var read: ReadText
  /// The line numbers in the current intended text, by line of the saved text; `nil` for removed
  /// lines.
  private var lines: [Int?]

  init(_ read: ReadText) {
    self.read = read
    lines = Array(read.text.lineStarts.indices)
  }

  mutating func move(by moves: LineMapping) {
    for index in lines.indices { lines[index] = lines[index].flatMap { moves.line($0) } }
  }

  mutating func merge(_ marks: [Int: LineAnchor]) { read.merge(marks) }

  /// Returns `marks` with the line numbers of this text replaced by those of the current intended
  /// text. Anchors of removed lines are left out.
  func current(_ marks: [Int: LineAnchor]) -> [Int: LineAnchor] {
    marks.moved { lines.indices.contains($0) ? lines[$0] : nil }
  }

  /// Returns `marks` with the line numbers of this text replaced by those of `later`, a text that
  /// was saved later. Anchors of removed lines are left out.
  func moved(_ marks: [Int: LineAnchor], to later: SavedText) -> [Int: LineAnchor] {
    let places = Dictionary(
      later.lines.enumerated().compactMap { number, place in place.map { ($0, number) } }
    ) { first, _ in first }
    let moves = LineMapping(from: read.text, to: later.read.text)
    return marks.moved { number in
      (lines.indices.contains(number) ? lines[number] : nil).flatMap { places[$0] }
        ?? moves.line(number)
    }
  }
}

/// The line of a todo as it was applied to the store.
struct AppliedLine: Sendable, Equatable {
  /// The anchor that the line contains; `nil` if it contains none.
  var mark: LineAnchor?
  var digest: Int64
}
