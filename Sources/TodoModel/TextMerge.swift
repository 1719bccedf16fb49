/// Two texts that began from one, joined piece by piece: by words for a title, by lines for a note.
///
/// What one side changed is taken from it. Where both changed one place, both stand there:
///
///     Buy <<< oat === soy >>> milk
///
/// and in lines, for `mine` before and `theirs` after the middle mark:
///
///     <<< mine
///     Two litres
///     === theirs
///     Three litres
///     >>>
///
/// The way to find the places is diff3 (Khanna, Kunal and Pierce, "A Formal Investigation of
/// Diff3", 2007). Lines that differ only in a CR at their end count as the same, because an edit
/// in a browser adds one to each. Without a base, what only one side has is kept.
package struct TextMerge: Sendable, Equatable {
  /// Both texts in one.
  package private(set) var text: String
  /// Whether both sides' words for one place stand in `text`.
  package private(set) var isOpposed: Bool

  /// What a text is cut into.
  package enum Pieces: Sendable {
    case words, lines
  }

  /// The most pieces, of both texts together, that are compared one by one. Beyond it everything
  /// between the first and the last difference is one place: the comparison takes the square of
  /// the differences in memory (2,000: about 16 MB).
  package static let piecesComparedMax = 2_000

  package init(base: String?, mine: String, theirs: String, by pieces: Pieces) {
    var sides = [base, mine, theirs].map { $0.map(pieces.cut) }
    var joined = JoinedText(pieces: pieces, sides)
    // Markers are never nested: those of an earlier conflict give way to the new ones.
    if joined.isOpposed, sides.contains(where: { $0.map(pieces.hasMarkers) ?? false }) {
      sides = sides.map { $0.map(pieces.withoutMarkers) }
      joined = JoinedText(pieces: pieces, sides)
    }
    text = String(decoding: joined.bytes, as: UTF8.self)
    isOpposed = joined.isOpposed
  }

  /// Whether a text still has a pair of conflict markers, whatever is written next to them.
  package static func hasMarkerPair(_ text: String) -> Bool {
    let found = ["<<<", "===", ">>>"].count { text.utf8.firstRange(of: $0.utf8) != nil }
    return found >= 2
  }
}

private typealias Piece = ArraySlice<UInt8>

// MARK: Pieces

extension TextMerge.Pieces {
  /// Each piece has what ends it, so that all of them together are the text.
  fileprivate func cut(_ text: String) -> [Piece] {
    let bytes = Array(text.utf8)
    let end: UInt8 =
      switch self {
      case .words: UInt8(ascii: " ")
      case .lines: UInt8(ascii: "\n")
      }
    var pieces: [Piece] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == end {
      pieces.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { pieces.append(bytes[start...]) }
    return pieces
  }

  /// What stands before mine, between both, and after theirs.
  fileprivate var marks: [String] {
    switch self {
    case .words: ["<<<", "===", ">>>"]
    case .lines: ["<<< mine", "=== theirs", ">>>"]
    }
  }

  private func isMarker(_ piece: Piece) -> Bool {
    let content = content(piece)
    return marks.contains { content.elementsEqual($0.utf8) }
  }

  /// Whether a text has all three markers of a place.
  fileprivate func hasMarkers(_ text: [Piece]) -> Bool {
    var next = marks[...]
    for piece in text {
      if let marker = next.first, content(piece).elementsEqual(marker.utf8) { next.removeFirst() }
    }
    return next.isEmpty
  }

  fileprivate func withoutMarkers(_ text: [Piece]) -> [Piece] { text.filter { !isMarker($0) } }

  /// Whether two pieces say the same, whatever ends them.
  fileprivate func isSame(_ a: Piece, _ b: Piece) -> Bool { content(a) == content(b) }

  fileprivate func isSame(_ a: ArraySlice<Piece>, _ b: ArraySlice<Piece>) -> Bool {
    a.elementsEqual(b, by: isSame)
  }

  /// A piece without what ends it.
  private func content(_ piece: Piece) -> Piece {
    var piece = piece
    switch self {
    case .words: if piece.last == UInt8(ascii: " ") { piece.removeLast() }
    case .lines:
      if piece.last == UInt8(ascii: "\n") { piece.removeLast() }
      if piece.last == UInt8(ascii: "\r") { piece.removeLast() }
    }
    return piece
  }
}

// MARK: Joining

private struct JoinedText {
  let pieces: TextMerge.Pieces
  private(set) var bytes: [UInt8] = []
  private(set) var isOpposed = false

