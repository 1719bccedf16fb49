import TodoDocument
import TodoModel

/// What a person means a buffer to say: what stands in it, but where the editor has applied an edit
/// of ours to another text than it was made for, as lsp-mode and vim-lsp do.
///
/// Then the buffer is taken as pieces: what is kept of the text that is meant, and what such an edit
/// has put in between. What is typed into the first kind changes the same place of the text.
struct MeantText: Sendable {
  /// The whole of it, with what an edit has overwritten in the buffer.
  private(set) var text: BufferText
  var today: CivilDay
  /// By lines of the text: what was taken there. See `ReadText`.
  private(set) var marks: [Int: LineAnchor] = [:]
  /// The buffer from its beginning to its end; nil where it is the text.
  private var pieces: [Piece]?
  /// What edits have put where it was not meant to come.
  private var displaced: [[UInt8]] = []

  private enum Piece: Sendable {
    /// Bytes of the text, which come in its order.
    case kept(Range<Int>)
    /// So many bytes that nobody has typed there.
    case displaced(Int)

    var count: Int {
      switch self {
      case .kept(let range): range.count
      case .displaced(let count): count
      }
    }

    func part(_ range: Range<Int>) -> Piece {
      let range = range.clamped(to: 0..<count)
      return switch self {
      case .kept(let kept):
        .kept(kept.lowerBound + range.lowerBound..<kept.lowerBound + range.upperBound)
      case .displaced: .displaced(range.count)
      }
    }
  }

  init(_ text: BufferText, on today: CivilDay) { (self.text, self.today) = (text, today) }

  /// Whether the buffer says something else.
  var isDisplaced: Bool { pieces != nil }

  var read: ReadText { ReadText(text, on: today, marks: marks) }

  /// Takes lines to be todos.
  mutating func merge(_ new: [Int: LineAnchor]) { marks.merge(new) { _, new in new } }

  // MARK: What becomes of the buffer

  /// The buffer became what an edit was to make of it.
  ///
  /// - Parameter edits: What it changes in the text that is meant; nil where that is not known.
  mutating func apply(_ edits: [TextReplacement]?, giving new: BufferText) -> LineMoves {
    let exact = edits.flatMap { text.replacing($0) == new ? $0 : nil }
    let moves =
      exact.map { LineMoves($0, in: text, to: new) } ?? LineMoves(from: text, to: new)
    (text, marks) = (new, marks.moved(by: moves))
    end()
    return moves
  }

  /// An edit was applied to a buffer that it was not made for.
  mutating func displace(_ edits: [TextReplacement]) {
    for edit in edits.reversed() { replacePieces(edit.range, with: .displaced(edit.text.count)) }
    displaced += edits.map(\.text)
  }

  /// The buffer is the text.
  private mutating func end() { (pieces, displaced) = (nil, []) }

  /// Follows what was typed into the buffer.
  mutating func type(from old: BufferText, to new: BufferText) -> LineMoves {
    let before = text
    if pieces == nil || new == text {
      text = new
      end()
    } else {
      // What is said at once may have been done in several places.
      var current = old
      for change in TypedChanges(from: old, to: new).all.reversed() {
        let next = current.replacing([change])
        let typed = change.fromLineStart(in: current).fromWordStart(in: current)
        take(typed, from: current, to: next)
        current = next
      }
    }
    let moves = LineMoves(from: before, to: text)
    marks = marks.moved(by: moves)
    return moves
  }

  private mutating func take(
    _ change: TextReplacement, from old: BufferText, to new: BufferText
  ) {
    guard let place = place(of: change.range) else {
      typeIntoDisplaced(change, from: old, to: new)
      return replacePieces(change.range, with: .displaced(change.text.count))
    }
    let gone = keptRanges(in: change.range)
    replacePieces(change.range, with: .displaced(0))
    for range in gone.reversed() {
      text.replace(range, with: [UInt8]())
      movePieces { $0 < range.upperBound ? $0 : $0 - range.count }
    }
    text.replace(place..<place, with: change.text)
    split(at: place)
    movePieces { $0 < place ? $0 : $0 + change.text.count }
    let start = change.range.lowerBound
    replacePieces(start..<start, with: .kept(place..<place + change.text.count))
  }

