import TodoModel

extension Document {
  /// Reads any text. Lines that are not todos become plain lines.
  ///
  /// - Parameters:
  ///   - today: The day that dates such as `due:fri` count from.
  ///   - marks: The marks that the store has assigned.
  ///   - shown: The entries that the document has shown. With them, two more kinds of lines become
  ///     todos: indented lines with a mark, and lines with a mark but without a check box. The mark
  ///     must be the mark of a shown todo, and must not be in any other line.
  package init(
    reading bytes: [UInt8], on today: CivilDay, marks: AssignedMarks = AssignedMarks(),
    shown: ShownEntries? = nil
  ) {
    var parser = DocumentParser(bytes, on: today, marks, shown: shown)
    self = parser.read()
  }

  /// Reads a text, and also returns the positions of its parts.
  package static func located(
    in bytes: [UInt8], on today: CivilDay, marks: AssignedMarks = AssignedMarks(),
    shown: ShownEntries? = nil
  ) -> (document: Document, places: DocumentPlaces) {
    var parser = DocumentParser(bytes, on: today, marks, shown: shown)
    let document = parser.read()
    return (document, parser.places)
  }

  /// Reads only the entries around some lines. The cost does not depend on the rest of the text if
  /// the entries near the lines have marks.
  ///
  /// - Parameter lines: The range of bytes of whole lines. Todos in this range are complete;
  ///   entries of plain lines may be incomplete.
  package static func located(
    in bytes: [UInt8], around lines: Range<Int>, on today: CivilDay,
    marks: AssignedMarks = AssignedMarks()
  ) -> (document: Document, places: DocumentPlaces) {
    let part = bytes.independentPart(around: lines, marks)
    var parser = DocumentParser(bytes, part: part, on: today, marks, shown: nil)
    let document = parser.read()
    return (document, parser.places)
  }
}

/// The positions of the parts of a document: ranges of bytes that begin at the start of a line, and
/// end before a line end.
package struct DocumentPlaces: Sendable, Equatable {
  package var heading: Range<Int>?
  /// The range of each entry.
  package var entries: [Range<Int>] = []
  package var end: Range<Int>?
}

/// A parser that reads a text line by line.
///
/// A todo begins with a list item that has a check box and is not indented. With `shown`, some
/// other lines with marks also begin a todo (see `Document.init(reading:)`). The todo's note is the
/// indented lines below it, and the blank lines between them. Everything else, up to the next todo,
/// is text.
private struct DocumentParser {
  private var lines: LineScanner
  private let today: CivilDay
  private let marks: AssignedMarks
  private let shown: ShownEntries?
  /// The todos with marks in lines that are not indented.
  private lazy var notIndented = lines.marksNotIndented()
  /// The todos whose marks are in lines that have a check box.
  private lazy var boxed = lines.marksWithBox()
  private var document = Document()
  private(set) var places = DocumentPlaces()
  /// The todo whose lines are being read.
  private var head: (line: DocumentLine, range: Range<Int>, indent: Int)?
  private var body: [Range<Int>] = []
  /// The lines of the plain text that is being read.
  private var text: [Range<Int>] = []
  /// The last blank lines. They become part of the note or the text that follows, if any.
  private var blanks: [Range<Int>] = []

  init(
    _ bytes: [UInt8], part: Range<Int>? = nil, on today: CivilDay, _ marks: AssignedMarks,
    shown: ShownEntries?
  ) {
    lines = LineScanner(shown == nil ? bytes : bytes.joiningBoxes(marks), part: part, marks)
    (self.today, self.marks, self.shown) = (today, marks, shown)
  }

  mutating func read() -> Document {
    while let line = lines.next() { for part in lines.joinedTodos(in: line) { parse(part) } }
    parseIndentedEnd()
    dropHalfWord()
    endTodo()
    endText()
    if places.end == nil, lines.isCut {
      document.half = LineSource(bytes: lines.last, today: today)
    }
    return document
  }

