/// A three-way merge of two texts: word by word for titles, and line by line for notes.
///
/// A change that only one side has made is accepted. If both sides have changed the same part, the
/// merged text contains both versions between markers:
///
///     Buy <<< oat === soy >>> milk
///
/// For lines, the version of `mine` comes before the middle marker, and the version of `theirs`
/// comes after it:
///
///     <<< mine
///     Two litres
///     === theirs
///     Three litres
///     >>>
///
/// The algorithm is diff3 (Khanna, Kunal and Pierce, "A Formal Investigation of Diff3", 2007). A CR
/// at the end of a line is ignored in comparisons, because browsers add a CR to each line. Without
/// a base, text that only one side has is kept.
package struct TextMerge: Sendable, Equatable {
  /// The merged text.
  package private(set) var text: String
  /// Whether both sides have changed the same part, so that `text` contains both versions of it.
  package private(set) var hasConflict: Bool

  /// The kind of pieces that are compared: words or lines.
  package enum Pieces: Sendable {
    case words, lines
  }

  /// The maximum number of pieces that are compared one by one. Only the pieces between the first
  /// and the last difference of two texts count, in both texts together. If there are more, they
  /// are treated as one part, because the memory of a comparison grows with the square of the
  /// number of differences: it is about 16 MB for 2,000 pieces.
  package static let piecesComparedMax = 2_000

  package init(base: String?, mine: String, theirs: String, by pieces: Pieces) {
    var sides = [base, mine, theirs].map { $0.map(pieces.cut) }
    var joined = JoinedText(pieces: pieces, sides)
    // The markers of an earlier conflict are removed, so that markers are never nested.
    if joined.hasConflict, sides.contains(where: { $0.map(pieces.hasMarkers) ?? false }) {
      sides = sides.map { $0.map(pieces.withoutMarkers) }
      joined = JoinedText(pieces: pieces, sides)
    }
    text = String(decoding: joined.bytes, as: UTF8.self)
    hasConflict = joined.hasConflict
  }

  /// Returns whether a text contains at least two of the three conflict markers, anywhere.
  package static func hasMarkerPair(_ text: String) -> Bool {
    let found = ["<<<", "===", ">>>"].count { text.utf8.firstRange(of: $0.utf8) != nil }
    return found >= 2
  }
}

private typealias Piece = ArraySlice<UInt8>

// MARK: Pieces

extension TextMerge.Pieces {
  /// Splits a text into pieces. Each piece includes its terminator, which is a space or a line end.
  /// The joined pieces are the original text.
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

  /// The markers, in this order: before `mine`, between `mine` and `theirs`, after `theirs`.
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

  /// Returns whether a text contains all three markers in their order.
  fileprivate func hasMarkers(_ text: [Piece]) -> Bool {
    var next = marks[...]
    for piece in text {
      if let marker = next.first, content(piece).elementsEqual(marker.utf8) { next.removeFirst() }
    }
    return next.isEmpty
  }

  fileprivate func withoutMarkers(_ text: [Piece]) -> [Piece] { text.filter { !isMarker($0) } }

  /// Returns whether two pieces are equal, apart from their terminators.
  fileprivate func isSame(_ a: Piece, _ b: Piece) -> Bool { content(a) == content(b) }

  fileprivate func isSame(_ a: ArraySlice<Piece>, _ b: ArraySlice<Piece>) -> Bool {
    a.elementsEqual(b, by: isSame)
  }

  /// Returns a piece without its terminator.
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
  private(set) var hasConflict = false

  /// Merges the three texts.
  ///
  /// - Parameter sides: The base (`nil` if it is not known), `mine` and `theirs`, in this order.
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
      // Equal pieces can differ in their terminators. The piece that differs from the base is used.
      append(mine[mineIndex] == piece ? theirs[theirIndex] : mine[mineIndex])
      (mineStart, theirStart, baseStart) = (mineIndex + 1, theirIndex + 1, index + 1)
    }
    join(base[baseStart...], mine[mineStart...], theirs[theirStart...])
  }

  /// Merges two texts without a base. A piece that is in both texts appears once in the result. A
  /// piece that is in only one text is kept.
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

  /// Merges the parts of the three texts between two pieces that all three texts contain.
  private mutating func join(
    _ base: ArraySlice<Piece>, _ mine: ArraySlice<Piece>, _ theirs: ArraySlice<Piece>
  ) {
    if pieces.isSame(mine, base) || pieces.isSame(mine, theirs) {
      append(all: theirs)
    } else if pieces.isSame(theirs, base) {
      append(all: mine)
    } else {
      hasConflict = true
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

  /// Appends a piece. If the text so far does not end with a terminator, one is added first.
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

  /// Matches the pieces of two texts.
  ///
  /// - Returns: For each piece of `old`, the index of the equal piece in `new`; `nil` if there is
  ///   none.
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