  /// Into what nobody has typed there. A todo that stands there as it is meant to be is that todo;
  /// otherwise what is typed becomes a line of its own.
  private mutating func typeIntoDisplaced(
    _ change: TextReplacement, from old: BufferText, to new: BufferText
  ) {
    let before = ReadText(old, on: today).block(at: change.range.lowerBound)
    let after = ReadText(new, on: today).block(at: change.range.lowerBound)
    let own = read
    let end = own.places.end?.lowerBound ?? text.bytes.count
    if let before, let after, before.mark.id == after.mark.id {
      let twin = own.document.entries.indices.first { own.mark(ofEntry: $0)?.id == before.mark.id }
      if let twin {
        let place = own.places.entries[twin]
        if text.bytes[place] == before.bytes { return replaceText(place, with: Array(after.bytes)) }
      } else if displaced.contains(where: { $0.hasLines(before.bytes) }) {
        return replaceText(end..<end, with: after.bytes + [Byte.newline])
      }
    }
    let typed = change.text.filter { $0 >= Byte.space }
    guard typed.contains(where: { $0 != Byte.space }) else { return }
    replaceText(end..<end, with: Array("- [ ] ".utf8) + typed + [Byte.newline])
  }

  private mutating func replaceText(_ range: Range<Int>, with new: [UInt8]) {
    split(at: range.lowerBound)
    split(at: range.upperBound)
    text.replace(range, with: new)
    // What was overwritten is not in the buffer as it is now.
    pieces = pieces?.map { piece in
      guard case .kept(let kept) = piece, kept.overlaps(range), !range.isEmpty else { return piece }
      return .displaced(kept.count)
    }
    movePieces { $0 < range.upperBound ? $0 : $0 + new.count - range.count }
  }

  // MARK: Places

  /// Where a part of the buffer is in the text; nil for what touches nothing of it.
  private func place(of range: Range<Int>) -> Int? {
    var start = 0
    for piece in pieces ?? [] {
      let end = start + piece.count
      if case .kept(let kept) = piece, start <= range.upperBound, range.lowerBound <= end {
        return kept.lowerBound + max(range.lowerBound, start) - start
      }
      start = end
    }
    return nil
  }

  private func keptRanges(in range: Range<Int>) -> [Range<Int>] {
    var start = 0
    var ranges: [Range<Int>] = []
    for piece in pieces ?? [] {
      let end = start + piece.count
      let common = range.clamped(to: start..<end)
      if case .kept(let kept) = piece, !common.isEmpty {
        let first = kept.lowerBound + common.lowerBound - start
        ranges.append(first..<first + common.count)
      }
      start = end
    }
    return ranges
  }

  // MARK: Pieces

  /// Puts a piece in the place of a part of the buffer.
  private mutating func replacePieces(_ range: Range<Int>, with new: Piece) {
    var start = 0
    var next: [Piece] = []
    var isPut = false
    for piece in pieces ?? [.kept(0..<text.bytes.count)] {
      let end = start + piece.count
      if end <= range.lowerBound {
        next.append(piece)
      } else {
        if start < range.lowerBound { next.append(piece.part(0..<range.lowerBound - start)) }
        if !isPut { next.append(new) }
        isPut = true
        if range.upperBound < end {
          next.append(piece.part(max(0, range.upperBound - start)..<piece.count))
        }
      }
      start = end
    }
    if !isPut { next.append(new) }
    pieces = next.filter { $0.count > 0 }
  }

  /// So that no piece is on both sides of a place in the text.
  private mutating func split(at place: Int) {
    pieces = pieces?.flatMap { piece -> [Piece] in
      guard case .kept(let kept) = piece, kept.lowerBound < place, place < kept.upperBound else {
        return [piece]
      }
      return [.kept(kept.lowerBound..<place), .kept(place..<kept.upperBound)]
    }
  }

  private mutating func movePieces(_ moved: (Int) -> Int) {
    pieces = pieces?.map { piece in
      guard case .kept(let kept) = piece else { return piece }
      let start = moved(kept.lowerBound)
      return .kept(start..<max(start, moved(kept.upperBound - 1) + 1))
    }
  }
}

extension OpenDocument {
  /// From now on relative dates count from another day.
  mutating func dayBegan(_ today: CivilDay) { meant.today = today }
}

extension ReadText {
  /// The todo that a byte is in, where it has its mark.
  fileprivate func block(at offset: Int) -> (mark: LineAnchor, bytes: ArraySlice<UInt8>)? {
    guard let index = entry(atLine: text.lineNumber(at: offset)),
      case .todo(let line) = document.entries[index], let mark = line.mark
    else { return nil }
    return (mark, text.bytes[places.entries[index]])
  }
}

extension [UInt8] {
  /// Whether some whole lines are there.
  fileprivate func hasLines(_ lines: ArraySlice<UInt8>) -> Bool {
    indices.contains { start in
      guard start == 0 || self[start - 1] == Byte.newline, self[start...].starts(with: lines) else {
        return false
      }
      let end = start + lines.count
      return end == count || self[end] == Byte.newline
    }
  }
}