  /// Recognizes an end marker that an editor has indented together with the lines of a note.
  /// Removes it from the note, but does not regard the document as whole: a note may contain such a
  /// line, and more text may follow it.
  private mutating func parseIndentedEnd() {
    guard places.end == nil, self.lines.hasTextEnd else { return }
    var lines = head == nil ? text : body
    guard let last = lines.popLast(),
      self.lines[last].trimmingBlanks.elementsEqual(DocumentWords.end)
    else { return }
    places.end = last
    while lines.last?.isEmpty == true { lines.removeLast() }
    if head == nil { text = lines } else { body = lines }
  }

  /// Drops the last line if it is the beginning of a fixed word of the format, because a program
  /// may not have written the rest of the word yet.
  private mutating func dropHalfWord() {
    guard lines.isCut, !document.isWhole else { return }
    if let head, head.line.isConflict, let last = body.last {
      if DocumentWords.isIncomplete(lines[last].droppingIndent, of: DocumentWords.ofSides) {
        body.removeLast()
      }
    } else if head == nil, let last = text.last {
      if DocumentWords.isIncomplete(lines[last], of: DocumentWords.ofLines) {
        text.removeLast()
      }
    }
  }

  private mutating func parse(_ range: Range<Int>) {
    let line = lines[range]
    guard let first = line.first else { return blanks.append(range) }
    if ASCII.isBlank(first), let (todo, range) = indentedTodo(at: range) {
      begin(todo, range, indent: line.prefix { ASCII.isBlank($0) }.count)
    } else if head != nil, ASCII.isBlank(first) {
      body += blanks
      body.append(range)
      blanks.removeAll(keepingCapacity: true)
    } else if let (todo, range) = todo(at: range) {
      begin(todo, range)
    } else if first == UInt8(ascii: "<"), parseComment(line, range) {
      endTodo()
      if document.isWhole { endBlanks() }
      endText()
    } else if line.allSatisfy({ ASCII.isBlank($0) }) {
      blanks.append(range)
    } else {
      endTodo()
      text += blanks
      text.append(range)
      text += lines.restOfFence(from: line)
      blanks.removeAll(keepingCapacity: true)
    }
  }

  /// Returns the todo of an indented line with the mark of a shown todo, and the range of all lines
  /// of its title; `nil` for any other line.
  private mutating func indentedTodo(at range: Range<Int>) -> (DocumentLine, Range<Int>)? {
    let line = lines[range].trimmingBlanks
    guard let shown, HeadLine.isHead(line) else { return nil }
    var (todo, range, scanner) = (HeadLine.read(line, on: today, marks), range, lines)
    if todo?.mark == nil, let broken = scanner.brokenTodo(from: range, on: today) {
      (todo, range) = broken
    }
    guard let todo, let id = todo.mark?.id, shown.todos.contains(id), !notIndented.contains(id)
    else { return nil }
    lines = scanner
    return (todo, range)
  }

  /// Returns the todo that begins with a line, and the range of all lines of its title; `nil` for
  /// any other line.
  private mutating func todo(at range: Range<Int>) -> (DocumentLine, Range<Int>)? {
    let line = lines[range]
    guard HeadLine.isHead(line) else { return todoWithoutBox(line).map { ($0, range) } }
    let todo = HeadLine.read(line, on: today, marks)
    if todo?.mark == nil, let broken = lines.brokenTodo(from: range, on: today) { return broken }
    return todo.map { ($0, range) }
  }

  private mutating func todoWithoutBox(_ line: ArraySlice<UInt8>) -> DocumentLine? {
    guard let shown, let todo = HeadLine.readWithoutBox(line, on: today, marks),
      let id = todo.mark?.id,
      shown.todos.contains(id), !boxed.contains(id),
      !shown.texts.contains(LineDigest.text(String(decoding: line, as: UTF8.self)))
    else { return nil }
    return todo
  }

  private mutating func begin(_ todo: DocumentLine, _ range: Range<Int>, indent: Int = 0) {
    endTodo()
    endBlanks()
    endText()
    head = (todo, range, indent)
  }

