/// The replacements of whole lines that turn one text into another. Lines that are equal in both
/// texts stay.
struct LineDifference {
  let edits: [TextReplacement]

  /// The maximum number of differing lines that are compared, because the comparison takes
  /// quadratic time. A larger number is replaced as a whole.
  private static let linesMax = 2_000

  init(_ old: BufferText, _ new: BufferText) {
    let (oldLines, newLines) = (old.wholeLines, new.wholeLines)
    var before = 0
    let most = min(oldLines.count, newLines.count)
    while before < most, oldLines[before] == newLines[before] { before += 1 }
    var after = 0
    while after < most - before,
      oldLines[oldLines.count - 1 - after] == newLines[newLines.count - 1 - after]
    {
      after += 1
    }
    let oldMiddle = oldLines[before..<oldLines.count - after]
    let newMiddle = newLines[before..<newLines.count - after]
    var list = EditList()
    if max(oldMiddle.count, newMiddle.count) > Self.linesMax {
      list.replace(
        lines: oldMiddle.first?.startIndex ?? old.start(ofLine: before),
        oldMiddle.last?.endIndex ?? old.start(ofLine: before), with: newMiddle)
    } else {
      var removed = Set<Int>()
      var inserted: [Int: ArraySlice<UInt8>] = [:]
      for change in newMiddle.difference(from: oldMiddle) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, let line, _): inserted[offset] = line
        }
      }
      var (from, to) = (0, 0)
      while from < oldMiddle.count || to < newMiddle.count || inserted[to] != nil {
        let start = from
        while removed.contains(from) { from += 1 }
        var lines: [ArraySlice<UInt8>] = []
        while let line = inserted[to] {
          lines.append(line)
          to += 1
        }
        if from > start || !lines.isEmpty {
          list.replace(
            lines: old.start(ofLine: before + start), old.start(ofLine: before + from),
            with: lines[...])
        } else {
          (from, to) = (from + 1, to + 1)
        }
      }
    }
    edits = list.sorted()
  }
}

extension EditList {
  fileprivate mutating func replace(
    lines start: Int, _ end: Int, with new: ArraySlice<ArraySlice<UInt8>>
  ) {
    guard start < end || !new.isEmpty else { return }
    add(TextReplacement(range: start..<end, text: Array(new.joined())))
  }
}

extension BufferText {
  /// The lines with their endings, without an empty last line.
  var wholeLines: [ArraySlice<UInt8>] {
    lineStarts.indices.compactMap { number in
      let line = bytes[lineStarts[number]..<start(ofLine: number + 1)]
      return line.isEmpty ? nil : line
    }
  }

  /// Returns the offset at which a line starts; the end of the text if the number is out of range.
  fileprivate func start(ofLine number: Int) -> Int {
    number < lineStarts.count ? lineStarts[number] : bytes.count
  }
}
