import TodoDocument
import TodoModel

/// A parsed text, and the anchors (`^id.version`) of lines that do not contain them yet.
struct ReadText: Sendable {
  let text: BufferText
  let document: Document
  let places: DocumentPlaces
  /// The anchors of applied lines by line number, until the buffer contains them.
  private(set) var marks: [Int: LineAnchor]
  /// Whether missing lines count as removed.
  private var isComplete = true
  private let today: CivilDay

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - today: The day from which dates such as `due:fri` are resolved.
  ///   - shown: The entries that the document has shown, to find their todos in lines without a
  ///     box.
  init(
    _ text: BufferText, on today: CivilDay, marks: [Int: LineAnchor] = [:],
    shown: ShownEntries? = nil
  ) {
    (self.text, self.marks, self.today) = (text, marks, today)
    (document, places) = Document.located(in: text.bytes, on: today, shown: shown)
  }

  /// Parses only the todos that are in some lines, for a request that a client may send at each
  /// keypress.
  init(
    _ text: BufferText, around lines: ClosedRange<Int>, on today: CivilDay,
    marks: [Int: LineAnchor]
  ) {
    (self.text, self.marks, self.today) = (text, marks, today)
    let numbers = lines.clamped(to: 0...text.lineStarts.count - 1)
    let end = numbers.upperBound + 1
    (document, places) = Document.located(
      in: text.bytes,
      around: text.lineStarts[
        numbers.lowerBound]..<(end < text.lineStarts.count
        ? text.lineStarts[end] : text.bytes.count),
      on: today)
  }

  /// Returns the same text, parsed so that todos of its generation (a recorded version of the
  /// document) are also found in lines without a box.
  func finding(_ generation: DocumentGeneration?) -> ReadText {
    guard let generation, document.lacksTodos(of: generation, besides: rememberedTodos) else {
      return self
    }
    var read = ReadText(text, on: today, marks: marks, shown: ShownEntries(generation))
    read.isComplete = isComplete
    return read
  }

  /// The anchors in `marks`, by the index of the entry.
  var rememberedEntries: [Int: LineAnchor] {
    guard !marks.isEmpty else { return [:] }
    var entries: [Int: LineAnchor] = [:]
    for (index, place) in places.entries.enumerated() {
      if let mark = marks[text.lineNumber(at: place.lowerBound)] { entries[index] = mark }
    }
    return entries
  }

  /// The todos of lines that do not contain their anchors yet.
  private var rememberedTodos: Set<TodoID> {
    var todos = Set<TodoID>()
    for (index, mark) in rememberedEntries {
      if case .todo = document.entries[index] { todos.insert(mark.id) }
    }
    return todos
  }

  /// A copy in which missing lines do not count as removed.
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
      remembered: rememberedEntries, removed: known.removed, savedDates: known.savedDates)
  }

  /// Returns the index of the entry that contains a line; `nil` if no entry does.
  func entry(atLine line: Int) -> Int? {
    guard text.lineStarts.indices.contains(line) else { return nil }
    let offset = text.lineStarts[line]
    return places.entries.firstIndex { $0.lowerBound <= offset && offset <= $0.upperBound }
  }

  /// Returns the anchor of a todo, from its line or from `marks`; `nil` if there is none, or if the
  /// entry is not a todo.
  func mark(ofEntry index: Int) -> LineAnchor? {
    guard document.entries.indices.contains(index), places.entries.indices.contains(index),
      case .todo(let line) = document.entries[index]
    else { return nil }
    return line.mark ?? marks[text.lineNumber(at: places.entries[index].lowerBound)]
  }

  /// Returns the form of a todo's line; the usual one for an entry that is not a todo.
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
  /// Assigns anchors to lines.
  mutating func merge(_ new: [Int: LineAnchor]) { marks.merge(new) { _, new in new } }
}

extension [Int: LineAnchor] {
  /// Returns the anchors by line numbers of a later text.
  func moved(by moves: LineMapping) -> [Int: LineAnchor] { moved { moves.line($0) } }

  func moved(_ place: (Int) -> Int?) -> [Int: LineAnchor] {
    var moved: [Int: LineAnchor] = [:]
    for (line, mark) in self { if let line = place(line) { moved[line] = mark } }
    return moved
  }
}
