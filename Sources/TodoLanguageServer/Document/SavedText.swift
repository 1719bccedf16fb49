import TodoDocument
import TodoModel

/// A saved text that waits for the store, and the current positions of its lines.
struct SavedText: Sendable {
  private(set) var read: ReadText
  /// The mapping of the lines of the saved text to those of the current text.
  private var moves = LineMapping()
  /// The generations (recorded versions of the document) that the buffer has reached since the
  /// save, by edits of the server. Their texts contain the lines of the save.
  private(set) var later: [Int64] = []

  init(_ read: ReadText) { self.read = read }

  mutating func move(by moves: LineMapping) { self.moves.append(moves) }

  /// Records that the buffer has reached a generation by an edit of the server.
  mutating func recordEdit(to generation: Int64) { later.append(generation) }

  mutating func merge(_ todos: [Int: TodoID]) { read.merge(todos) }

  /// Returns `todos` with the line numbers of this text replaced by those of the current text.
  /// Todos of removed lines are left out.
  func current(_ todos: [Int: TodoID]) -> [Int: TodoID] { todos.moved(by: moves) }

  /// Returns `todos` with the line numbers of this text replaced by those of `later`, a text that
  /// was saved later. Todos of removed lines are left out.
  func moved(_ todos: [Int: TodoID], to later: SavedText) -> [Int: TodoID] {
    let places = Dictionary(
      later.read.text.lineStarts.indices.compactMap { number in
        later.moves.line(number).map { ($0, number) }
      }
    ) { first, _ in first }
    let compared = LineMapping(from: read.text, to: later.read.text)
    return todos.moved { moves.line($0).flatMap { places[$0] } ?? compared.line($0) }
  }
}

/// The line of a todo as it was applied to the store.
struct AppliedLine: Sendable, Equatable {
  /// The todo that the mark of the line names, and the version that the line shows; `nil` if the
  /// line has no mark.
  var mark: LineAnchor?
  var digest: Int64
}
