import TodoDocument
import TodoModel

/// A parsed text, and the todos of lines that do not contain their marks yet.
struct ReadText: Sendable {
  let text: BufferText
  let document: Document
  let places: DocumentPlaces
  /// The todos of applied lines, by line number. They are needed for lines without a mark.
  private(set) var todos: [Int: TodoID]
  /// The marks that the store has assigned; `nil` if they are not known yet.
  let marks: AssignedMarks?
  /// Whether missing lines count as removed.
  private var isComplete = true
  private let today: CivilDay

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - today: The day from which dates such as `due:fri` are resolved.
  ///   - marks: The marks that the store has assigned; `nil` if they are not known yet.
  ///   - shown: The entries that the document has shown. With them, indented lines and lines
  ///     without a check box are also found as todos (see
  ///     `Document.init(reading:on:marks:shown:)`).
  init(
    _ text: BufferText, on today: CivilDay, marks: AssignedMarks?, todos: [Int: TodoID] = [:],
    shown: ShownEntries? = nil
  ) {
    (self.text, self.marks, self.todos, self.today) = (text, marks, todos, today)
    (document, places) = Document.located(
      in: text.bytes, on: today, marks: marks ?? .unread, shown: shown)
  }

  /// Parses only the todos that are in some lines, for a request that a client may send at each
  /// keypress.
  init(
    _ text: BufferText, around lines: ClosedRange<Int>, on today: CivilDay,
    marks: AssignedMarks?, todos: [Int: TodoID]
  ) {
    (self.text, self.marks, self.todos, self.today) = (text, marks, todos, today)
    let numbers = lines.clamped(to: 0...text.lineStarts.count - 1)
    let end = numbers.upperBound + 1
    (document, places) = Document.located(
      in: text.bytes,
      around: text.lineStarts[
        numbers.lowerBound]..<(end < text.lineStarts.count
        ? text.lineStarts[end] : text.bytes.count),
      on: today, marks: marks ?? .unread)
  }

  /// Returns the same text, parsed so that todos of its generation (a recorded version of the
  /// document) are also found in indented lines and in lines without a check box.
  func finding(_ generation: DocumentGeneration?) -> ReadText {
    guard let generation, document.lacksTodos(of: generation, besides: rememberedTodos) else {
      return self
    }
    return parsed(marks, shown: ShownEntries(generation))
  }

  /// Returns the same text, parsed with the marks that the store has assigned. Parses the text
  /// again only if the marks were not known before.
  func finding(_ marks: AssignedMarks) -> ReadText {
    self.marks == nil ? parsed(marks, shown: nil) : self
  }

  private func parsed(_ marks: AssignedMarks?, shown: ShownEntries?) -> ReadText {
    var read = ReadText(text, on: today, marks: marks, todos: todos, shown: shown)
    read.isComplete = isComplete
    return read
  }

  /// The todos of applied lines, as in `todos`, but by the index of the entry and not by line
  /// number.
  var rememberedEntries: [Int: TodoID] {
    guard !todos.isEmpty else { return [:] }
    var entries: [Int: TodoID] = [:]
    for (index, place) in places.entries.enumerated() {
      if let id = todos[text.lineNumber(at: place.lowerBound)] { entries[index] = id }
    }
    return entries
  }

  /// The todos of lines that do not contain their marks yet.
  private var rememberedTodos: Set<TodoID> {
    var todos = Set<TodoID>()
    for (index, id) in rememberedEntries {
      if case .todo = document.entries[index] { todos.insert(id) }
    }
    return todos
  }

  /// A copy of this value, in which missing lines do not count as removed.
  var withoutRemovals: ReadText {
    var read = self
    read.isComplete = false
    return read
  }

  func merge(
    madeFrom known: BufferHistory, now contents: DocumentContents, path: String
  ) -> DocumentMerge {
    DocumentMerge(
      document, madeFrom: known.generation, now: contents, path: path, isComplete: isComplete,
      remembered: rememberedEntries, removed: known.removed, savedDates: known.savedDates,
      versions: known.versions)
  }

  /// Returns the index of the entry that contains a line; `nil` if no entry does.
  func entry(atLine line: Int) -> Int? {
    guard text.lineStarts.indices.contains(line) else { return nil }
    let offset = text.lineStarts[line]
    return places.entries.firstIndex { $0.lowerBound <= offset && offset <= $0.upperBound }
  }

  /// Returns the todo of an entry, from the mark of its line or from `todos`; `nil` if there is
  /// none.
  func todo(ofEntry index: Int) -> TodoID? {
    guard document.entries.indices.contains(index), places.entries.indices.contains(index),
      case .todo(let line) = document.entries[index]
    else { return nil }
    return line.mark?.id ?? todos[text.lineNumber(at: places.entries[index].lowerBound)]
  }

  /// Returns the form (bullet and tick) of a todo's line; the usual form for a plain line.
  func form(ofEntry index: Int) -> LineForm {
    guard case .todo(let line) = document.entries[index] else { return LineForm() }
    return line.form
  }

  /// Returns the heading in the first line of a text, below any front matter; `nil` if this line is
  /// not a heading.
  static func heading(of text: BufferText) -> DocumentHeading? {
    let line = FrontMatter.end(lines: { text.line($0) }, count: text.lineStarts.count)
    return Document(reading: Array(text.line(line)) + [Byte.newline], on: .first).heading
  }
}

extension ReadText {
  /// Adds the todos of lines to `todos`, and replaces earlier todos of the same lines.
  mutating func merge(_ new: [Int: TodoID]) { todos.merge(new) { _, new in new } }
}

extension [Int: TodoID] {
  /// Returns the todos with their line numbers replaced by those of a later text.
  func moved(by moves: LineMapping) -> [Int: TodoID] { moved { moves.line($0) } }

  func moved(_ place: (Int) -> Int?) -> [Int: TodoID] {
    var moved: [Int: TodoID] = [:]
    for (line, id) in self { if let line = place(line) { moved[line] = id } }
    return moved
  }
}
