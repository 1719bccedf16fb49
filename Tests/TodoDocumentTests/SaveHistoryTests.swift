import Testing
import TodoModel

@testable import TodoDocument

/// Tests rules 9 and 12 for documents. Several saves can be based on the same generation (recorded
/// version of the document). The rules determine which of these saves come from the same buffer,
/// and which of their lines belong to the same todo.
@Suite struct SaveHistoryTests {
  private static let ids = ["k3f9abcdefgh1100", "p2q7abcdefgh1100", "a8d1abcdefgh1100"]
  private let desk = Desk(
    DocumentTodo(id: TodoID(ids[0]), version: 1, content: .open("Milk")),
    DocumentTodo(id: TodoID(ids[1]), version: 1, content: .open("Bread")),
    DocumentTodo(id: TodoID(ids[2]), version: 1, content: .open("Report")))

  private func document(_ text: String) -> Document {
    Document(reading: Array(text.utf8), marks: desk.marks)
  }

  /// Returns the history after a save of the text, with the changed titles and the added todos. The
  /// ID of an added todo is its title followed by ` id`.
  private func history(
    _ text: String, titles: [Int: String] = [:], added: [String] = [], removed: [Int] = []
  ) -> SaveHistory {
    let merge = DocumentMerge(
      document(text), madeFrom: desk.generation, now: desk.contents, path: "/todos.md")
    var contents = desk.contents
    for (index, title) in titles {
      contents.todos[index].content.title = title
      contents.todos[index].version = 2
    }
    contents.todos.removeAll { todo in removed.contains { todo.id == TodoID(Self.ids[$0]) } }
    var entries: [AdditionKey: EntryID] = [:]
    for change in merge.save.changes {
      guard case .add(let content, let key, _) = change else { continue }
      let id = TodoID("\(content.title) id")
      entries[key] = .todo(id)
      contents.todos.append(DocumentTodo(id: id, version: 1, content: content))
    }
    #expect(entries.count == added.count)
    var history = SaveHistory()
    history.record(
      AppliedSave(document(text), merge.matches, entries), on: BufferHistory(desk.generation),
      madeFrom: desk.generation, from: desk.contents, contents)
    return history
  }

  private func lines(_ history: SaveHistory, _ text: String) -> [String]? {
    let document = document(text)
    return history.continuation(document, of: 17)?.lines.sorted { $0.key < $1.key }
      .map(\.value.text)
  }

  private func typed(_ lines: String...) -> String {
    desk.text.replacing("<!-- end", with: lines.map { "\($0)\n" }.joined() + "<!-- end")
  }

  @Test func lineBetweenTheSameNeighborsIsTheSameTodo() {
    let history = history(typed("- [ ] New", "- [ ] Other"), added: ["New", "Other"])
    let marks = Self.ids
    for (text, ids) in [
      (typed("- [ ] New", "- [ ] Other"), ["New id", "Other id"]),
      (typed("- [ ] Changed", "- [ ] Other"), ["New id", "Other id"]),
      (typed("- [ ] Other"), ["Other id"]), (typed(), []),
      (typed("- [ ] First", "- [ ] New", "- [ ] Other too"), ["New id", "Other id"]),
    ] {
      #expect(lines(history, text) == marks + ids, "\(text)")
    }
  }

  /// A line in the same place does not suffice to show that both saves are from the same buffer, so
  /// both texts are kept.
  @Test func rule9LineWithoutTheWordsOfALineInItsPlaceIsAnotherTodo() {
    let history = history(typed("- [x] Call Ann"), added: ["Call Ann"])
    #expect(lines(history, typed("- [ ] Call Ann and Bob"))?.last == "Call Ann id")
    for line in ["- [x] Call Bob", "- [x] Phone everybody", "- [x] Ann"] {
      #expect(lines(history, typed(line)) == nil, "\(line)")
    }
  }

  @Test func rule9LinesOfAnotherUserInTheSamePlaceAreOtherTodos() {
    let history = history(typed("- [x] New", "- [ ] Other"), added: ["New", "Other"])
    #expect(lines(history, typed("- [ ] Stamps", "- [ ] Letter", "- [x] Rent")) == nil)
  }

  @Test func rule12RemovedAndTickedLinesDoNotShowTheSameBuffer() {
    let removed = "- [ ] Bread ^\(Self.ids[1].prefix(6))\n"
    func edit(_ text: String) -> String {
      text.replacing(removed, with: "").replacing("[ ] Milk", with: "[x] Milk")
    }
    let history = history(edit(typed("- [ ] New")), added: ["New"], removed: [1])
    #expect(lines(history, edit(desk.text.replacing("Report", with: "Letter"))) == nil)
    #expect(lines(history, edit(typed("- [ ] Other"))) == nil)
    // A text that was typed for the first save does.
    let both = self.history(
      edit(typed("- [ ] New", "- [ ] Other")), added: ["New", "Other"], removed: [1])
    let further = edit(typed("- [ ] New").replacing("Report", with: "Letter"))
    #expect(lines(both, further)?.last == "New id")
  }

  @Test func rule12AnotherBufferDoesNotRemoveAnEditedTodo() {
    let history = history(desk.text.replacing("Milk", with: "Oat milk"), titles: [0: "Oat milk"])
    let removed = desk.text.replacing("- [ ] Milk ^\(Self.ids[0].prefix(6))\n", with: "")
    #expect(lines(history, removed) == nil)
  }

  @Test func rule12AnotherBufferHasChangedAnotherPartOfTheSameLine() {
    func edit(_ title: String, _ note: String = "") -> String {
      let mark = "^\(Self.ids[2].prefix(6))\n"
      return desk.text.replacing("Report \(mark)", with: "\(title) \(mark)\(note)")
    }
    let appended = history(edit("Report today"), titles: [2: "Report today"])
    #expect(lines(appended, edit("Write Report")) == nil)
    let noted = history(edit("Report", "  For Ann\n"))
    #expect(lines(noted, edit("Write Report")) == nil)
    // The user has changed the typed text again, or typed more.
    for title in ["Report tomorrow", "Write Report today", "Report today, please"] {
      #expect(lines(appended, edit(title)) == Self.ids, "\(title)")
    }
    for note in ["  For Bob\n", "  For Ann\n  and Bob\n"] {
      #expect(lines(noted, edit("Write Report", note)) == Self.ids, "\(note)")
    }
  }

  @Test func sameBufferShowsAllButOneChangeOrRevertsChanges() {
    let text = desk.text.replacing("Milk", with: "Oat milk").replacing("Bread", with: "Rye bread")
    let history = history(text, titles: [0: "Oat milk", 1: "Rye bread"])
    let further = text.replacing("Oat milk", with: "Soy milk")
    for text in [
      text, further, text.replacing("Report", with: "Letter"), desk.text,
      text.replacing("Oat milk", with: "Milk").replacing("Report", with: "Letter"),
    ] {
      #expect(lines(history, text) == Self.ids, "\(text)")
    }
    // Another buffer: none of the changes, and one of its own.
    #expect(lines(history, desk.text.replacing("Report", with: "Letter")) == nil)
    #expect(history.continuation(document(text), of: 18) == nil)
  }

  @Test func revertedRemovalComesFromTheSameBuffer() {
    let line = "- [ ] Bread ^\(Self.ids[1].prefix(6))\n"
    let history = history(desk.text.replacing(line, with: ""), removed: [1])
    #expect(lines(history, desk.text)?.count == 2)
    #expect(history.continuation(document(desk.text), of: 17)?.known.generation?.lines.count == 2)
  }
}