  /// Adds blank lines as a separate entry if no plain line is next to them.
  private mutating func endBlanks() {
    guard text.isEmpty, let first = blanks.first, let last = blanks.last else { return }
    let lines = blanks.map { self.lines[$0] }.joined(separator: [ASCII.newline])
    document.entries.append(.text(String(decoding: Array(lines), as: UTF8.self)))
    places.entries.append(first.lowerBound..<last.upperBound)
    blanks.removeAll(keepingCapacity: true)
  }

  /// Parses the heading or the end marker; returns `false` if the line is neither.
  private mutating func parseComment(_ line: ArraySlice<UInt8>, _ range: Range<Int>) -> Bool {
    let line = line.trimmingBlanks
    if line.elementsEqual(DocumentWords.end) {
      document.isWhole = true
      places.end = range
      return true
    }
    guard document.heading == nil, document.entries.isEmpty, head == nil,
      text.isEmpty || isFrontMatter, let heading = DocumentHeading(line)
    else { return false }
    document.heading = heading
    places.heading = range
    return true
  }

  /// Whether the lines so far are front matter: enclosed in `---`.
  private var isFrontMatter: Bool {
    let rules = text.indices.filter { lines[text[$0]].elementsEqual(FrontMatter.rule) }
    return rules == [0, text.count - 1]
  }

  // MARK: Ends of entries

  private mutating func endTodo() {
    guard let head else { return }
    var todo = head.line
    self.head = nil
    defer { body.removeAll(keepingCapacity: true) }
    if todo.isConflict {
      let lines = body.map { self.lines[$0].droppingBlanks(head.indent).droppingIndent }
      SideReader(lines, on: today, marks).read(into: &todo)
    } else if head.indent > 0 {
      let lines = body.map { self.lines[$0].droppingBlanks(head.indent).droppingIndent }
      todo.content.note = String(
        decoding: Array(lines.joined(separator: [ASCII.newline])), as: UTF8.self)
    } else if let first = body.first, body.count == 1 {
      todo.content.note = String(decoding: lines[first].droppingIndent, as: UTF8.self)
    } else if !body.isEmpty {
      todo.content.note = lines.noteText(in: body)
    }
    if todo.isEscaped { todo.content.note = LineBreakText.unescaped(todo.content.note) }
    guard todo.mark != nil || NoteField.problem(with: todo.content.note) == nil else {
      // Too long for a note: the lines become plain lines instead.
      text = [head.range] + body
      return
    }
    document.entries.append(.todo(todo))
    places.entries.append(head.range.lowerBound..<(body.last ?? head.range).upperBound)
  }

  private mutating func endText() {
    var bytes: [UInt8] = []
    var start: Int?
    for (index, range) in text.enumerated() {
      let line = lines[range]
      start = start ?? range.lowerBound
      let isBlank = line.allSatisfy { ASCII.isBlank($0) }
      bytes += line
      if !isBlank {
        if index == text.count - 1 {
          for range in blanks { bytes += [ASCII.newline] + lines[range] }
        }
        document.entries.append(.text(String(decoding: bytes, as: UTF8.self)))
        let last = index == text.count - 1 ? blanks.last ?? range : range
        places.entries.append((start ?? range.lowerBound)..<last.upperBound)
        start = nil
        bytes.removeAll(keepingCapacity: true)
      } else {
        bytes.append(ASCII.newline)
      }
    }
    text.removeAll(keepingCapacity: true)
    blanks.removeAll(keepingCapacity: true)
  }
}

extension DocumentHeading {
  /// Parses `<!-- todo-server NAME SOURCE GENERATION -->`, with an optional remark before `-->`;
  /// `nil` for any other line.
  fileprivate init?(_ line: ArraySlice<UInt8>) {
    guard line.starts(with: DocumentWords.headingStart),
      line.suffix(3).elementsEqual(DocumentWords.headingEnd)
    else { return nil }
    let words = line.dropFirst(DocumentWords.headingStart.count).dropLast(3)
      .split(separator: ASCII.space)
    guard words.count >= 3, let generation = Int64(ascii: words[2]) else { return nil }
    let source = WordText.read(words[1])
    self.init(
      list: TodoListKey(
        profile: WordText.read(words[0]), source: source == "local" ? "" : source),
      generation: generation, isKept: words.count == 3)
  }
}
