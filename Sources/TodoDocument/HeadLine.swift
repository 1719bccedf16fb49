import TodoModel

/// The first line of a todo: `- [ ] Title ^k3f9qd !escaped !conflict`.
enum HeadLine {
  static func read(
    _ line: ArraySlice<UInt8>, on today: CivilDay, _ marks: AssignedMarks
  ) -> DocumentLine? {
    guard let isDone = Self.isDone(line) else { return nil }
    var rest = title(line)
    var typed: ArraySlice<UInt8> = []
    var todo = DocumentLine(mark: nil, content: TodoContent(title: "", note: "", isDone: isDone))
    todo.form = form(line)
    var flags = LineFlags()
    let unflagged = flags.parse(endOf: rest)
    if let (mark, before) = marks.mark(endOf: unflagged) {
      (todo.mark, rest) = (mark, before)
    } else if let (mark, before, after) = marks.mark(within: unflagged) {
      // The user has typed after the mark.
      (todo.mark, rest) = (mark, before)
      let isApart = after.first.map(ASCII.isBlank) ?? true
      typed = isApart ? flags.parse(startOf: after.trimmingBlanks).trimmingBlanks : after
    } else if let sign = rest.foreignMark(marks) {
      // The fields of the line come before a mark of another program, as in a printed line.
      (rest, typed) = (rest[..<sign].trimmingBlanks, rest[sign...])
    }
    if let mark = todo.mark {
      (todo.isConflict, todo.isEscaped) = (flags.isConflict, flags.isEscaped)
      if mark.version ?? 0 > 9 { todo.source = LineSource(bytes: Array(line), today: today) }
    }
    todo.readTitle(rest, typed: typed, AttributeWords(on: today), marks)
    // A new todo with an invalid title is not rejected, but stays text.
    if todo.mark == nil, TitleField.problem(with: todo.content.title) != nil { return nil }
    return todo
  }

  /// Whether a line has a check box.
  static func isHead(_ line: ArraySlice<UInt8>) -> Bool { isDone(line) != nil }

  /// Returns whether the check box is ticked; `nil` if the line has no check box.
  private static func isDone(_ line: ArraySlice<UInt8>) -> Bool? {
    let start = line.startIndex
    guard line.count >= 5 else { return nil }
    guard LineForm.bullets.contains(line[start]), line[start + 1] == ASCII.space else { return nil }
    return box(line.dropFirst(2))
  }

  /// Returns the form (`LineForm`: bullet and tick) of a line that has a check box.
  private static func form(_ line: ArraySlice<UInt8>) -> LineForm {
    var form = LineForm()
    form.bullet = line[line.startIndex]
    let tick = line[line.startIndex + 3]
    if tick != ASCII.space { form.tick = tick }
    return form
  }

  private static func title(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.dropFirst(5).trimmingBlanks
  }

  /// Returns whether the box `[ ]` or `[x]` at the start is ticked; `nil` if there is no box, or if
  /// text follows it without a space.
  static func box(_ rest: ArraySlice<UInt8>) -> Bool? {
    let start = rest.startIndex
    guard rest.count >= 3, rest[start] == UInt8(ascii: "["),
      rest[start + 2] == UInt8(ascii: "]"), rest.count == 3 || ASCII.isBlank(rest[start + 3])
    else { return nil }
    switch rest[start + 1] {
    case ASCII.space: return false
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return true
    default: return nil
    }
  }
}

extension DocumentLine {
  /// Reads the title and the fields at its end.
  ///
  /// - Parameter typed: The text after the mark.
  fileprivate mutating func readTitle(
    _ written: ArraySlice<UInt8>, typed: ArraySlice<UInt8>, _ attributes: AttributeWords,
    _ marks: AssignedMarks
  ) {
    var attributes = attributes
    let all = (Array(written) + [ASCII.space] + typed)[...].trimmingBlanks
    let before = attributes.parse(endOf: written, into: &content)
    var (title, markdown) = (AttributeWords.withoutEscape(before), before)
    if !typed.isEmpty {
      let words = attributes.parse(typed: typed, into: &content)
      title = (title + [ASCII.space] + AttributeWords.withoutEscape(words)).trimmingBlanks
      markdown = (before + [ASCII.space] + words).trimmingBlanks
    }
    relativeDue = attributes.relativeDue
    content.title = TitleText.read(TitleText.withoutMarkEscapes(title, marks), isEscaped: isEscaped)
    if markdown.contains(ASCII.backslash) {
      markdownTitle = TitleText.readMarkdown(markdown, isEscaped: isEscaped)
    }
    if markdown.count != all.count {
      wholeTitle = TitleText.readMarkdown(all, isEscaped: isEscaped)
    }
  }
}

/// The words `!escaped` and `!conflict` after the mark of a line.
private struct LineFlags {
  var isConflict = false
  var isEscaped = false

  /// Reads the words `!escaped` and `!conflict` at the end of a line, and returns the text before
  /// them.
  mutating func parse(endOf line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = line
    if rest.endsWithWord(DocumentWords.conflict) {
      isConflict = true
      rest = rest.dropLast(DocumentWords.conflict.count).trimmingBlanks
    }
    if rest.endsWithWord(DocumentWords.escaped) {
      isEscaped = true
      rest = rest.dropLast(DocumentWords.escaped.count).trimmingBlanks
    }
    return rest
  }

  /// Reads the flags `!escaped` and `!conflict` right after a mark, and returns the text after
  /// them. A flag counts even without its last letters, which the user may have deleted.
  mutating func parse(startOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    let escaped = rest.prefix { !ASCII.isBlank($0) }
    // Fewer letters are the beginning of a word that the user types.
    if escaped.count > 4, DocumentWords.escaped.starts(with: escaped) {
      isEscaped = true
      rest = rest.dropFirst(escaped.count).trimmingBlanks
    }
    let conflict = rest.prefix { !ASCII.isBlank($0) }
    if !conflict.isEmpty, DocumentWords.conflict.starts(with: conflict) {
      isConflict = true
      rest = rest.dropFirst(conflict.count)
    }
    return rest
  }
}

extension Int64 {
  /// Parses 1 to 18 decimal digits; `nil` for any other text.
  init?(ascii digits: ArraySlice<UInt8>) {
    guard !digits.isEmpty, digits.count < 19 else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    self = value
  }
}
