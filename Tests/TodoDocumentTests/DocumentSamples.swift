import TestSupport
import TodoModel

@testable import TodoDocument

/// Random titles and notes with all kinds of characters, and with texts that look like syntax of a
/// document.
struct DocumentSamples {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let pieces = [
    "a", "milk", " ", "  ", "\t", "\\", "\\\\", "&", "&#10;", "&#32;", "<!--", "-->",
    "<!-- end -->",
    "- [ ] ", "- [x] ", "[ ] ", "^k3f9.4", " ^k3f9abcdefgh1234.12", "!conflict", " !conflict", "#",
    "1.", "1)", "*", "_", "`", "=== theirs", "<<< mine", ">>>", "é", "e\u{301}", "日本語", "👩‍👩‍👧",
    "\u{2028}", "\u{2029}", "\u{85}", "\u{A0}", "\u{FEFF}", "\r", "\u{7F}", "%41", "|", "~", "#9",
    " #bug", " due:2026-12-01", " #\"two words\"", "\"", "due:", " #12", " !high", "#é",
  ]
  private static let labels = [
    "bug", "Bug", "two words", "12", "-a", "a/b.c_d-1", "#", "\"", "\\", "ä", "日本語", "👩‍👩‍👧", "^k3f9.4",
    "!conflict", "<!-- end -->", "due:2026-12-01", "e\u{301}", "a,b", "\\\"",
  ]

  mutating func title() -> String { text(of: Self.pieces) }
  /// Returns a title as a source may deliver it: with line ends and control characters.
  mutating func strangeTitle() -> String { text(of: Self.pieces + ["\n", "\r\n", "\0", "\u{1}"]) }
  mutating func note() -> String {
    Bool.random(using: &random)
      ? "" : text(of: Self.pieces + ["\n", "\n", "\n\n", "\r\n", "\n  ", "\n\t", "\n- [ ] b"])
  }

  private mutating func text(of pieces: [String]) -> String {
    (0..<Int.random(in: 0...8, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  mutating func content(isStrange: Bool = true) -> TodoContent {
    var content = TodoContent(
      title: isStrange ? strangeTitle() : title(), note: note(),
      isDone: Bool.random(using: &random))
    // A blank title has no fields: its first word would be one of them.
    guard !content.title.trimmed.isEmpty else { return content }
    let dates = [nil, nil, "2026-12-01", "0001-01-01T00:00", "9999-12-31T23:59"]
    content.due = dates.randomElement(using: &random)?.flatMap { DueDate($0) }
    content.priority = (Priority.allCases + [nil]).randomElement(using: &random) ?? nil
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      content.labels.insert(Self.labels.randomElement(using: &random) ?? "")
    }
    return content
  }

  mutating func todo(_ number: Int) -> DocumentTodo {
    let ids = ["\(100 + number)k3f9abcdefgh1", "import \(number)", "-- \(number)", "é.\(number)"]
    var todo = DocumentTodo(
      id: TodoID(ids.randomElement(using: &random) ?? ""),
      version: Int64.random(in: 1...1_000, using: &random), content: content())
    if Int.random(in: 0..<5, using: &random) == 0 {
      todo.sides = [
        DocumentSide(.mine, content()), DocumentSide(.mine, content()),
        DocumentSide(.theirs, todo.content),
      ]
    }
    return todo
  }
}

extension CivilDay {
  /// A Tuesday.
  static var sample: CivilDay { CivilDay(unchecked: "2026-12-01") }

  init(unchecked text: String) { self = CivilDay(text) ?? .first }
}

extension Document {
  init(reading bytes: [UInt8], marks: AssignedMarks = AssignedMarks()) {
    self.init(reading: bytes, on: .sample, marks: marks)
  }
  init(unfinished bytes: [UInt8], marks: AssignedMarks = AssignedMarks()) {
    self.init(unfinished: bytes, on: .sample, marks: marks)
  }
  static func located(
    in bytes: [UInt8], marks: AssignedMarks = AssignedMarks()
  ) -> (document: Document, places: DocumentPlaces) {
    located(in: bytes, on: .sample, marks: marks)
  }
}

extension DocumentHeading {
  static let sample = DocumentHeading(
    list: TodoListKey(profile: "ann", source: ""), generation: 17)
}

extension TodoContent {
  static func open(_ title: String, note: String = "") -> TodoContent {
    TodoContent(title: title, note: note, isDone: false)
  }
}

/// A list, its printed text, and the changes that another text makes.
struct Desk {
  var contents: DocumentContents
  var generation: DocumentGeneration

  init(_ todos: DocumentTodo..., texts: [PlainLine] = []) {
    contents = DocumentContents(todos: todos, texts: texts)
    generation = contents.generation(17)
  }

  /// The marks of the todos that the list has, or had at the beginning.
  var marks: AssignedMarks {
    var marks = contents.marks
    for todo in contents.todos { marks.add(todo.mark, of: todo.id) }
    return marks
  }

  var text: String {
    String(decoding: DocumentPrinter.print(.sample, contents), as: UTF8.self)
  }

  /// Returns the changes of a saved text.
  func changes(
    _ text: String, isKnown: Bool = true, on today: CivilDay = .sample,
    savedDates: [TodoID: String] = [:]
  ) -> [DocumentChange] {
    DocumentMerge(
      Document(reading: Array(text.utf8), on: today, marks: marks),
      madeFrom: isKnown ? generation : nil,
      now: contents, path: "/todos.md", savedDates: savedDates
    ).save.changes
  }
}

extension DocumentTodo {
  static let plants = DocumentTodo(
    id: TodoID("k3f9"), version: 4, content: .open("Water the plants"))
  static let rent = DocumentTodo(
    id: TodoID("p2q7"), version: 12,
    content: TodoContent(
      title: "Pay the rent", note: "By Friday, to the new account.", isDone: true))
  static let noted = DocumentTodo(
    id: TodoID("k3f9"), version: 12,
    content: .open("# 1. A & <!-- b", note: "One\n\nTwo\n  three\n"))
  static let door = DocumentTodo(
    id: TodoID("a8d1"), version: 2, content: .open("Fix the front door", note: "The hinge."),
    sides: [
      DocumentSide(.mine, .open("Fix the door")),
      DocumentSide(.theirs, .open("Fix the front door", note: "The hinge.")),
    ])
}
