/// A change of a buffer by its client.
enum BufferChange: Sendable {
  case part(from: TextPosition, to: TextPosition, String)
  case all(BufferText)
}

/// A text to which several changes are applied one after the other, as `didChange` lists them.
///
/// The bytes have a gap at the last change (a gap buffer), and the lines below the gap are counted
/// from the end of the text. Each change after the first therefore costs as much as its distance
/// from the previous one, and not as much as the text.
struct BufferEditor {
  private var storage: [UInt8]
  private var gap: Range<Int>
  /// Whether a change has already widened the gap. Only later changes add spare bytes to it,
  /// because there is often just one change.
  private var hasWidenedGap = false
  /// The offsets of the lines that start at or before the gap.
  private var startsBefore: [Int]
  /// The distances between the end of the text and the starts of lines, for the lines that start
  /// after the gap. The last line is first.
  private var startsAfter: [Int] = []
  /// The mapping of the lines before all changes to the lines after them.
  private(set) var moves = LineMapping()
  /// Whether a change has replaced bytes by different ones.
  private(set) var hasChanges = false
  private let lineEnds: LineEnds
  private let encoding: PositionEncoding

  init(_ text: BufferText, _ encoding: PositionEncoding) {
    (storage, startsBefore) = (text.bytes, text.lineStarts)
    (lineEnds, self.encoding) = (text.lineEnds, encoding)
    gap = storage.endIndex..<storage.endIndex
  }

  /// The text after all changes.
  var text: BufferText {
    var closed = self
    return closed.close()
  }

  /// Returns the text after all changes. Unlike `text`, this does not copy it.
  mutating func close() -> BufferText {
    storage.removeSubrange(gap)
    gap = storage.endIndex..<storage.endIndex
    startsBefore.reserveCapacity(lineCount)
    for fromEnd in startsAfter.reversed() { startsBefore.append(storage.count - fromEnd) }
    startsAfter.removeAll()
    return BufferText(bytes: storage, lineStarts: startsBefore, lineEnds: lineEnds)
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

  /// Replaces a range of bytes. Only the lines around the change are compared for `moves`.
  mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    moveGap(to: range.lowerBound)
    let first = max(0, startsBefore.count - 2)
    let lineAfter =
      startsBefore.count + startsAfter.reversed().prefix { count - $0 <= range.upperBound }.count
    let end = min(lineCount, lineAfter + 1)
    let old = (first..<end).map(line)
    hasChanges = hasChanges || !range.lazy.map(byte).elementsEqual(new)
    let belowCount = lineCount - end
    replace(range.count, with: new)
    let now = (first..<max(first, lineCount - belowCount)).map(line)
    moves.append(
      LineMapping(
        first: first, oldCount: old.count, newCount: now.count,
        old: { old[$0][...] }, new: { now[$0][...] }))
  }

  private var count: Int { storage.count - gap.count }
  private var lineCount: Int { startsBefore.count + startsAfter.count }

  private func byte(_ offset: Int) -> UInt8 {
    storage[offset < gap.lowerBound ? offset : offset + gap.count]
  }

  /// Returns the offset of the start of a line; the end of the text if there is no such line.
  private func lineStart(_ line: Int) -> Int {
    if line < startsBefore.count { return startsBefore[line] }
    return line < lineCount ? count - startsAfter[lineCount - 1 - line] : count
  }

  /// Returns a line without its ending.
  private func line(_ number: Int) -> [UInt8] {
    (lineStart(number)..<lineEnd(number)).map(byte)
  }

  private func lineEnd(_ line: Int) -> Int {
    let end = lineStart(line + 1)
    guard line + 1 < lineCount else { return end }
    let isPair =
      end - 2 >= lineStart(line) && byte(end - 1) == Byte.newline && byte(end - 2) == Byte.return
    return isPair ? end - 2 : end - 1
  }

  /// Returns the offset of a position on a line that starts at or after the gap.
  private func offset(of position: TextPosition) -> Int {
    guard position.line >= 0 else { return 0 }
    let start = lineStart(position.line)
    let line = storage[start + gap.count..<lineEnd(position.line) + gap.count]
    return start + encoding.offset(of: position.character, in: line) - line.startIndex
  }

  private mutating func moveGap(to offset: Int) {
    let distance = offset - gap.lowerBound
    guard distance != 0 else { return }
    if !gap.isEmpty { moveBytes(of: gap, by: distance) }
    gap = offset..<offset + gap.count
    let count = count
    while let start = startsBefore.last, start > offset {
      startsAfter.append(count - startsBefore.removeLast())
    }
    while let fromEnd = startsAfter.last, count - fromEnd <= offset {
      startsBefore.append(count - startsAfter.removeLast())
    }
  }

  private mutating func moveBytes(of gap: Range<Int>, by distance: Int) {
    storage.withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      if distance < 0 {
        let source = base + gap.lowerBound + distance
        (base + gap.upperBound + distance).update(from: source, count: -distance)
      } else {
        (base + gap.lowerBound).update(from: base + gap.upperBound, count: distance)
      }
    }
  }

  /// Replaces a number of bytes after the gap, and moves the gap behind the new bytes.
  private mutating func replace(_ removedCount: Int, with new: [UInt8]) {
    let lower = gap.lowerBound
    while let fromEnd = startsAfter.last, count - fromEnd <= lower + removedCount {
      startsAfter.removeLast()
    }
    gap = lower..<gap.upperBound + removedCount
    if gap.count < new.count { widenGap(by: new.count) }
    storage.replaceSubrange(lower..<lower + new.count, with: new)
    gap = lower + new.count..<gap.upperBound
    // A CR before the change may have become the first half of a CR LF, or the reverse.
    while let start = startsBefore.last, start >= lower { startsBefore.removeLast() }
    for offset in lower...gap.lowerBound where offset == 0 || isLineEnd(offset - 1) {
      startsBefore.append(offset)
    }
  }

  private mutating func widenGap(by byteCount: Int) {
    // At the first change, the gap gets no spare bytes, because there is often no other change.
    let added = hasWidenedGap ? max(byteCount, storage.count / 8) : byteCount
    hasWidenedGap = true
    storage.insert(contentsOf: repeatElement(0, count: added), at: gap.upperBound)
    gap = gap.lowerBound..<gap.upperBound + added
  }

  private func isLineEnd(_ offset: Int) -> Bool {
    lineEnds.isEnd(byte(offset), next: offset + 1 < count ? byte(offset + 1) : nil)
  }
}
