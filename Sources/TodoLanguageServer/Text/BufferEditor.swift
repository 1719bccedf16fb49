/// A change of a buffer by its client.
enum BufferChange: Sendable {
  case part(from: TextPosition, to: TextPosition, String)
  case all(BufferText)
}

/// A text to which several changes are applied one after the other, as `didChange` lists them.
///
/// The bytes and the starts of the lines are in gap buffers, with the gap at the last change. The
/// starts after the gap are shifted only when the gap passes them. The cost of each change after
/// the first therefore depends on its distance from the previous one, and not on the text's size.
struct BufferEditor {
  private var bytes: GapBuffer<UInt8>
  /// The offsets of the starts of the lines. The gap comes after the lines that start at or before
  /// the gap of `bytes`. `shift` must be added to the offsets after the gap.
  private var starts: GapBuffer<Int>
  /// The number of bytes that the changes have added, minus the bytes that they have removed. Each
  /// line after the gap starts this number of bytes after its offset in `starts`.
  private var shift = 0
  /// The mapping of the lines of the original text to the lines of the changed text.
  private(set) var moves = LineMapping()
  /// Whether a change has replaced bytes with different ones.
  private(set) var hasChanges = false
  private let lineEnds: LineEnds
  private let encoding: PositionEncoding

  init(_ text: BufferText, _ encoding: PositionEncoding) {
    (bytes, starts) = (GapBuffer(text.bytes), GapBuffer(text.lineStarts))
    (lineEnds, self.encoding) = (text.lineEnds, encoding)
  }

  /// The text after all changes, as a copy.
  var text: BufferText {
    var closed = self
    return closed.close()
  }

  /// Ends the editing, and returns the text after all changes. Unlike `text`, this method does not
  /// copy the bytes.
  mutating func close() -> BufferText {
    moveLineGap(to: lineCount)
    return BufferText(bytes: bytes.close(), lineStarts: starts.close(), lineEnds: lineEnds)
  }

  mutating func apply(_ change: BufferChange) {
    switch change {
    case .part(let start, let end, let new): replace(from: start, to: end, with: new)
    case .all(let new): replaceAll(with: new)
    }
  }

  /// Replaces the text between two positions, which are clamped to the text and to their lines.
  mutating func replace(from start: TextPosition, to end: TextPosition, with new: String) {
    // `offset(of:)` needs the gap to be at or before the start of the line.
    moveGap(to: lineStart(max(start.line, 0)))
    let lower = offset(of: start)
    let upper = end.line < start.line ? lower : max(lower, offset(of: end))
    replace(lower..<upper, with: Array(new.utf8))
  }

  mutating func replaceAll(with new: BufferText) {
    let (old, earlier, hadChanges) = (text, moves, hasChanges)
    self = BufferEditor(new, encoding)
    (moves, hasChanges) = (earlier, hadChanges || new != old)
    moves.append(LineMapping(from: old, to: new))
  }

  /// Replaces a range of bytes, and updates `moves`. For this update, compares the old and the new
  /// text only in the lines around the change.
  mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    moveGap(to: range.lowerBound)
    let first = max(0, starts.gapIndex - 2)
    let end = min(lineCount, lineAfterGap(startingAfter: range.upperBound) + 1)
    let old = (first..<end).map(line)
    let isSame = range.count == new.count && zip(range, new).allSatisfy { bytes[$0] == $1 }
    hasChanges = hasChanges || !isSame
    let belowCount = lineCount - end
    replace(range.count, with: new)
    let now = (first..<max(first, lineCount - belowCount)).map(line)
    moves.append(
      LineMapping(
        first: first, oldCount: old.count, newCount: now.count,
        old: { old[$0][...] }, new: { now[$0][...] }))
  }

  private var count: Int { bytes.count }
  private var lineCount: Int { starts.count }

  /// Returns the offset of the start of a line; the end of the text if there is no such line.
  private func lineStart(_ line: Int) -> Int {
    guard line < lineCount else { return count }
    return line < starts.gapIndex ? starts[line] : starts[line] + shift
  }

  /// Returns the number of the first line that starts after an offset. The offset must be at or
  /// after the gap.
  private func lineAfterGap(startingAfter offset: Int) -> Int {
    var line = starts.gapIndex
    while line < lineCount, lineStart(line) <= offset { line += 1 }
    return line
  }

  /// Returns a line without its ending.
  private func line(_ number: Int) -> [UInt8] {
    (lineStart(number)..<lineEnd(number)).map { bytes[$0] }
  }

  private func lineEnd(_ line: Int) -> Int {
    let end = lineStart(line + 1)
    guard line + 1 < lineCount else { return end }
    let isPair =
      end - 2 >= lineStart(line) && bytes[end - 1] == Byte.newline && bytes[end - 2] == Byte.return
    return isPair ? end - 2 : end - 1
  }

  /// Returns the offset of a position on a line that starts at or after the gap.
  private func offset(of position: TextPosition) -> Int {
    guard position.line >= 0 else { return 0 }
    let start = lineStart(position.line)
    let line = bytes.afterGap(start..<lineEnd(position.line))
    return start + encoding.offset(of: position.character, in: line) - line.startIndex
  }

  private mutating func moveGap(to offset: Int) {
    if offset == bytes.gapIndex { return }
    bytes.moveGap(to: offset)
    // The number of lines that start at or before the gap.
    var (low, high) = (0, lineCount)
    while low < high {
      let middle = (low + high) / 2
      if lineStart(middle) <= offset { low = middle + 1 } else { high = middle }
    }
    moveLineGap(to: low)
  }

  private mutating func moveLineGap(to line: Int) {
    let shift = line < starts.gapIndex ? -shift : shift
    starts.moveGap(to: line) { passed in
      if shift != 0 { for index in passed.indices { passed[index] += shift } }
    }
  }

  /// Replaces the first `removedCount` bytes after the gap, and moves the gap behind the new bytes.
  private mutating func replace(_ removedCount: Int, with new: [UInt8]) {
    let lower = bytes.gapIndex
    let removedLineCount = lineAfterGap(startingAfter: lower + removedCount) - starts.gapIndex
    // A CR before the change may have become the first half of a CR LF, or the reverse.
    var firstLine = starts.gapIndex
    while firstLine > 0, starts[firstLine - 1] >= lower { firstLine -= 1 }
    bytes.replace(after: removedCount, with: new)
    shift += new.count - removedCount
    let newStarts = (lower...lower + new.count).filter { $0 == 0 || isLineEnd($0 - 1) }
    starts.replace(
      before: starts.gapIndex - firstLine, after: removedLineCount, with: newStarts)
  }

  private func isLineEnd(_ offset: Int) -> Bool {
    lineEnds.isEnd(bytes[offset], next: offset + 1 < count ? bytes[offset + 1] : nil)
  }
}
