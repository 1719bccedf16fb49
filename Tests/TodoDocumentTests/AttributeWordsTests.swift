import TestSupport
import Testing
import TodoModel

@testable import TodoDocument

/// Tests due dates and labels that are written as words at the end of a title.
@Suite struct AttributeWordsTests {
  private func content(_ line: String) -> TodoContent? {
    Document(reading: Array("- [ ] \(line)\n".utf8)).lines.first?.content
  }

  private func plan(
    _ title: String = "Plan", due: String? = nil, labels: [String] = [], _ priority: Priority? = nil
  ) -> TodoContent {
    TodoContent(
      title: title, due: due.flatMap { DueDate($0) }, labels: LabelSet(labels), priority: priority)
  }

  private func printed(_ content: TodoContent) -> String {
    let todo = DocumentTodo(id: TodoID("k3f9"), version: 4, content: content)
    return String(decoding: DocumentPrinter.lines(of: todo, marks: AssignedMarks()), as: UTF8.self)
  }

  @Test func wordsAtTheEndAreFields() {
    #expect(content("Plan due:2026-12-01 #home") == plan(due: "2026-12-01", labels: ["home"]))
    #expect(
      content("Plan #a/b #\"two words\"  due:2026-12-01T17:30 ")
        == plan(due: "2026-12-01T17:30", labels: ["a/b", "two words"]))
    #expect(content("Plan #\"a \\\"b\\\" \\\\\"") == plan(labels: ["a \"b\" \\"]))
    #expect(content("Plan #Bug #bug") == plan(labels: ["Bug"]))
    #expect(content("Plan !low #a") == plan(labels: ["a"], .low))
  }

  @Test func fieldsComeBeforeAMarkOfAnotherProgram() {
    let todo = plan("Plan ^a1b2", due: "2026-12-01", labels: ["home"], .low)
    #expect(content("Plan due:2026-12-01 #home !low ^a1b2") == todo)
    #expect(printed(todo) == "- [ ] Plan due:2026-12-01 #home !low ^00k3f9 ^a1b2\n")
    #expect(content("Plan ^a1b2 #home") == plan("Plan ^a1b2", labels: ["home"]))
  }

  @Test(arguments: [
    "Plan #12", "Plan C#", "Plan @ann", "due:2026-12-01", "#home", "Plan due:diligence",
    "Plan due:2026-02-30", "Plan due:2026-12-01T24:00", "Plan #", "Plan #a,b", "Plan #\"\"",
    "Plan #\" a\"", "Plan x#home", "Plan #home.", "#home due: x", "Plan !urgent", "!high",
    "Plan !High", "Plan #\"open",
    "https://example.com/#home", "Plan #\"a\"b", "Plan #a\"b c\"",
  ])
  func otherWordsAreText(line: String) {
    let isLabel = line == "Plan #home."
    #expect(content(line) == (isLabel ? plan(labels: ["home."]) : plan(line)))
  }

  @Test func fieldsAreInTheirOrderAndOnlySuchTitlesAreEscaped() {
    let todo = plan(due: "2026-12-01", labels: ["home", "two words", "12"])
    #expect(
      printed(todo) == "- [ ] Plan due:2026-12-01 #\"12\" #home #\"two words\" ^00k3f9\n")
    #expect(printed(plan(labels: ["a"], .high)) == "- [ ] Plan #a !high ^00k3f9\n")
    #expect(printed(plan("Do it !low")) == "- [ ] Do it \\!low ^00k3f9\n")
    #expect(printed(plan("Fix #bug")) == "- [ ] Fix \\#bug ^00k3f9\n")
    #expect(printed(plan("Fix #bug", labels: ["a"])) == "- [ ] Fix \\#bug #a ^00k3f9\n")
    #expect(printed(plan("Pay due:2026-12-01")) == "- [ ] Pay due\\:2026-12-01 ^00k3f9\n")
    #expect(printed(plan("Say #\"a b\"")) == "- [ ] Say \\#\"a b\" ^00k3f9\n")
    for title in ["Fix #12", "C#", "Read #bug now", "due:2026-12-01 is late"] {
      #expect(printed(plan(title)) == "- [ ] \(title) ^00k3f9\n")
    }
  }

  @Test func anotherOrderOfTheWordsIsNotAnEdit() {
    let todo = DocumentTodo(
      id: TodoID("k3f9"), version: 4, content: plan(due: "2026-12-01", labels: ["a", "b"]))
    let desk = Desk(todo, .rent)
    let text = desk.text
    for words in ["#b #a due:2026-12-01", "#a due:2026-12-01 #b", "due:2026-12-01  #B #b #a"] {
      let moved = text.replacing("due:2026-12-01 #a #b", with: words)
      #expect(moved != text)
      if words.contains("#B") {
        #expect(desk.changes(moved).only?.edit?.fields == [.labels])
      } else {
        #expect(desk.changes(moved).isEmpty, "\(words)")
      }
    }
  }

  @Test func editOfAWordChangesItsField() throws {
    let todo = DocumentTodo(
      id: TodoID("k3f9"), version: 4, content: plan(due: "2026-12-01", labels: ["a"]))
    let desk = Desk(todo)
    let later = desk.changes(desk.text.replacing("12-01", with: "12-02"))
    #expect(later.only?.edit?.fields == [.due])
    #expect(later.only?.edit?.content.due == DueDate("2026-12-02"))
    let none = desk.changes(desk.text.replacing(" due:2026-12-01 #a", with: ""))
    #expect(none.only?.edit?.fields == [.due, .labels])
    #expect(none.only?.edit?.content == plan())
  }

  @Test func textAfterTheMarkKeepsTheFields() throws {
    let todo = DocumentTodo(
      id: TodoID("k3f9abcdefgh1234"), version: 4, content: plan(due: "2026-12-01", labels: ["a"]))
    let desk = Desk(todo)
    func content(_ typed: String) -> TodoContent? {
      desk.changes(desk.text.replacing("k3f9ab", with: "k3f9ab \(typed)")).only?.edit?.content
    }
    #expect(content("more") == plan("Plan more", due: "2026-12-01", labels: ["a"]))
    #expect(content("#b") == plan(due: "2026-12-01", labels: ["a", "b"]))
    #expect(
      content("more due:2026-12-02 #b") == plan("Plan more", due: "2026-12-02", labels: ["a", "b"]))
  }

  @Test func sidesOfAConflictHaveFields() {
    var todo = DocumentTodo.door
    todo.sides[0].content = plan("Fix the door", due: "2026-12-01", labels: ["two words"])
    let desk = Desk(todo)
    #expect(desk.text.contains("  [ ] Fix the door due:2026-12-01 #\"two words\"\n"))
    #expect(
      Document(reading: Array(desk.text.utf8), marks: desk.marks).lines.first?.sides == todo.sides)
    #expect(desk.changes(desk.text).isEmpty)
  }

  /// An earlier version wrote this title without an escape, because the words at the end of a title
  /// were not fields in that version.
  @Test func lineOfAnEarlierVersionIsNotAnEdit() {
    let todo = DocumentTodo(id: TodoID("k3f9"), version: 4, content: plan("Fix #bug"))
    var desk = Desk(todo)
    var digest = LineDigest()
    digest.add(0)
    digest.add("Fix #bug")
    digest.add("")
    desk.generation.lines[todo.id] = LineDigests(
      version: 4, digest: digest.value, cutDigest: digest.value)
    let old = desk.text.replacing("\\#bug", with: "#bug")
    #expect(desk.changes(old).isEmpty)
    // In a text of this version, the user has removed the escape.
    desk = Desk(todo)
    #expect(desk.changes(old).only?.edit?.content == plan("Fix", labels: ["bug"]))
  }

  @Test(arguments: 0..<10)
  func titlesAndFieldsReadBack(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = [
      "a", "#bug", "#\"two words\"", "due:2026-12-01", "#12", "C#", "\\", "\\#bug", "\"", "#\"",
      "due:",
      "x\"", "!high", "!low", "!", "#", "é", "#é", "^k3f9.4", "!conflict", "due\\:2026-12-01",
      "&#32;", "#a\\",
    ]
    for _ in 0..<300 {
      let count = Int.random(in: 1...5, using: &random)
      let title = (0..<count).map { _ in words.randomElement(using: &random) ?? "a" }
        .joined(separator: " ")
      var content = plan(title)
      if Bool.random(using: &random) { content.due = DueDate("2026-12-01") }
      content.priority = [nil, .high, .low].randomElement(using: &random) ?? nil
      for label in ["bug", "two words", "x"] where Bool.random(using: &random) {
        content.labels.insert(label)
      }
      let marks = Desk(DocumentTodo(id: TodoID("k3f9"), version: 4, content: content)).marks
      let line = Document(reading: Array(printed(content).utf8), marks: marks).lines.first
      #expect(line?.content == content, "\(printed(content))")
    }
  }
}
