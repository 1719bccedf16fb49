import TodoModel

/// The checks of the last line of an incomplete text. A program may have written only the beginning
/// of this line.
extension DocumentMerge {
  /// Whether the last line may be cut off: it has no line end, and it is the beginning of the line
  /// of a todo in the list. `false` if the store does not have the generation of the text.
  func isLastLineIncomplete() -> Bool {
    guard generation != nil, let half = document.half?.bytes else { return false }
    var form = LineForm()
    if let first = half.first, LineForm.bullets.contains(first) { form.bullet = first }
    if half.count > 3, half[3] == UInt8(ascii: "X") { form.tick = half[3] }
    return todos.values.contains {
      DocumentPrinter.head(of: $0, in: form, marks: marks).starts(with: half)
    }
  }

  /// Whether `line`, the last line of the text, may be the beginning of the line of a todo that an
  /// earlier save has added: a todo of the list that is not in the generation of the text.
  func isHalfOfAddition(_ line: DocumentLine) -> Bool {
    guard let generation, line.mark == nil else { return false }
    let isTitleCut = line.content.note.isEmpty && document.half != nil
    return todos.values.contains { todo in
      guard generation.lines[todo.id] == nil, todo.content.isDone == line.content.isDone,
        todo.content.note.utf8.starts(with: line.content.note.utf8)
      else { return false }
      return todo.content.title.hasSameBytes(as: line.content.title)
        || isTitleCut && todo.content.title.utf8.starts(with: line.content.title.utf8)
    }
  }
}

extension Document {
  /// Completes the mark of the last line, if a program has written only the beginning of the mark.
  /// Exactly one todo must fit: its mark begins with the characters in the line, no other line has
  /// this mark, and the line has the todo's text, perhaps with added words.
  mutating func completeMark(
    madeFrom generation: DocumentGeneration?, of todos: [TodoID: DocumentTodo],
    _ marks: AssignedMarks
  ) {
    guard let half, HeadLine.isHead(half.bytes[...]), case .todo(let last)? = entries.last,
      last.mark == nil, let sign = half.bytes.lastIndex(of: UInt8(ascii: "^")),
      ASCII.isBlank(half.bytes[sign - 1])
    else { return }
    var shown = generation?.lines ?? [:]
    for case .todo(let line) in entries { if let id = line.mark?.id { shown[id] = nil } }
    let completed = marks.beginning(with: half.bytes[(sign + 1)...]).compactMap { mark, id in
      shown[id].flatMap { line in
        half.with(mark.written, at: sign, marks).first { $0.isLine(of: todos[id], or: line) }
      }
    }
    guard completed.count == 1, var line = completed.first else { return }
    // The note has not been written yet.
    line.content.note = line.mark.flatMap { todos[$0.id]?.content.note } ?? ""
    entries[entries.count - 1] = .todo(line)
  }
}

extension LineSource {
  /// Returns the todo lines that result if `mark` replaces the rest of the line, from the `^` at
  /// the index `sign` on. One result ends with the mark; the other one has the word `!escaped`
  /// after the mark. Omits a result that is not a todo's line.
  fileprivate func with(
    _ mark: [UInt8], at sign: Int, _ marks: AssignedMarks
  ) -> [DocumentLine] {
    [[], [ASCII.space] + DocumentWords.escaped].compactMap { word in
      HeadLine.read((bytes[..<sign] + mark + word)[...], on: today, marks)
    }
  }
}

extension DocumentLine {
  /// Whether this line, whose note has not been written yet, belongs to a todo. This is so in
  /// either of these cases:
  /// - With the todo's current note, the line equals the todo's line in the generation of the
  ///   document.
  /// - The line's title has all words of the todo's current title, in their order.
  ///
  /// - Parameters:
  ///   - todo: The current todo; `nil` if it is removed.
  ///   - shown: The digests of the todo's line in the generation of the document.
  fileprivate func isLine(of todo: DocumentTodo?, or shown: LineDigests) -> Bool {
    var whole = self
    whole.content.note = todo?.content.note ?? ""
    return shown.isText(whole.digest)
      || todo.map { LineContinuation.isGrown(content.title, from: $0.content.title) } ?? false
  }
}

extension DocumentLine {
  /// Copies a changed tick of the line to the user's sides of the conflict, so that the tick
  /// applies whichever side is chosen.
  mutating func tickSides(unlike todo: DocumentTodo?) {
    guard let todo, todo.content.isDone != content.isDone else { return }
    for index in sides.indices where sides[index].whose == .mine {
      sides[index].content.isDone = content.isDone
    }
  }
}

extension DocumentTodo {
  /// Whether the todo's conflict has a side whose title begins with the title of `start`, and whose
  /// note begins with the note of `start`.
  func hasSide(from start: TodoContent) -> Bool {
    sides.contains { side in
      side.content.title.utf8.starts(with: start.title.utf8)
        && LineBreakText.isBegun(side.content.note, by: start.note)
    }
  }
}

extension TodoContent {
  /// Whether the note contains each line of another note, in the same order.
  func hasAllLines(of other: TodoContent) -> Bool {
    var lines = note.utf8.split(separator: ASCII.newline)[...]
    return other.note.utf8.split(separator: ASCII.newline).allSatisfy { line in
      while let next = lines.popFirst() { if next.elementsEqual(line) { return true } }
      return false
    }
  }
}

extension PlainLine {
  /// Whether a text is the beginning of this line.
  func isBegun(by half: String) -> Bool {
    text.utf8.drop { $0 == ASCII.newline }.starts(with: half.utf8.drop { $0 == ASCII.newline })
  }
}
