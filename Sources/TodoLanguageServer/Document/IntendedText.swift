import TodoDocument
import TodoModel

/// The text of a buffer as the user intended it. It differs from the buffer only if the editor has
/// misapplied an edit: applied it to another version than the one it was made for, as lsp-mode and
/// vim-lsp do.
///
/// The buffer then consists of pieces: parts of the intended text, and text that a misapplied edit
/// has inserted. Typing into a part of the intended text changes the intended text at the same
/// position.
struct IntendedText: Sendable {
  /// The whole intended text, including what a misapplied edit has overwritten in the buffer.
  private(set) var text: BufferText
  var today: CivilDay
  /// The anchors of applied lines, by line number. See `ReadText`.
  private(set) var marks: [Int: LineAnchor] = [:]
  /// The pieces of the buffer in their order; `nil` if the buffer is identical to `text`.
  private var pieces: [Piece]?
  /// The texts that misapplied edits have inserted.
  private var misapplied: [[UInt8]] = []

  private enum Piece: Sendable {
    /// A byte range of the intended text. The ranges are in ascending order.
    case kept(Range<Int>)
    /// The number of bytes inserted by a misapplied edit.
    case misapplied(Int)

    var count: Int {
      switch self {
      case .kept(let range): range.count
      case .misapplied(let count): count
      }
    }

    func part(_ range: Range<Int>) -> Piece {
      let range = range.clamped(to: 0..<count)
      return switch self {
      case .kept(let kept):
        .kept(kept.lowerBound + range.lowerBound..<kept.lowerBound + range.upperBound)
      case .misapplied: .misapplied(range.count)
      }
    }
  }

  init(_ text: BufferText, on today: CivilDay) { (self.text, self.today) = (text, today) }

  /// Whether the buffer differs from the intended text.
  var isMisapplied: Bool { pieces != nil }

  var read: ReadText { ReadText(text, on: today, marks: marks) }

  /// Assigns anchors to lines.
  mutating func merge(_ new: [Int: LineAnchor]) { marks.merge(new) { _, new in new } }

  // MARK: Buffer changes

  /// Replaces the text with the result of an edit that was applied as intended.
  ///
  /// - Parameter edits: The changes of the intended text; `nil` if they are unknown.
  /// - Returns: The new line numbers of the lines of the old text.
  mutating func apply(_ edits: [TextReplacement]?, giving new: BufferText) -> LineMapping {
    let exact = edits.flatMap { text.replacing($0) == new ? $0 : nil }
    let moves =
      exact.map { LineMapping($0, in: text, to: new) } ?? LineMapping(from: text, to: new)
    (text, marks) = (new, marks.moved(by: moves))
    end()
    return moves
  }

  /// Records an edit that was applied to another version of the buffer than the one it was made
  /// for.
  mutating func misapply(_ edits: [TextReplacement]) {
    for edit in edits.reversed() { replacePieces(edit.range, with: .misapplied(edit.text.count)) }
    misapplied += edits.map(\.text)
  }

  /// Removes all pieces, because the buffer is identical to the text again.
  private mutating func end() { (pieces, misapplied) = (nil, []) }

  /// Applies the user's changes of the buffer to the intended text.
  ///
  /// - Returns: The new line numbers of the lines of the old intended text.
  mutating func type(from old: BufferText, to new: BufferText) -> LineMapping {
    let before = text
    if pieces == nil || new == text {
      text = new
      end()
    } else {
      // One notification may contain changes in several positions.
      var current = old
      for change in TypedChanges(from: old, to: new).all.reversed() {
        let next = current.replacing([change])
        let typed = change.fromLineStart(in: current).fromWordStart(in: current)
        apply(typed, from: current, to: next)
        current = next
      }
    }
    let moves = LineMapping(from: before, to: text)
    marks = marks.moved(by: moves)
    return moves
  }

  private mutating func apply(
    _ change: TextReplacement, from old: BufferText, to new: BufferText
  ) {
    guard let place = place(of: change.range) else {
      typeIntoMisapplied(change, from: old, to: new)
      return replacePieces(change.range, with: .misapplied(change.text.count))
    }
    let gone = keptRanges(in: change.range)
    replacePieces(change.range, with: .misapplied(0))
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

  /// Handles typing into text that a misapplied edit inserted.
  ///
  /// If that text is an exact copy of a todo, the todo is changed. Otherwise, the typed text is
  /// appended as the line of a new todo.
  private mutating func typeIntoMisapplied(
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
      } else if misapplied.contains(where: { $0.hasLines(before.bytes) }) {
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
    // The buffer still contains the old bytes of overwritten pieces.
    pieces = pieces?.map { piece in
      guard case .kept(let kept) = piece, kept.overlaps(range), !range.isEmpty else { return piece }
      return .misapplied(kept.count)
    }
    movePieces { $0 < range.upperBound ? $0 : $0 + new.count - range.count }
  }

  // MARK: Positions

  /// Returns the position in the intended text for a range of the buffer; `nil` if the range
  /// touches no part of the intended text.
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

  /// Replaces a range of the buffer with one piece.
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

  /// Splits the piece that contains a position of the intended text.
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
  /// Sets the day from which relative dates in the document are resolved.
  mutating func dayBegan(_ today: CivilDay) { intended.today = today }
}

extension ReadText {
  /// Returns the anchor and the bytes of the todo at a byte offset; `nil` if there is no todo, or
  /// its line has no anchor.
  fileprivate func block(at offset: Int) -> (mark: LineAnchor, bytes: ArraySlice<UInt8>)? {
    guard let index = entry(atLine: text.lineNumber(at: offset)),
      case .todo(let line) = document.entries[index], let mark = line.mark
    else { return nil }
    return (mark, text.bytes[places.entries[index]])
  }
}

extension [UInt8] {
  /// Whether the bytes contain the given whole lines.
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
