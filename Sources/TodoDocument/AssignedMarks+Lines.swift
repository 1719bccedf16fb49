import TodoModel

/// The recognition of marks in lines. A mark is a `^word` that identifies the todo of a line.
///
/// A `^word` is a mark only if the store has assigned it; any other `^word` is text. Marks of the
/// older format, `^id.version`, are recognized by their form.
extension AssignedMarks {
  struct Found {
    /// The todo of the mark; `nil` for a mark of another list.
    var anchor: LineAnchor?
    /// The index after the mark.
    var end: Int
  }

  /// Returns the mark whose `^` is at an index; `nil` if there is none. Text may follow the mark
  /// directly.
  func mark(at sign: Int, in line: ArraySlice<UInt8>) -> Found? {
    if let (anchor, end) = LineAnchor.older(at: sign, in: line) {
      return Found(anchor: anchor, end: end)
    }
    let characters = line[(sign + 1)...].prefix(TodoMark.count)
    guard let owner = TodoMark(characters).flatMap(owner) else { return nil }
    switch owner {
    case .todo(let id): return Found(anchor: LineAnchor(id: id), end: characters.endIndex)
    case .otherList: return Found(anchor: nil, end: characters.endIndex)
    }
  }

  /// Returns the todo of the mark at the end of a line, and the text before the mark. The todo is
  /// `nil` if it is not in this list; the pair is `nil` if the line does not end with a mark.
  func mark(endOf line: ArraySlice<UInt8>) -> (LineAnchor?, ArraySlice<UInt8>)? {
    let start = line.lastIndex { ASCII.isBlank($0) }.map { $0 + 1 } ?? line.startIndex
    guard start < line.endIndex, line[start] == UInt8(ascii: "^") else { return nil }
    let before = line[..<start].trimmingBlanks
    // Text directly after a mark, such as `.5`, is not part of it.
    if let found = mark(at: start, in: line) {
      return found.end == line.endIndex ? (found.anchor, before) : nil
    }
    return LineAnchor(olderWord: line[start...]).map { ($0, before) }
  }

  /// Returns the todo of the last mark in a line, and the text before and after the mark. The todo
  /// is `nil` if it is not in this list. Returns `nil` if the line has no mark that follows a
  /// blank.
  func mark(
    within line: ArraySlice<UInt8>
  ) -> (LineAnchor?, ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    var end = line.endIndex
    while let sign = line[..<end].lastIndex(of: UInt8(ascii: "^")) {
      end = sign
      // A mark begins a word. Without this check, a line would be read again for each of its `^`.
      guard sign > line.startIndex, ASCII.isBlank(line[sign - 1]) else { continue }
      guard let found = mark(at: sign, in: line) else { continue }
      return (found.anchor, line[..<sign].trimmingBlanks, line[found.end...])
    }
    return nil
  }

  func hasMark(_ line: ArraySlice<UInt8>) -> Bool {
    line.indices.contains { line[$0] == UInt8(ascii: "^") && mark(at: $0, in: line) != nil }
  }

  /// Returns the todos whose marks a line contains, except todos of other lists.
  func todos(in line: ArraySlice<UInt8>) -> [TodoID] {
    line.indices.compactMap { index in
      line[index] == UInt8(ascii: "^") ? mark(at: index, in: line)?.anchor?.id : nil
    }
  }

  /// Returns the range of the last mark of a todo in a line; `nil` if the line has no such mark.
  package func range(of id: TodoID, in line: ArraySlice<UInt8>) -> Range<Int>? {
    var end = line.endIndex
    while let sign = line[..<end].lastIndex(of: UInt8(ascii: "^")) {
      if let found = mark(at: sign, in: line), found.anchor?.id == id { return sign..<found.end }
      end = sign
    }
    return nil
  }

  /// Finds the place at which an editor has joined two todos into one line: the mark of the first
  /// todo, blanks, and the check box of the second todo.
  ///
  /// - Returns: The end of the mark whose `^` is at `sign`, and the index of the check box; `nil`
  ///   if there is no mark at `sign`, or if no check box follows the mark.
  func beforeBox(at sign: Int, in line: ArraySlice<UInt8>) -> (end: Int, box: Int)? {
    guard let end = mark(at: sign, in: line)?.end else { return nil }
    let blanks = line[end...].prefix { ASCII.isBlank($0) }
    guard !blanks.isEmpty, HeadLine.isHead(line[blanks.endIndex...]) else { return nil }
    return (end, blanks.endIndex)
  }
}

extension ArraySlice<UInt8> {
  /// Returns the index of the `^` of a foreign mark; `nil` if there is none. A foreign mark is the
  /// last word of a text, looks like a mark, was not assigned by the store, and follows exactly one
  /// space.
  package func foreignMark(_ marks: AssignedMarks) -> Int? {
    guard let sign = lastIndex(of: UInt8(ascii: "^")), sign > startIndex + 1,
      self[sign - 1] == ASCII.space, !ASCII.isBlank(self[sign - 2]), sign + 1 < endIndex,
      self[(sign + 1)...].allSatisfy({ Self.isOfForeignMark($0) }),
      marks.mark(at: sign, in: self) == nil
    else { return nil }
    return sign
  }

  private static func isOfForeignMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
    default: false
    }
  }
}

/// Marks of the older format, `^id.version`.
extension LineAnchor {
  /// The number of bytes of an ID that was assigned while marks had the older format.
  private static let idBytes = 16

  /// Whether an ID has the form of an ID that was assigned while marks had the older format.
  static func looksMade(_ id: TodoID) -> Bool {
    id.text.utf8.count == Self.idBytes
      && id.text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
  }

  /// Returns the mark at an index, and its end; `nil` if its ID does not have the form of an
  /// assigned ID.
  fileprivate static func older(
    at sign: Int, in line: ArraySlice<UInt8>
  ) -> (mark: LineAnchor, end: Int)? {
    let name = line[(sign + 1)...].prefix(idBytes)
    let point = sign + 1 + idBytes
    guard name.count == idBytes, point < line.endIndex, line[point] == UInt8(ascii: ".") else {
      return nil
    }
    let digits = line[(point + 1)...].prefix { ASCII.isDigit($0) }
    guard let version = Int64(ascii: digits) else { return nil }
    let mark = LineAnchor(id: TodoID(String(decoding: name, as: UTF8.self)), version: version)
    return mark.isAssigned ? (mark, digits.endIndex) : nil
  }

  /// Parses a word as a mark whose ID can have any form, such as the ID of an imported todo; `nil`
  /// if the word is not a mark of the older format.
  fileprivate init?(olderWord word: ArraySlice<UInt8>) {
    guard word.first == UInt8(ascii: "^"), let point = word.lastIndex(of: UInt8(ascii: ".")),
      let version = Int64(ascii: word[(point + 1)...])
    else { return nil }
    let name = word[..<point].dropFirst()
    guard !name.isEmpty else { return nil }
    self.init(id: TodoID(WordText.read(name)), version: version)
  }
}
