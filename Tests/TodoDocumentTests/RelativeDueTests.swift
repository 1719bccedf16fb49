import Testing
import TodoModel

@testable import TodoDocument

/// Tests dates such as `due:fri` at the end of a title. The sample day is Tuesday, 2026-12-01.
@Suite struct RelativeDueTests {
  private static let nextWeek = CivilDay(unchecked: "2026-12-08")

  private func line(_ text: String, on today: CivilDay = .sample) -> DocumentLine? {
    Document(reading: Array("- [ ] \(text)\n".utf8), on: today).lines.first
  }

  private func milk(_ due: String? = nil) -> DocumentTodo {
    DocumentTodo(
      id: TodoID("k3f9"), version: 4,
      content: TodoContent(title: "Milk", due: due.flatMap { DueDate($0) }))
  }

  /// Returns the keys by which the store recognizes the changes of a text.
  private func keys(
    _ desk: Desk, _ text: String, on today: CivilDay = .sample
  ) -> Set<AdditionKey> {
    DocumentSave(path: "", generation: 1, changes: desk.changes(text, on: today)).additions
  }

  @Test(arguments: [
    ("today", "2026-12-01"), ("tomorrow", "2026-12-02"), ("fri", "2026-12-04"),
    ("Friday", "2026-12-04"), ("tue", "2026-12-08"), ("+3d", "2026-12-04"), ("+2w", "2026-12-15"),
    ("eom", "2026-12-31"),
  ])
  func wordsOfTheDateParserAreDates(word: String, date: String) {
    for text in [
      "Milk due:\(word)", "Milk !low due:\(word) #shop", "Milk ^k3f9abcdefgh1234.4 due:\(word)",
    ] {
      #expect(line(text)?.content.title == "Milk", "\(text)")
      #expect(line(text)?.content.due == DueDate(date), "\(text)")
      #expect(line(text)?.relativeDue == word.lowercased())
    }
  }

  @Test func anotherFormOfADateIsNotRelative() {
    let line = line("Milk due:2026-12-01T9:30")
    #expect(line?.content == TodoContent(title: "Milk", due: DueDate("2026-12-01T09:30")))
    #expect(line?.relativeDue == nil)
  }

  @Test(arguments: [
    "due:diligence", "due:fr", "due:frida", "due:next", "due:+d", "due:+3x", "due:+3", "due:-1d",
    "due:+99999999999999999999d", "due:fri17:30", "due:fri.", "Due:fri", "due:12-01", "due:",
  ])
  func otherWordsAreText(word: String) {
    #expect(line("Milk \(word)")?.content == TodoContent(title: "Milk \(word)"))
  }

  @Test(arguments: ["fri", "+3d", "tomorrow", "eom", "2026-12-01T9:30", "+2900000d"])
  func titleThatEndsInSuchAWordIsEscaped(word: String) {
    let content = TodoContent(title: "Pay due:\(word)", due: DueDate("2026-12-24"))
    let todo = DocumentTodo(id: TodoID("k3f9"), version: 4, content: content)
    let text = String(
      decoding: DocumentPrinter.lines(of: todo, marks: AssignedMarks()), as: UTF8.self)
    #expect(text == "- [ ] Pay due\\:\(word) due:2026-12-24 ^00k3f9\n")
    for today in [CivilDay.first, .sample, .last] {
      let document = Document(reading: Array(text.utf8), on: today, marks: AssignedMarks([todo]))
      #expect(document.lines.first?.content == content)
    }
  }

  /// An earlier version wrote this title without an escape, because words such as `due:fri` were
  /// not dates in that version.
  @Test func titleOfAnEarlierVersionIsNotAnEdit() {
    var desk = Desk(
      DocumentTodo(id: TodoID("k3f9"), version: 4, content: TodoContent(title: "Pay due:fri")))
    var digest = LineDigest()
    digest.add(0)
    digest.add("Pay due:fri")
    digest.add("")
    desk.generation.lines[TodoID("k3f9")] = LineDigests(
      version: 4, digest: digest.value, cutDigest: digest.value)
    #expect(desk.changes(desk.text.replacing("\\:", with: ":")).isEmpty)
  }

  @Test func sameTextOnAnotherDayIsTheSameEdit() throws {
    let desk = Desk(milk())
    let edited = desk.text.replacing("Milk ^", with: "Milk due:fri ^")
    let first = try #require(desk.changes(edited).only?.edit)
    let later = try #require(desk.changes(edited, on: Self.nextWeek).only?.edit)
    #expect(first.fields == [.due])
    #expect(first.content.due == DueDate("2026-12-04"))
    #expect(later.content.due == DueDate("2026-12-11"))
    // By these the store recognizes it.
    #expect(first.lineDigest == later.lineDigest)
    #expect(keys(desk, edited) == keys(desk, edited, on: Self.nextWeek))
    let dated = desk.text.replacing("Milk ^", with: "Milk due:2026-12-04 ^")
    #expect(keys(desk, edited) != keys(desk, dated))
  }

  @Test func sameAdditionOnAnotherDayIsTheSameAddition() {
    let desk = Desk()
    let text = desk.text.replacing("<!-- end", with: "- [ ] Milk due:fri\n<!-- end")
    #expect(keys(desk, text).count == 1)
    #expect(keys(desk, text) == keys(desk, text, on: Self.nextWeek))
  }

  @Test func savedWordStandsForTheDateOfTheList() {
    let desk = Desk(milk("2026-12-04"))
    let text = desk.text.replacing("due:2026-12-04", with: "due:fri")
    let saved = [TodoID("k3f9"): "fri"]
    #expect(desk.changes(text, on: Self.nextWeek, savedDates: saved).isEmpty)
    let edited = desk.changes(
      text.replacing("Milk", with: "Oat milk"), on: Self.nextWeek, savedDates: saved)
    #expect(edited.only?.edit?.fields == [.title])
    // Another word is another date.
    let other = desk.changes(
      text.replacing(":fri", with: ":sat"), on: Self.nextWeek, savedDates: saved)
    #expect(other.only?.edit?.content.due == DueDate("2026-12-12"))
  }

  @Test func wordForThePresentDateChangesNoField() {
    let desk = Desk(milk("2026-12-04"))
    #expect(desk.changes(desk.text.replacing("2026-12-04", with: "fri")).only?.edit?.fields == [])
  }

  @Test func textOfAConflictHasARelativeDate() {
    let desk = Desk(.door)
    let text = desk.text.replacing("[ ] Fix the door", with: "[ ] Fix the door due:fri")
    let sides = Document(reading: Array(text.utf8), marks: desk.marks).lines.first?.sides
    #expect(sides?.first?.content.due == DueDate("2026-12-04"))
    #expect(sides?.first?.relativeDue == "fri")
    #expect(!keys(desk, text).isEmpty)
    #expect(keys(desk, text) == keys(desk, text, on: Self.nextWeek))
  }
}
