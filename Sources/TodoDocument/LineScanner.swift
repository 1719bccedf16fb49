import TodoModel

/// A scanner that reads a text line by line. Lines end with line feeds. If the first line ends with
/// CR LF, the scanner assumes that an editor has added a CR to each line, and returns the lines
/// without these CRs.
struct LineScanner {
  private let bytes: [UInt8]
  private let marks: AssignedMarks
  /// The end of the part of the text that is scanned.
  private let end: Int
  private let hasReturns: Bool
  private var position = 0
  /// The last failed search for the end of a code fence. `end` is where the search stopped.
  private var failedFence: (mark: UInt8, count: Int, end: Int)?

  /// Creates a scanner of a text.
  ///
  /// - Parameter part: The range of the lines to scan; `nil` for all lines.
  init(_ bytes: [UInt8], part: Range<Int>? = nil, _ marks: AssignedMarks) {
    // Some editors begin every text with a byte order mark.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    (self.bytes, self.marks) = (bytes, marks)
    end = part?.upperBound ?? bytes.count
    position = part?.lowerBound ?? 0
    if position == 0, bytes.starts(with: mark) { position = mark.count }
    hasReturns = Document.hasReturns(bytes)
  }

  /// Whether the scanned part ends where the text ends.
  var hasTextEnd: Bool { end == bytes.count }

  /// Whether the last line has no line end.
  var isCut: Bool { end > 0 && bytes[end - 1] != ASCII.newline }

  var last: [UInt8] { Array(bytes[bytes.lineStart(at: end)..<end]) }

  subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  mutating func next() -> Range<Int>? {
    guard position < end else { return nil }
    let start = position
    var end = start
    bytes.withUnsafeBufferPointer { bytes in
      while end < self.end, bytes[end] != ASCII.newline { end += 1 }
    }
    position = end + 1
    if hasReturns, end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
    return start..<end
  }

  /// Returns the line at a position, and the position after it, without moving the scanner; `nil`
  /// at the end.
  private func peek(at position: Int) -> (range: Range<Int>, next: Int)? {
    var scanner = self
    scanner.position = position
    return scanner.next().map { ($0, scanner.position) }
  }

  /// Returns the note in the given lines, without the indentation.
  func noteText(in ranges: [Range<Int>]) -> String {
    var note: [UInt8] = []
    note.reserveCapacity(ranges.reduce(0) { $0 + $1.count + 1 })
    for (index, range) in ranges.enumerated() {
      if index > 0 { note.append(ASCII.newline) }
      note += bytes[range].droppingIndent
    }
    return String(decoding: note, as: UTF8.self)
  }
}

/// The recognition of code fences, and of lines that an editor has joined, broken or indented.
extension LineScanner {
  /// Splits a line in which an editor has joined the lines of several todos. Each part after the
  /// first begins with a check box directly after the mark of the part before it.
  func joinedTodos(in range: Range<Int>) -> [Range<Int>] {
    let line = bytes[range]
    guard let first = line.first, !ASCII.isBlank(first) else { return [range] }
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var next = range.lowerBound
    while let sign = line[next...].firstIndex(of: UInt8(ascii: "^")) {
      next = sign + 1
      guard ASCII.isBlank(line[max(sign - 1, start)]),
        let (end, box) = marks.beforeBox(at: sign, in: line),
        HeadLine.isHead(line[start..<sign].trimmingBlanks)
      else { continue }
      parts.append(start..<end)
      (start, next) = (box, box)
    }
    return parts + [start..<range.upperBound]
  }

  /// Returns the todos with marks in lines that are not indented, anywhere in the text.
  func marksNotIndented() -> Set<TodoID> {
    var scanner = self
    scanner.position = 0
    var todos = Set<TodoID>()
    while let range = scanner.next() {
      let line = bytes[range]
      guard let first = line.first, !ASCII.isBlank(first) else { continue }
      todos.formUnion(marks.todos(in: line))
    }
    return todos
  }

  /// Returns the todos with marks in lines with a check box, anywhere in the text.
  func marksWithBox() -> Set<TodoID> {
    var scanner = self
    scanner.position = 0
    var todos = Set<TodoID>()
    while let range = scanner.next() {
      for part in joinedTodos(in: range) {
        let line = bytes[part].trimmingBlanks
        if HeadLine.isHead(line) { todos.formUnion(marks.todos(in: line)) }
      }
    }
    return todos
  }

  /// Reads a todo whose line an editor has broken into several lines. The todo's title ends at its
  /// mark. Returns `nil` if a blank line, or the start of another element, comes before the mark.
  mutating func brokenTodo(
    from first: Range<Int>, on today: CivilDay
  ) -> (DocumentLine, Range<Int>)? {
    var joined = Array(bytes[first].trimmingBlanks)
    var position = position
    for _ in 0..<Self.brokenLinesMax {
      guard let following = peek(at: position) else { return nil }
      let (range, next) = endOfTodo(in: following.range) ?? following
      let line = bytes[range].trimmingBlanks
      guard let byte = line.first, !HeadLine.isHead(line), byte != UInt8(ascii: "<"),
        Heading.text(of: String(decoding: line, as: UTF8.self)) == nil, line.fence == nil,
        !line.isRule
      else { return nil }
      joined += [ASCII.space] + line
      position = next
      // The earlier lines contain no mark, so only this line can complete the todo.
      guard line.contains(UInt8(ascii: "^")) else { continue }
      if let todo = HeadLine.read(joined[...], on: today, marks), let mark = todo.mark {
        guard mark.isAssigned else { return nil }
        self.position = position
        return (todo, first.lowerBound..<range.upperBound)
      }
    }
    return nil
  }

