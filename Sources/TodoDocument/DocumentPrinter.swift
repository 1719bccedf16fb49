import TodoModel

/// A printer that writes a list as a document.
///
///     DocumentPrinter.print(heading, contents)
package struct DocumentPrinter {
  private var out: [UInt8] = []
  private var forms: [TodoID: LineForm] = [:]
  private var marks: AssignedMarks

  /// Returns the text of a list.
  ///
  /// - Parameters:
  ///   - forms: The forms (bullet and tick) of those lines that do not have the usual `LineForm()`.
  ///   - hasReturns: Whether lines end with CR LF.
  package static func print(
    _ heading: DocumentHeading, _ contents: DocumentContents, in forms: [TodoID: LineForm] = [:],
    hasReturns: Bool = false
  ) -> [UInt8] {
    var printer = DocumentPrinter(forms: forms, marks: contents.marks)
    let count = FrontMatter.count(of: contents.texts)
    for text in contents.texts.prefix(count) { printer.print(text.text) }
    printer.print(heading)
    printer.printAll(contents, afterTexts: count)
    return hasReturns ? printer.out.withReturns : printer.out
  }

  private mutating func print(_ heading: DocumentHeading) {
    out += DocumentWords.headingStart
    WordText.write(heading.list.profile, to: &out)
    out.append(ASCII.space)
    WordText.write(heading.list.isLocal ? "local" : heading.list.source, to: &out)
    out += " \(heading.generation) \(heading.isKept ? "" : "\(DocumentWords.notKept) ")-->\n".utf8
  }

  private mutating func printAll(_ contents: DocumentContents, afterTexts count: Int) {
    let ids = contents.texts.isEmpty ? [] : Set(contents.todos.map(\.id))
    var below: [TodoID: [String]] = [:]
    for text in contents.texts.dropFirst(count) {
      // Right below a todo, an indented line would be its note.
      if let id = text.after, ids.contains(id), below[id] != nil || !text.text.isIndented {
        below[id, default: []].append(text.text)
      } else {
        print(text.text)
      }
    }
    for todo in contents.todos {
      print(todo)
      if !below.isEmpty { for text in below[todo.id] ?? [] { print(text) } }
    }
    out += DocumentWords.end
    out.append(ASCII.newline)
  }

  private mutating func print(_ text: String) {
    out += text.utf8
    out.append(ASCII.newline)
  }

  private mutating func print(_ todo: DocumentTodo) {
    let isEscaped = todo.hasLineBreaks
    print(head: todo, isEscaped: isEscaped)
    out.append(ASCII.newline)
    if todo.sides.isEmpty {
      print(note: todo.content.note, isEscaped, indent: DocumentWords.indent)
    } else {
      print(todo.sides, isEscaped)
    }
  }

  private mutating func print(head todo: DocumentTodo, isEscaped: Bool) {
    let form = forms[todo.id] ?? LineForm()
    let (content, last) = todo.content.splitBeforeForeignMark(marks)
    out += [form.bullet, ASCII.space]
    print(box: content, tick: form.tick)
    out.append(ASCII.space)
    out += todo.mark.written
    if isEscaped {
      out.append(ASCII.space)
      out += DocumentWords.escaped
    }
    if !todo.sides.isEmpty {
      out.append(ASCII.space)
      out += DocumentWords.conflict
    }
    if let last { out += [ASCII.space] + last.utf8 }
  }

  /// Returns the lines of a todo, each with its line end.
  package static func lines(
    of todo: DocumentTodo, in form: LineForm = LineForm(), marks: AssignedMarks
  ) -> [UInt8] {
    var printer = DocumentPrinter(forms: [todo.id: form], marks: marks)
    printer.print(todo)
    return printer.out
  }

  /// Returns the heading, with its line end.
  package static func line(of heading: DocumentHeading) -> [UInt8] {
    var printer = DocumentPrinter(marks: AssignedMarks())
    printer.print(heading)
    return printer.out
  }

  /// The end marker, with its line end.
  package static let endLine = DocumentWords.end + [ASCII.newline]

  /// Returns the first line of a todo, without its line end.
  package static func head(
    of todo: DocumentTodo, in form: LineForm = LineForm(), marks: AssignedMarks
  ) -> [UInt8] {
    var printer = DocumentPrinter(forms: [todo.id: form], marks: marks)
    printer.print(head: todo, isEscaped: todo.hasLineBreaks)
    return printer.out
  }

  private mutating func print(box content: TodoContent, tick: UInt8 = LineForm().tick) {
    out += [UInt8(ascii: "["), content.isDone ? tick : ASCII.space, UInt8(ascii: "]"), ASCII.space]
    let start = out.count
    TitleText.write(content.title, to: &out)
    AttributeWords.escapeEnd(of: &out, from: start)
    TitleText.escapeMarks(in: &out, from: start, marks)
    AttributeWords.write(content, to: &out)
  }

  private mutating func print(_ sides: [DocumentSide], _ isEscaped: Bool) {
    for (index, side) in sides.enumerated() {
      print(line: DocumentWords.sideStart(side.whose, isFirst: index == 0))
      out += DocumentWords.indent
      print(box: side.content)
      out.append(ASCII.newline)
      print(note: side.content.note, isEscaped, indent: DocumentWords.indent + DocumentWords.indent)
    }
    print(line: DocumentWords.sidesEnd)
  }

  private mutating func print(line: [UInt8]) {
    out += DocumentWords.indent
    out += line
    out.append(ASCII.newline)
  }

  /// Prints a note. Blank lines within it are not indented, because editors would remove the
  /// indentation. Blank lines at its end are indented, because they would not belong to the note
  /// otherwise.
  private mutating func print(note: String, _ isEscaped: Bool, indent: [UInt8]) {
    guard !note.isEmpty else { return }
    var note = isEscaped ? LineBreakText.escaped(note) : note
    note.withUTF8 { bytes in
      var contentEnd = bytes.count
      while contentEnd > 0, bytes[contentEnd - 1] == ASCII.newline { contentEnd -= 1 }
      var start = 0
      while start <= bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != ASCII.newline { end += 1 }
        if end > start || start >= contentEnd { out += indent }
        out += bytes[start..<end]
        out.append(ASCII.newline)
        start = end + 1
      }
    }
  }
}

