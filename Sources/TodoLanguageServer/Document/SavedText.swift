import TodoDocument
import TodoModel

/// A text that was saved and waits for the store, and where its lines have come to since.
struct SavedText: Sendable {
  private(set) var read: ReadText
  /// By lines of the text: where they are in the text that is meant now.
  private var lines: [Int?]

  init(_ read: ReadText) {
    self.read = read
    lines = Array(read.text.lineStarts.indices)
  }

  mutating func move(by moves: LineMoves) {
    for index in lines.indices { lines[index] = lines[index].flatMap { moves.line($0) } }
  }

  mutating func merge(_ marks: [Int: LineAnchor]) { read.merge(marks) }

  /// What is known of lines of this text, by those of the text that is meant now.
  func current(_ marks: [Int: LineAnchor]) -> [Int: LineAnchor] {
    marks.moved { lines.indices.contains($0) ? lines[$0] : nil }
  }

  /// What is known of lines of this text, by those of one that was saved later.
  func moved(_ marks: [Int: LineAnchor], to later: SavedText) -> [Int: LineAnchor] {
    let places = Dictionary(
      later.lines.enumerated().compactMap { number, place in place.map { ($0, number) } }
    ) { first, _ in first }
    let moves = LineMoves(from: read.text, to: later.read.text)
    return marks.moved { number in
      (lines.indices.contains(number) ? lines[number] : nil).flatMap { places[$0] }
        ?? moves.line(number)
    }
  }
}

/// A line of a todo that was taken as it stands in a buffer.
struct TakenLine: Sendable, Equatable {
  /// What the line itself says that it is.
  var mark: LineAnchor?
  var digest: Int64
}
