import TodoDocument
import TodoModel

/// A saved text that waits for the store, and the current positions of its lines.
struct SavedText: Sendable {
  private(set) var read: ReadText
  /// The mapping of the lines of the saved text to those of the current text.
  private var moves = LineMapping()

  init(_ read: ReadText) { self.read = read }

  mutating func move(by moves: LineMapping) { self.moves.append(moves) }

  mutating func merge(_ marks: [Int: LineAnchor]) { read.merge(marks) }

  /// Returns `marks` with the line numbers of this text replaced by those of the current text.
  /// Anchors of removed lines are left out.
  func current(_ marks: [Int: LineAnchor]) -> [Int: LineAnchor] { marks.moved(by: moves) }

  /// Returns `marks` with the line numbers of this text replaced by those of `later`, a text that
  /// was saved later. Anchors of removed lines are left out.
  func moved(_ marks: [Int: LineAnchor], to later: SavedText) -> [Int: LineAnchor] {
    let places = Dictionary(
      later.read.text.lineStarts.indices.compactMap { number in
        later.moves.line(number).map { ($0, number) }
      }
    ) { first, _ in first }
    let compared = LineMapping(from: read.text, to: later.read.text)
    return marks.moved { moves.line($0).flatMap { places[$0] } ?? compared.line($0) }
  }
}

/// The line of a todo as it was applied to the store.
struct AppliedLine: Sendable, Equatable {
  /// The anchor (`^id.version`) that the line contains; `nil` if it contains none.
  var mark: LineAnchor?
  var digest: Int64
}