extension [UInt8] {
  /// The text with CR LF instead of each LF.
  package var withReturns: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(count + count / 32)
    for byte in self {
      if byte == ASCII.newline { text.append(ASCII.carriageReturn) }
      text.append(byte)
    }
    return text
  }
}

extension DocumentTodo {
  /// Whether a text of the todo has a character that an editor could treat as a line end.
  fileprivate var hasLineBreaks: Bool {
    guard sides.isEmpty else {
      return LineBreakText.isNeeded(inTitle: content.title)
        || sides.contains { $0.content.hasLineBreaks }
    }
    return content.hasLineBreaks
  }
}

extension TodoContent {
  /// Splits the last word from the title, if the word looks like a mark of another program, such as
  /// the `^a1b2` of a block in Obsidian. The word is printed at the end of the line, because the
  /// other program finds it only there.
  fileprivate func splitBeforeForeignMark(
    _ marks: AssignedMarks
  ) -> (content: TodoContent, last: String?) {
    let bytes = Array(title.utf8)
    guard let sign = bytes[...].foreignMark(marks) else { return (self, nil) }
    var content = self
    content.title = String(decoding: bytes[..<(sign - 1)], as: UTF8.self)
    return (content, String(decoding: bytes[sign...], as: UTF8.self))
  }

  fileprivate var hasLineBreaks: Bool {
    LineBreakText.isNeeded(inTitle: title) || LineBreakText.isNeeded(inNote: note)
  }
}

extension String {
  /// Whether all characters are blanks or line feeds.
  package var isBlank: Bool { utf8.allSatisfy { $0 == ASCII.newline || ASCII.isBlank($0) } }

  /// Whether the first line that is not blank is indented.
  package var isIndented: Bool {
    var first: UInt8?
    for byte in utf8 {
      if byte == ASCII.newline {
        first = nil
      } else {
        first = first ?? byte
        if !ASCII.isBlank(byte) { return first.map(ASCII.isBlank) ?? false }
      }
    }
    return false
  }
}
