import Testing
import TodoModel

@testable import TodoDocument

/// Tests edits that users and their editors make every day, grouped by the rule for documents that
/// each edit concerns.
@Suite struct EverydayEditTests {
  private static let (plants, rent) = ("k3f9abcdefgh1100", "p2q7abcdefgh1100")

  private static func todo(
    _ id: String, _ title: String, note: String = "", version: Int64 = 1
  ) -> DocumentTodo {
    DocumentTodo(id: TodoID(id), version: version, content: .open(title, note: note))
  }

  private let desk = Desk(
    todo(plants, "Water the plants"), todo(rent, "Pay the rent", note: "By Friday\n  or so"))

  private func titles(_ changes: [DocumentChange]) -> [String] {
    changes.compactMap { $0.edit?.content.title }
  }

  // MARK: Rule 2: text after a mark belongs to the title

  @Test(arguments: [
    (", then rest", "Water the plants , then rest"), ("500 EUR", "Water the plants 500 EUR"),
    ("5", "Water the plants 5"), (" 500 EUR", "Water the plants 500 EUR"),
    ("!", "Water the plants !"), (".5", "Water the plants .5"),
  ])
  func textTypedDirectlyAfterAMarkBelongsToTheTitle(typed: String, title: String) {
    let mark = "^\(Self.plants.prefix(6))"
    let changes = desk.changes(desk.text.replacing(mark, with: mark + typed))
    #expect(titles(changes) == [title])
    #expect(changes.count == 1)
    #expect(changes.first?.edit?.version == 1)
  }

