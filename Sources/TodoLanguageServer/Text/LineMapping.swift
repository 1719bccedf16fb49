/// A mapping of the lines of a text to the lines of a later text.
///
///     let moves = LineMapping(from: old, to: new)
///     moves.line(3)  // 4: a line was typed above it
struct LineMapping {
  private let lines: [Int?]

  /// Creates a mapping by comparing two texts, which are expected to differ in one place, as after
  /// typing.
  init(from old: BufferText, to new: BufferText) {
    let most = min(old.lineStarts.count, new.lineStarts.count)
    var before = 0
    while before < most, old.line(before).elementsEqual(new.line(before)) { before += 1 }
    var after = 0
    while after < most - before,
      old.line(old.lineStarts.count - 1 - after)
        .elementsEqual(new.line(new.lineStarts.count - 1 - after))
    {
      after += 1
    }
    let oldRange = before..<old.lineStarts.count - after
    let newRange = before..<new.lineStarts.count - after
    var lines: [Int?] = Array(0..<before)
    if oldRange.count == 1, newRange.count == 1 {
      // A single changed line stays the same line, whatever it contains now.
      lines.append(before)
    } else {
      lines += Self.found(old, oldRange, new, newRange)
    }
    lines += (0..<after).map { newRange.upperBound + $0 }
    self.lines = lines
  }

  /// Creates a mapping from the edits, in ascending order, that turn the old text into the new one.
  init(_ edits: [TextReplacement], in old: BufferText, to new: BufferText) {
    var index = 0
    var shift = 0
    lines = old.lineStarts.map { start in
      while index < edits.count, edits[index].range.upperBound <= start,
        edits[index].range.lowerBound < start || edits[index].range.isEmpty
      {
        shift += edits[index].text.count - edits[index].range.count
        index += 1
      }
      if index < edits.count, edits[index].range.contains(start) {
        let isStart = edits[index].range.lowerBound == start && !edits[index].text.isEmpty
        return isStart ? new.lineNumber(at: start + shift) : nil
      }
      return new.lineNumber(at: start + shift)
    }
  }

  /// Returns the line number in the later text; `nil` if the line was removed.
  func line(_ number: Int) -> Int? { lines.indices.contains(number) ? lines[number] : nil }

  // MARK: Moved lines

  /// The maximum number of changed lines that are searched for a line that typing has extended or
  /// shortened.
  private static let typedLinesMax = 100

  /// Maps each line to an identical line, otherwise to a line that is its beginning or that begins
  /// with it.
  private static func found(
    _ old: BufferText, _ oldRange: Range<Int>, _ new: BufferText, _ newRange: Range<Int>
  ) -> [Int?] {
    var same: [[UInt8]: [Int]] = [:]
    for number in newRange.reversed() { same[Array(new.line(number)), default: []].append(number) }
    var lines = oldRange.map { number in same[Array(old.line(number))]?.popLast() }
    guard newRange.count <= typedLinesMax else { return lines }
    var left = Set(newRange).subtracting(lines.compactMap { $0 }).sorted()
    for (index, number) in oldRange.enumerated() where lines[index] == nil {
      guard let place = left.firstIndex(where: { isSame(old.line(number), new.line($0)) }) else {
        continue
      }
      lines[index] = left.remove(at: place)
    }
    return lines
  }

  /// Whether typing can have turned a line into another one: after the check box, one of the two
  /// lines begins with the other.
  private static func isSame(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
    guard old.count > checkBoxCount, new.count > checkBoxCount else { return false }
    let (old, new) = (old.dropFirst(checkBoxCount), new.dropFirst(checkBoxCount))
    return old.starts(with: new) || new.starts(with: old)
  }

  /// The number of bytes of `- [ ] `, with which the line of every todo begins.
  private static let checkBoxCount = 6
}
