/// A mapping of the lines of a text to the lines of a later text.
///
///     let moves = LineMapping(from: old, to: new)
///     moves.line(3)  // 4: a line was typed above it
struct LineMapping: Sendable {
  /// The changes, in order. Each change refers to the text after the changes before it.
  private var splices: [Splice] = []

  /// A replacement of consecutive lines. All other lines stay unchanged, but the lines below may
  /// get other numbers.
  private struct Splice: Sendable {
    var first: Int
    /// For each replaced line, its line number after the replacement; `nil` if the line was
    /// removed.
    var lines: [Int?]
    /// The number of lines that replace the old lines.
    var newCount: Int

    func line(_ number: Int) -> Int? {
      if number < first { return number }
      if number >= first + lines.count { return number + newCount - lines.count }
      return lines[number - first]
    }
  }

  /// Creates the mapping of a text to itself.
  init() {}

  /// Creates a mapping by comparing two texts, which are expected to differ in one place.
  init(from old: BufferText, to new: BufferText) {
    self.init(
      first: 0, oldCount: old.lineStarts.count, newCount: new.lineStarts.count,
      old: { old.line($0) }, new: { new.line($0) })
  }

  /// Creates a mapping by comparing the lines that one change has touched.
  ///
  /// - Parameters:
  ///   - first: The number of the first of these lines, in both texts.
  ///   - old: Returns a line of the old text. Line 0 is the line with the number `first`.
  ///   - new: Returns a line of the new text, with the same numbering.
  init(
    first: Int, oldCount: Int, newCount: Int,
    old: (Int) -> ArraySlice<UInt8>, new: (Int) -> ArraySlice<UInt8>
  ) {
    let most = min(oldCount, newCount)
    var before = 0
    while before < most, old(before).elementsEqual(new(before)) { before += 1 }
    var after = 0
    while after < most - before, old(oldCount - 1 - after).elementsEqual(new(newCount - 1 - after))
    {
      after += 1
    }
    let oldLines = (before..<oldCount - after).map(old)
    let newLines = (before..<newCount - after).map(new)
    // A single changed line stays the same line, whatever it contains now.
    let found =
      oldLines.count == 1 && newLines.count == 1 ? [0] : Self.found(oldLines, in: newLines)
    let start = first + before
    splices = [
      Splice(
        first: start, lines: found.map { $0.map { start + $0 } }, newCount: newLines.count)
    ]
  }

  /// Creates a mapping from the edits, in ascending order, that turn the old text into the new one.
  init(_ edits: [TextReplacement], in old: BufferText, to new: BufferText) {
    var index = 0
    var shift = 0
    let lines = old.lineStarts.map { start -> Int? in
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
    splices = [Splice(first: 0, lines: lines, newCount: new.lineStarts.count)]
  }

  /// Returns the line number in the later text; `nil` if the line was removed.
  func line(_ number: Int) -> Int? {
    var number = number
    for splice in splices {
      guard let next = splice.line(number) else { return nil }
      number = next
    }
    return number
  }

  /// The number, in the later text, of the line that was changed last; `nil` without a change.
  var lastChangedLine: Int? { splices.last.map { $0.first + max($0.newCount, 1) - 1 } }

  /// Extends the mapping to an even later text.
  ///
  /// - Parameter later: Maps the lines of this mapping's later text to those of the even later one.
  mutating func append(_ later: LineMapping) { splices += later.splices }

  // MARK: Moved lines

  /// The maximum number of changed lines in the later text. If there are more, only identical lines
  /// are searched for, and not extended or shortened lines.
  private static let typedLinesMax = 100

  /// Finds, for each old line, the new line that the old line has become: an identical line, or
  /// otherwise a line that typing has extended or shortened (see `isSame`).
  ///
  /// - Returns: The index of the new line for each old line; `nil` if no such line is found.
  private static func found(
    _ old: [ArraySlice<UInt8>], in new: [ArraySlice<UInt8>]
  ) -> [Int?] {
    var same: [ArraySlice<UInt8>: [Int]] = [:]
    for (index, line) in new.enumerated().reversed() { same[line, default: []].append(index) }
    var lines = old.map { same[$0]?.popLast() }
    guard new.count <= typedLinesMax else { return lines }
    var left = Set(new.indices).subtracting(lines.compactMap { $0 }).sorted()
    for index in old.indices where lines[index] == nil {
      guard let place = left.firstIndex(where: { isSame(old[index], new[$0]) }) else { continue }
      lines[index] = left.remove(at: place)
    }
    return lines
  }

  /// Whether typing can have turned the line `old` into the line `new`. `true` if the text of one
  /// line, after the check box, begins with the text of the other line.
  private static func isSame(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
    guard old.count > checkBoxCount, new.count > checkBoxCount else { return false }
    let (old, new) = (old.dropFirst(checkBoxCount), new.dropFirst(checkBoxCount))
    return old.starts(with: new) || new.starts(with: old)
  }

  /// The number of bytes of `- [ ] `, with which the line of every todo begins.
  private static let checkBoxCount = 6
}