  /// In the older format, a mark is the ID and the version.
  @Test func markOfTheOlderFormatIsRead() {
    var desk = desk
    let old = desk.text.replacing("^\(Self.plants.prefix(6))\n", with: "^\(Self.plants).1\n")
    #expect(desk.changes(old).isEmpty)
    #expect(
      titles(desk.changes(old.replacing(".1\n", with: ".1500 EUR\n"))) == [
        "Water the plants 500 EUR"
      ])
    desk.contents.todos[0].version = 15
    #expect(desk.changes(old.replacing(".1\n", with: ".15\n")).isEmpty)
  }

  // MARK: Rule 3: a title goes to its mark

  /// `>>` indents a line, and its note.
  @Test(arguments: ["  ", "    ", "\t"])
  func indentedLineKeepsItsTodo(indent: String) {
    let lines = desk.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let all = lines.map { $0.hasPrefix("<") || $0.isEmpty ? $0 : indent + $0 }
    let one = lines.map { $0.contains("rent ^") || $0.hasPrefix("  ") ? indent + $0 : $0 }
    for lines in [all, one] {
      let document = Document(
        reading: Array(lines.joined(separator: "\n").utf8), on: .sample, marks: desk.marks,
        shown: ShownEntries(desk.generation))
      let merge = DocumentMerge(
        document, madeFrom: desk.generation, now: desk.contents, path: "/todos.md")
      #expect(merge.save.changes.isEmpty)
    }
  }

  /// `J` joins two lines.
  @Test func joinedLinesKeepTheirTodos() {
    let desk = Desk(
      Self.todo(Self.plants, "Water the plants"), Self.todo(Self.rent, "Pay the rent"))
    for space in [" ", "  "] {
      let joined = desk.text.replacing("ab\n- [", with: "ab\(space)- [")
      #expect(desk.changes(joined).isEmpty)
    }
    let ticked = desk.text.replacing("ab\n- [ ]", with: "ab - [x]")
    #expect(desk.changes(ticked).compactMap(\.edit).map(\.content.isDone) == [true])
  }

  /// `gq` breaks a long line.
  @Test(arguments: ["\n", "\n  ", "\n      "])
  func brokenLineKeepsItsTodo(space: String) {
    #expect(desk.changes(desk.text.replacing("the plants", with: "the\(space)plants")).isEmpty)
    #expect(desk.changes(desk.text.replacing("plants ^", with: "plants\(space)^")).isEmpty)
    let edited = desk.text.replacing("the plants", with: "all\(space)the\(space)plants")
    #expect(titles(desk.changes(edited)) == ["Water all the plants"])
  }

  /// A new line ends before the next block.
  @Test(arguments: ["", "# Home", "---", "```", "- [ ] Other", "<!-- x -->"])
  func newLineEndsWhereSomethingElseBegins(between: String) {
    let text = desk.text.replacing(
      "- [ ] Water", with: "- [ ] New\n\(between)\nWater"
    ).replacing("```", with: "~~~")
    #expect(desk.changes(text).compactMap(\.added).first?.0.title == "New")
  }

  /// A note may have a copy of a line of another todo.
  @Test func copyOfALineInANoteStaysThere() {
    let copy = "- [ ] Water the plants ^\(Self.plants.prefix(6))"
    let desk = Desk(
      Self.todo(Self.plants, "Water the plants"), Self.todo(Self.rent, "Pay the rent", note: copy))
    let document = Document(
      reading: Array(desk.text.utf8), on: .sample, marks: desk.marks,
      shown: ShownEntries(desk.generation))
    let merge = DocumentMerge(
      document, madeFrom: desk.generation, now: desk.contents, path: "/todos.md")
    #expect(merge.save.changes.isEmpty)
  }

  /// A marked line without a box keeps its todo and its tick.
  @Test(arguments: [
    "- ", "", "[ ] ", "- [] ", "* ", "1. [ ] ", "2) ", "- [-] ", "- [X] ",
  ])
  func lineWithoutABoxKeepsItsTodo(start: String) throws {
    var desk = desk
    desk.contents.todos[0].content.isDone = true
    desk.generation = desk.contents.generation(17)
    let text = desk.text.replacing("- [x] Water", with: "\(start)Water")
    #expect(desk.repaired(text).isEmpty)
    let edits = desk.repaired(text.replacing("plants", with: "flowers")).compactMap(\.edit)
    #expect(edits.map(\.content.title) == ["Water the flowers"])
    #expect(edits.map(\.content.isDone) == [true])
  }

  /// A text that mentions a todo is not the todo.
  @Test func textWithAMarkStaysAText() {
    let mention = "After the plants ^\(Self.plants.prefix(6))"
    let texts = [PlainLine(id: 1, text: mention, after: nil)]
    let desk = Desk(
      Self.todo(Self.plants, "Water the plants"), Self.todo(Self.rent, "Pay the rent"),
      texts: texts)
    let line = "- [ ] Water the plants ^\(Self.plants.prefix(6))\n"
    let changes = desk.repaired(desk.text.replacing(line, with: ""))
    #expect(changes.compactMap(\.removed) == [TodoID(Self.plants)])
    #expect(changes.count == 1)
  }

  /// `gq` joins all lines, and breaks them anywhere, also within a box.
  @Test(arguments: 10...60) func brokenParagraphKeepsItsTodos(width: Int) {
    let desk = Desk(
      Self.todo(Self.plants, "Water the plants"), Self.todo(Self.rent, "Pay the rent of the flat"))
    let lines = desk.text.split(separator: "\n").map(String.init)
    for indent in ["", "  "] {
      var (text, column) = ("", 0)
      for word in lines[1...2].joined(separator: " ").split(separator: " ") {
        let isBreak = column > 0 && column + word.count > width
        text += isBreak ? "\n\(indent)\(word)" : column > 0 ? " \(word)" : word
        column = isBreak ? word.count : column + word.count + 1
      }
      #expect(desk.repaired("\(lines[0])\n\(text)\n\(lines[3])\n").isEmpty, "\(text)")
    }
  }

  // MARK: Rule 1: blank lines and fences

  @Test func blankLinesBetweenTodosAreTexts() throws {
    let text = desk.text.replacing("- [ ] Pay", with: "\n\n- [ ] Pay").replacing(
      "<!-- end", with: "\n<!-- end")
    let changes = desk.changes(text)
    #expect(changes.compactMap(\.texts).map { $0.map(\.text) } == [["\n"], [""]])
    #expect(changes.count == 2)
    let texts = [
      PlainLine(id: 1, text: "\n", after: TodoID(Self.plants)),
      PlainLine(id: 2, text: "", after: TodoID(Self.rent)),
    ]
    let stored = Desk(desk.contents.todos[0], desk.contents.todos[1], texts: texts)
    #expect(stored.text == text)
    #expect(stored.changes(text).isEmpty)
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      #expect(stored.changes(String(decoding: bytes[..<count], as: UTF8.self)).isEmpty)
    }
  }

  @Test func exampleInAFenceStaysAnExample() {
    let lines = ["```markdown", "- [ ] An example", "", "# A heading", "- [x] Another", "```"]
    let text = desk.text.replacing("<!-- end", with: lines.joined(separator: "\n") + "\n<!-- end")
    let changes = desk.changes(text)
    #expect(changes.compactMap(\.added).isEmpty)
    #expect(
      changes.compactMap(\.texts).joined().map(\.text)
        == ["```markdown", "- [ ] An example", "\n# A heading", "- [x] Another", "```"])
  }

  @Test func openFenceEndsBeforeTheNextFence() {
    let lines = ["```", "- [ ] Salt", "# A heading", "```sh", "# - [ ] An example", "```"]
    let text = desk.text.replacing("<!-- end", with: lines.joined(separator: "\n") + "\n<!-- end")
    #expect(desk.changes(text).compactMap(\.added).map(\.0.title) == ["Salt"])
  }

  /// A code fence that is typed above todos does not count as a fence, because a line with a mark
  /// comes before the end of the fence.
  @Test(arguments: ["```", "````", "~~~"])
  func fenceTypedAboveTodosRemovesNone(fence: String) {
    let text = desk.text.replacing("- [ ] Water", with: "\(fence)\n- [ ] New\n- [ ] Water")
    for text in [text, text.replacing("<!-- end", with: "\(fence)\n<!-- end")] {
      let changes = desk.changes(text)
      #expect(changes.compactMap(\.removed).isEmpty)
      #expect(changes.compactMap(\.added).map(\.0.title) == ["New"])
    }
  }

  // MARK: Rule 12: conflicts

  /// A changed tick of the todo also changes the user's side of the conflict, so that the tick
  /// counts whichever side is chosen.
  @Test func tickOfAConflictAppliesToTheUsersSide() throws {
    let desk = Desk(.door)
    let changes = desk.changes(desk.text.replacing("- [ ] Fix the", with: "- [x] Fix the"))
    let edit = try #require(changes.last?.edit)
    #expect((edit.fields, edit.content.isDone) == ([.done], true))
    guard case .keepConflict(_, let new, let gone)? = changes.first, changes.count == 2 else {
      Issue.record("\(changes)")
      return
    }
    #expect(new.map(\.content) == [TodoContent(title: "Fix the door", note: "", isDone: true)])
    #expect(gone == [LineDigest.side(.open("Fix the door"))])
  }

  // MARK: Rule 5: escapes

  @Test(arguments: [
    "#home", "[docs](url)", "**Urgent**", "[[Page]]", "`code`", "> quote", "1. first", "- item",
    "C:\\_foo \\(z\\)", "\\", "\\\\", "a\\*b", "<b>bold</b>", "A <!-- b", "~gone~", "=",
    "& so on", "see \\#bug there",
  ])
  func titleIsWrittenAsItIs(title: String) {
    let desk = Desk(Self.todo(Self.plants, title))
    #expect(desk.text.contains("- [ ] \(title) ^\(Self.plants.prefix(6))\n"))
    #expect(desk.changes(desk.text).isEmpty)
    let typed = Desk().changes("- [ ] \(title)\n").compactMap(\.added)
    #expect(typed.map(\.0.title) == [title])
  }

  @Test(arguments: [
    ("Fix #bug", "Fix \\#bug"), ("Fix \\#bug", "Fix \\\\#bug"), ("Do it !low", "Do it \\!low"),
    ("Pay due:2026-12-01", "Pay due\\:2026-12-01"), ("A &#10; b", "A \\&#10; b"),
    ("Say \\\\#\"a b\"", "Say \\\\\\#\"a b\""), ("Pay due\\:2026-12-01", "Pay due\\\\:2026-12-01"),
  ])
  func onlyAnAttributeOrAReferenceIsEscaped(title: String, written: String) {
    let desk = Desk(Self.todo(Self.plants, title))
    #expect(desk.text.contains("- [ ] \(written) ^"))
    #expect(desk.changes(desk.text).isEmpty)
    #expect(Desk().changes("- [ ] \(written)\n").compactMap(\.added).map(\.0.title) == [title])
  }

  /// The escapes that an earlier version has written into a file do not count as edits.
  @Test(arguments: [
    ("#home", "\\#home"), ("1. first", "1\\. first"), ("a\\*b", "a\\\\*b"),
    ("A <!-- b", "A \\<!-- b"),
  ])
  func escapesOfAnEarlierVersionChangeNothing(title: String, written: String) {
    let desk = Desk(Self.todo(Self.plants, title))
    let old = desk.text.replacing("] \(title) ^", with: "] \(written) ^")
    #expect(old != desk.text)
    #expect(desk.changes(old).isEmpty)
    let ticked = desk.changes(old.replacing("[ ]", with: "[x]")).compactMap(\.edit)
    #expect(ticked.map(\.fields) == [[.done]])
  }
}

extension Desk {
  /// Returns the changes in a text whose todos are also recognized in lines without a box.
  fileprivate func repaired(_ text: String) -> [DocumentChange] {
    let document = Document(
      reading: Array(text.utf8), on: .sample, marks: marks, shown: ShownEntries(generation))
    return DocumentMerge(
      document, madeFrom: generation, now: contents, path: "/todos.md"
    ).save.changes
  }
}
