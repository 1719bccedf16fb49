/// A list of non-overlapping replacements in one text.
struct EditList: Sendable {
  private var edits: [TextReplacement] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Returns the replacements in the order of the text, with adjacent replacements joined.
  func sorted() -> [TextReplacement] {
    var joined: [TextReplacement] = []
    let order = edits.enumerated().sorted { a, b in
      (a.element.range.lowerBound, a.element.range.upperBound, a.offset)
        < (b.element.range.lowerBound, b.element.range.upperBound, b.offset)
    }
    for (_, edit) in order {
      guard let last = joined.last, last.range.upperBound >= edit.range.lowerBound else {
        joined.append(edit)
        continue
      }
      joined[joined.count - 1] = TextReplacement(
        range: last.range.lowerBound..<max(last.range.upperBound, edit.range.upperBound),
        text: last.text + edit.text)
    }
    return joined
  }

  /// Replaces the part of a range that differs from the new bytes.
  ///
  /// The part is extended to whole lines: a replacement of a few digits could produce a wrong date
  /// if an editor applied it to another version. An insertion is not extended, so that the cursor
  /// keeps its position.
  mutating func replace(_ range: Range<Int>, in text: BufferText, with new: [UInt8]) {
    guard let edit = TextReplacement(of: range, in: text.bytes, with: new) else { return }
    edits.append(edit.range.isEmpty ? edit : edit.withWholeLines(in: text.bytes, of: range))
  }

  /// Removes whole lines: the byte range `lines`, and the line ending after this range.
  mutating func remove(_ lines: Range<Int>, in text: BufferText) {
    edits.append(
      TextReplacement(range: lines.lowerBound..<text.lineEnd(after: lines.upperBound), text: []))
  }

  mutating func insert(_ lines: [UInt8], before offset: Int) {
    edits.append(TextReplacement(range: offset..<offset, text: lines))
  }

  mutating func insert(
    _ lines: [UInt8], afterLineAt offset: Int, in text: BufferText, _ lineEnd: [UInt8]
  ) {
    let end = text.lineEnd(after: offset)
    let isCut = end == text.bytes.count && end > 0 && text.bytes[end - 1] != Byte.newline
    let isFirst = isCut && !edits.contains { $0.range == end..<end }
    edits.append(TextReplacement(range: end..<end, text: isFirst ? lineEnd + lines : lines))
  }
}

extension TextReplacement {
  /// Creates the smallest replacement that turns a range into new bytes without splitting a
  /// character; `nil` if the range already contains these bytes.
  init?(of range: Range<Int>, in bytes: [UInt8], with new: [UInt8]) {
    let old = bytes[range]
    guard !old.elementsEqual(new) else { return nil }
    var before = 0
    let most = min(old.count, new.count)
    while before < most, old[old.startIndex + before] == new[before] { before += 1 }
    while before > 0, before < new.count, Byte.isContinuation(new[before]) { before -= 1 }
    while before > 0, before < old.count, Byte.isContinuation(old[old.startIndex + before]) {
      before -= 1
    }
    var after = 0
    while after < most - before, old[old.endIndex - 1 - after] == new[new.count - 1 - after] {
      after += 1
    }
    while after > 0, Byte.isContinuation(new[new.count - after]) { after -= 1 }
    self.init(
      range: range.lowerBound + before..<range.upperBound - after,
      text: Array(new[before..<new.count - after]))
  }
}

extension TextReplacement {
  /// Returns the replacement extended to whole lines, but not beyond the byte range `range`.
  fileprivate func withWholeLines(in bytes: [UInt8], of range: Range<Int>) -> TextReplacement {
    var start = self.range.lowerBound
    while start > range.lowerBound, bytes[start - 1] != Byte.newline { start -= 1 }
    var end = self.range.upperBound
    while end < range.upperBound, bytes[end] != Byte.newline { end += 1 }
    return TextReplacement(
      range: start..<end,
      text: bytes[start..<self.range.lowerBound] + text + bytes[self.range.upperBound..<end])
  }
}

extension BufferText {
  /// Returns the offset of the end of the line that contains `offset`. The line ending is part of
  /// the line.
  fileprivate func lineEnd(after offset: Int) -> Int {
    let line = lineNumber(at: offset) + 1
    return line < lineStarts.count ? lineStarts[line] : bytes.count
  }
}
