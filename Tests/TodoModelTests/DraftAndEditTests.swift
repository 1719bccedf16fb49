import Testing

@testable import TodoModel

@Suite("Drafts and edits")
struct DraftAndEditTests {
  private let content = TodoContent(title: "Buy milk", note: "Two litres", isDone: false)

  @Test("A draft names every wrong field")
  func draftProblems() throws {
    let error = try #require(throws: TodoError.self) { _ = try NewTodo(title: " ", note: "\0") }
    #expect(error.kind == .validation)
    #expect(
      error.fields == [
        FieldProblem(field: "title", message: "A title must not be blank."),
        FieldProblem(field: "note", message: "A note must not contain U+0000."),
      ])
    #expect(error.message == "A title must not be blank. A note must not contain U+0000.")
  }

  @Test("An edit checks what it changes, and only that")
  func editProblems() throws {
    let error = try #require(throws: TodoError.self) { _ = try TodoEdit(title: "a\nb", note: "n") }
    #expect(error.fields.map(\.field) == ["title"])
    #expect(try TodoEdit(isDone: true, expectedVersion: 3) == TodoEdit(isDone: true, version: 3))
  }

  @Test("An edit without members changes nothing")
  func emptyEdit() throws {
    #expect(try TodoEdit().applied(to: content) == content)
  }

  @Test("Appended text gets the line ends of the note")
  func appending() throws {
    var edit = try TodoEdit()
    edit.appendedNote = "c\nd"
    let note = try edit.appending(to: TodoContent(title: "t", note: "a\r\nb\r\n")).note
    #expect(Array(note.utf8) == Array("a\r\nb\r\nc\r\nd".utf8))
    edit.appendedNote = ""
    #expect(try edit.appending(to: content) == content)
  }

  @Test("An edit changes what it names")
  func edits() throws {
    var expected = content
    expected.title = "Buy bread"
    #expect(try TodoEdit(title: " Buy bread ").applied(to: content) == expected)
    expected = content
    expected.note = ""
    #expect(try TodoEdit(note: "").applied(to: content) == expected)
    expected = content
    expected.isDone = true
    #expect(TodoEdit(isDone: true).applied(to: content) == expected)
    expected = TodoContent(title: "a", note: "b", isDone: true)
    #expect(try TodoEdit(title: "a", note: "b", isDone: true).applied(to: content) == expected)
  }

  @Test(
    "A draft continues another one by characters in its texts, and by words in its labels",
    arguments: [
      (ContentField.title, "Buy", "Buying", true), (.note, "Two", "Twofold", true),
      (.labels, "home", "home", true), (.labels, "home", "home,work", true),
      (.labels, "home", "home work", true), (.labels, "home", "homework", false),
      (.labels, "", "home", false), (.due, "tom", "tomorrow", false), (.due, "fri", "fri", true),
    ])
  func continuedDraft(field: ContentField, other: String, text: String, continues: Bool) {
    func draft(_ text: String) -> Draft {
      var changes = FieldChanges()
      changes.type(text, into: field)
      return Draft(
        base: EditBase(list: .local, id: TodoID("1"), version: 1), edit: .fields(changes))
    }
    #expect(draft(text).continues(draft(other)) == continues)
  }
}

extension TodoEdit {
  fileprivate init(isDone: Bool, version: Int64) {
    self.init(isDone: isDone)
    expectedVersion = version
  }
}

@Suite("Texts are compared byte for byte")
struct ByteExactEqualityTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test("Two spellings of one character are two texts")
  func texts() {
    #expect(composed == decomposed, "what Swift says of the two")
    #expect(!composed.hasSameBytes(as: decomposed))
    #expect(composed.hasSameBytes(as: composed))
    #expect("".hasSameBytes(as: ""))
    #expect(!"a".hasSameBytes(as: "ab"))
  }

  @Test("Contents differ by the spelling of title or note")
  func contents() {
    let content = TodoContent(title: composed, note: composed, isDone: false)
    #expect(content == TodoContent(title: composed, note: composed, isDone: false))
    #expect(content != TodoContent(title: decomposed, note: composed, isDone: false))
    #expect(content != TodoContent(title: composed, note: decomposed, isDone: false))
    #expect(content != TodoContent(title: composed, note: composed, isDone: true))
  }

  @Test("Rows differ by each member, and by the spelling of the title")
  func rows() {
    let row = TodoRow(
      id: TodoID("1"), title: composed, isDone: false, sync: .synced, number: 7)
    var others = Array(repeating: row, count: 5)
    others[0].title = decomposed
    others[1].isDone = true
    others[2].sync = .pending
    others[3].number = nil
    others[4].id = TodoID("2")
    for other in others { #expect(row != other) }
  }

  @Test("A row shows its todo without the note")
  func rowOfTodo() {
    let todo = Todo(
      id: TodoID("1"), content: TodoContent(title: "t", note: "n", isDone: true), version: 4,
      createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 1),
      origin: TodoOrigin(url: "u", number: 9), sync: .conflict)
    let row = TodoRow(
      id: TodoID("1"), title: "t", isDone: true, sync: .conflict, number: 9, url: "u")
    #expect(TodoRow(todo) == row)
  }
}