  /// Joins the sides: base, if it is known, mine and theirs.
  init(pieces: TextMerge.Pieces, _ sides: [[Piece]?]) {
    self.pieces = pieces
    let (mine, theirs) = (sides[1] ?? [], sides[2] ?? [])
    if let base = sides[0] {
      join(base: base, mine: mine, theirs: theirs)
    } else {
      join(mine: mine, theirs: theirs)
    }
  }

  private mutating func join(base: [Piece], mine: [Piece], theirs: [Piece]) {
    let inMine = matches(base, mine)
    let inTheirs = matches(base, theirs)
    var (mineStart, theirStart, baseStart) = (0, 0, 0)
    for (index, piece) in base.enumerated() {
      guard let mineIndex = inMine[index], let theirIndex = inTheirs[index] else { continue }
      join(
        base[baseStart..<index], mine[mineStart..<mineIndex], theirs[theirStart..<theirIndex])
      // The same words; which bytes end them, the side that changed them says.
      append(mine[mineIndex] == piece ? theirs[theirIndex] : mine[mineIndex])
      (mineStart, theirStart, baseStart) = (mineIndex + 1, theirIndex + 1, index + 1)
    }
    join(base[baseStart...], mine[mineStart...], theirs[theirStart...])
  }

  /// Without a base: what both have is common, and each side's own stays.
  private mutating func join(mine: [Piece], theirs: [Piece]) {
    let inTheirs = matches(mine, theirs)
    var (mineStart, theirStart) = (0, 0)
    for (index, piece) in mine.enumerated() {
      guard let theirIndex = inTheirs[index] else { continue }
      join([], mine[mineStart..<index], theirs[theirStart..<theirIndex])
      append(piece)
      (mineStart, theirStart) = (index + 1, theirIndex + 1)
    }
    join([], mine[mineStart...], theirs[theirStart...])
  }

  /// One place, between two that all sides have.
  private mutating func join(
    _ base: ArraySlice<Piece>, _ mine: ArraySlice<Piece>, _ theirs: ArraySlice<Piece>
  ) {
    if pieces.isSame(mine, base) || pieces.isSame(mine, theirs) {
      append(all: theirs)
    } else if pieces.isSame(theirs, base) {
      append(all: mine)
    } else {
      isOpposed = true
      let marks = pieces.marks
      append(mark: marks[0])
      append(all: mine)
      append(mark: marks[1])
      append(all: theirs)
      append(mark: marks[2])
    }
  }

  private mutating func append(all some: ArraySlice<Piece>) {
    for piece in some { append(piece) }
  }

  private mutating func append(mark: String) {
    endPiece()
    bytes += mark.utf8
  }

  /// A piece that was the last of its text has nothing that ends it.
  private mutating func append(_ piece: Piece) {
    endPiece()
    bytes += piece
  }

  private mutating func endPiece() {
    let end: UInt8 =
      switch pieces {
      case .words: UInt8(ascii: " ")
      case .lines: UInt8(ascii: "\n")
      }
    if let last = bytes.last, last != end { bytes.append(end) }
  }

  /// For each piece of `old`, where it stands in `new`; nil where it does not.
  private func matches(_ old: [Piece], _ new: [Piece]) -> [Int?] {
    var result: [Int?] = Array(repeating: nil, count: old.count)
    var prefix = 0
    while prefix < old.count, prefix < new.count, pieces.isSame(old[prefix], new[prefix]) {
      result[prefix] = prefix
      prefix += 1
    }
    var suffix = 0
    while suffix < min(old.count, new.count) - prefix,
      pieces.isSame(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
    {
      result[old.count - 1 - suffix] = new.count - 1 - suffix
      suffix += 1
    }
    let oldMiddle = old[prefix..<(old.count - suffix)]
    let newMiddle = new[prefix..<(new.count - suffix)]
    guard oldMiddle.count + newMiddle.count <= TextMerge.piecesComparedMax else { return result }
    let difference = Array(newMiddle).difference(from: Array(oldMiddle), by: pieces.isSame)
    let removed = Set(difference.removals.map(\.offset))
    let inserted = Set(difference.insertions.map(\.offset))
    let kept = newMiddle.indices.filter { !inserted.contains($0 - prefix) }
    let staying = oldMiddle.indices.filter { !removed.contains($0 - prefix) }
    for (old, new) in zip(staying, kept) { result[old] = new }
    return result
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
