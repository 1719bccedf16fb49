import TodoModel

/// Check boxes into which an editor has inserted a line end, such as with `gq` in Vim. The line end
/// is in one of these places:
/// - Between the brackets.
/// - Between the bullet and the box, if the bullet follows the mark of another todo in the same
///   line.
extension [UInt8] {
  /// Returns the bytes without the line ends in check boxes: each box is on the line of its bullet.
  /// The text after the box keeps its offset, because blanks take the place of the removed bytes.
  func joiningBoxes(_ marks: AssignedMarks) -> [UInt8] {
    var bytes = self
    for end in indices where self[end] == ASCII.newline {
      guard let last = self[..<end].lastIndex(where: { !$0.isSpace }),
        let next = self[(end + 1)...].firstIndex(where: { !ASCII.isBlank($0) })
      else { continue }
      if self[last] == UInt8(ascii: "["), self[next] == UInt8(ascii: "]"), isBeforeSpace(next),
        last >= 2, ASCII.isBlank(self[last - 1]), isBullet(last - 2)
      {
        bytes.put("[ ]", in: last...next)
      } else if isBullet(last), isAfterMark(last, marks),
        let isDone = HeadLine.box(self[next...].line)
      {
        bytes.put(isDone ? "- [x]" : "- [ ]", in: last...(next + 2))
      }
    }
    return bytes
  }

  private mutating func put(_ box: String, in range: ClosedRange<Int>) {
    let box = Array(box.utf8)
    let blanks = repeatElement(ASCII.space, count: range.count - box.count)
    replaceSubrange(range, with: box + blanks)
  }

  private func isBeforeSpace(_ index: Int) -> Bool {
    index + 1 == count || self[index + 1].isSpace
  }

  private func isBullet(_ index: Int) -> Bool {
    [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(self[index])
      && (index == 0 || self[index - 1].isSpace)
  }

  /// Whether a mark comes before the index, with only blanks between them.
  private func isAfterMark(_ index: Int, _ marks: AssignedMarks) -> Bool {
    let line = self[..<index].suffix(while: { $0 != ASCII.newline }).trimmingBlanks
    guard let sign = line.lastIndex(of: UInt8(ascii: "^")) else { return false }
    return marks.mark(at: sign, in: line)?.end == line.endIndex
  }
}

extension ArraySlice<UInt8> {
  fileprivate var line: ArraySlice<UInt8> { prefix { !$0.isSpace || ASCII.isBlank($0) } }

  fileprivate func suffix(while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !isIncluded($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}

extension UInt8 {
  /// Whether the byte is a blank, or part of a line end.
  fileprivate var isSpace: Bool {
    ASCII.isBlank(self) || self == ASCII.newline || self == ASCII.carriageReturn
  }
}