  private static let brokenLinesMax = 40

  /// Returns the part of a line up to a mark that is followed by a check box, and the position of
  /// the box.
  private func endOfTodo(in range: Range<Int>) -> (Range<Int>, Int)? {
    let line = bytes[range]
    var rest = line
    while let sign = rest.firstIndex(of: UInt8(ascii: "^")) {
      if sign == line.startIndex || ASCII.isBlank(line[sign - 1]),
        let (end, box) = marks.beforeBox(at: sign, in: line)
      {
        return (range.lowerBound..<end, box)
      }
      rest = line[(sign + 1)...]
    }
    return nil
  }

  /// Consumes and returns the lines of a code fence below its first line, up to and including its
  /// last line. Returns no lines if a line with a mark, the start of another fence, or the end
  /// marker comes before the end of the fence. A line that begins with `#` is often a comment of
  /// the code, so it does not count as a heading.
  mutating func restOfFence(from first: ArraySlice<UInt8>) -> [Range<Int>] {
    guard let (mark, count) = first.fence else { return [] }
    if let failed = failedFence, failed.mark == mark, failed.count <= count, position < failed.end {
      return []
    }
    var (lines, position): ([Range<Int>], Int) = ([], position)
    while let (range, next) = peek(at: position) {
      let line = bytes[range]
      lines.append(range)
      position = next
      if let (other, otherCount) = line.fence, other == mark, otherCount >= count {
        if line.trimmingBlanks.allSatisfy({ $0 == mark }) {
          self.position = position
          return lines
        }
        if otherCount == count { break }
      }
      if line.trimmingBlanks.elementsEqual(DocumentWords.end) || marks.hasMark(line) { break }
    }
    failedFence = (mark, count, position)
    return []
  }
}

extension [UInt8] {
  /// Returns the smallest range of whole lines around `range` that can be parsed without the rest
  /// of the text.
  ///
  /// The range begins and ends at the start of a line with a check box and a mark, or at an end of
  /// the text. Such a line is in no fence and no other todo, whatever is above it.
  func independentPart(around range: Range<Int>, _ marks: AssignedMarks) -> Range<Int> {
    var lower = lineStart(at: range.lowerBound)
    while lower > 0, !isMarkedTodo(at: lower, marks) { lower = lineStart(at: lower - 1) }
    var upper = range.upperBound
    while upper < count,
      upper == 0 || self[upper - 1] != ASCII.newline
        || !isMarkedTodo(at: upper, marks)
    {
      upper = self[upper...].firstIndex(of: ASCII.newline).map { $0 + 1 } ?? count
    }
    return lower..<upper
  }

  private func isMarkedTodo(at start: Int, _ marks: AssignedMarks) -> Bool {
    guard HeadLine.isHead(self[start...]) else { return false }
    return marks.hasMark(self[start...].prefix { $0 != ASCII.newline })
  }

  /// Returns the start of the line that contains an offset.
  fileprivate func lineStart(at offset: Int) -> Int {
    self[..<offset].lastIndex(of: ASCII.newline).map { $0 + 1 } ?? 0
  }
}

extension ArraySlice<UInt8> {
  /// The character of a code fence and its number of repetitions; `nil` if the line does not begin
  /// or end a fence.
  var fence: (mark: UInt8, count: Int)? {
    guard let first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return nil }
    let count = prefix { $0 == first }.count
    return count >= 3 ? (first, count) : nil
  }

  /// Whether a line consists of three or more `-`.
  fileprivate var isRule: Bool { count >= 3 && allSatisfy { $0 == UInt8(ascii: "-") } }
}

extension ArraySlice<UInt8> {
  var trimmingBlanks: ArraySlice<UInt8> {
    var slice = self
    while let last = slice.last, ASCII.isBlank(last) { slice.removeLast() }
    while let first = slice.first, ASCII.isBlank(first) { slice.removeFirst() }
    return slice
  }

  /// Returns the bytes without up to `count` blanks at the start.
  func droppingBlanks(_ count: Int) -> ArraySlice<UInt8> {
    dropFirst(prefix(count).prefix { ASCII.isBlank($0) }.count)
  }

  /// The bytes without the two spaces, or the tab, that make a line part of a note.
  var droppingIndent: ArraySlice<UInt8> {
    if first == ASCII.tab { return dropFirst() }
    return dropFirst(prefix(2).prefix { $0 == ASCII.space }.count)
  }

  func endsWithWord(_ word: [UInt8]) -> Bool {
    guard last == word.last, count >= word.count, suffix(word.count).elementsEqual(word) else {
      return false
    }
    return count == word.count || ASCII.isBlank(self[endIndex - word.count - 1])
  }
}
