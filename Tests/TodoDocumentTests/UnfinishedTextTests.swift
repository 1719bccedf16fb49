import Testing
import TodoModel

@testable import TodoDocument

/// Tests texts that are not whole, and lines that have lost a part, such as their mark.
@Suite struct UnfinishedTextTests {
  private func unmarked(_ desk: Desk, _ text: String) -> [Int: TodoID] {
    Document(reading: Array(text.utf8), marks: desk.marks).unmarkedLines(
      madeFrom: desk.generation, now: desk.contents)
  }

  /// A parser with quadratic running time would not finish.
  @Test func lineOfManySignsIsReadInLinearTime() {
    for sign in ["^", " ^", "^a.1 ", "\\", "&#1"] {
      let line = "- [ ] Milk" + String(repeating: sign, count: 100_000 / sign.utf8.count) + "x"
      #expect(Document(reading: Array(line.utf8)).entries == [.text(line)])
    }
  }

  /// A program that cuts off the ends of lines changes no todos.
  @Test func lineWithoutItsMarkMatchesTheUnchangedTodo() {
    var desk = Desk(.plants, .rent)
    let text = desk.text.replacing(" ^00k3f9", with: "").replacing(" ^00p2q7", with: "")
    let ids = [TodoID("k3f9"), TodoID("p2q7")]
    #expect(unmarked(desk, text) == [0: ids[0], 1: ids[1]])
    // A todo that was changed since does not match, nor does a line that occurs twice.
    desk.contents.todos[0].version = 5
    #expect(unmarked(desk, text) == [1: ids[1]])
    let copied = desk.text.replacing("<!-- end", with: "- [ ] Water the plants\n<!-- end")
    #expect(unmarked(desk, copied).isEmpty)
    #expect(unmarked(desk, text.replacing("the", with: "these")).isEmpty)
  }

  /// A user who types at the end of a line types after its mark.
  @Test(
    arguments: [
      ("^k3f9q2m7x0v5t8b1.4 today", "Milk today", false),
      ("^k3f9q2m7x0v5t8b1.4 , ^today", "Milk , ^today", false),
      ("^k3f9q2m7x0v5t8b1.4 !conflict today", "Milk today", true),
      ("^k3f9q2m7x0v5t8b1.4 today !conflict", "Milk today", true),
      ("^k3f9q2m7x0v5t8b1.4 !confl", "Milk", true),
    ])
  func textAfterAMarkBelongsToTheTitle(end: String, title: String, isConflict: Bool) {
    let document = Document(reading: Array("- [ ] Milk \(end)\n".utf8))
    let line = DocumentLine(
      mark: LineAnchor(id: TodoID("k3f9q2m7x0v5t8b1"), version: 4), content: .open(title),
      isConflict: isConflict)
    #expect(document.entries == [.todo(line)])
    // Text that only looks like a mark belongs to the title, too.
    let other = "- [ ] Milk \(end.replacing("k3f9q2", with: "k3-9q2"))\n"
    guard case .todo(let typed)? = Document(reading: Array(other.utf8)).entries.first else {
      Issue.record("no todo")
      return
    }
    #expect(typed.mark == nil && typed.content.title.hasPrefix("Milk ^k3-9q2"))
  }

  /// An editor that indents lines automatically may also indent the end marker. Emacs does.
  @Test(arguments: ["  ", "\t", "      "])
  func indentedEndMarkerIsNotPartOfANote(indent: String) {
    let desk = Desk(.plants, .rent)
    for (end, isCut) in [("\n", false), ("", true), ("\n\n", false)] {
      let text = desk.text.replacing("<!-- end -->\n", with: "\n\(indent)<!-- end -->\(end)")
      let (document, places) = Document.located(in: Array(text.utf8), marks: desk.marks)
      #expect(document.lines.map(\.content) == desk.contents.todos.map(\.content))
      #expect(places.end != nil && document.half == nil, "\(isCut)")
      // The rest of the text may not have been written yet.
      #expect(!document.isWhole)
      #expect(desk.changes(text).isEmpty)
    }
  }

  @Test func noteMayEndWithAnEndMarker() {
    var desk = Desk(.plants, .rent)
    desk.contents.todos[1].content.note = "By Friday\n<!-- end -->"
    desk.generation = desk.contents.generation(17)
    let document = Document(reading: Array(desk.text.utf8), marks: desk.marks)
    #expect(document.isWhole)
    #expect(document.lines.last?.content == desk.contents.todos[1].content)
    // The text may also have been written only up to the end of the note.
    #expect(desk.changes(desk.text.replacing("-->\n<!-- end -->\n", with: "-->\n")).isEmpty)
  }

  /// In a text that is still being written, all entries are complete except for the last one.
  @Test func unfinishedTextIsReadWithoutItsLastEntry() {
    let desk = Desk(.plants, .rent)
    func entries(_ text: String) -> Int {
      Document(unfinished: Array(text.utf8), marks: desk.marks).entries.count
    }
    #expect(entries(desk.text) == 2)
    #expect(entries("\(desk.text)- [ ] Mil") == 2)
    #expect(entries("\(desk.text)- [ ] Milk\n- [ ] Bread\n  White\n") == 3)
    let half = desk.text.replacing("<!-- end -->\n", with: "")
    #expect(entries(half) == 1)
    #expect(entries("") == 0)
  }

  @Test func incompleteCharacterIsRemoved() {
    for text in ["Käse", "牛乳", "🥛", "Milk", ""] {
      let bytes = Array(text.utf8)
      for count in 0...bytes.count {
        let whole = Array(Document.withoutHalfCharacter(Array(bytes[..<count])))
        #expect(Document.isReadable(whole))
        #expect(count - whole.count < 4)
        if Document.isReadable(Array(bytes[..<count])) { #expect(whole.count == count) }
      }
    }
    // Bytes that are not UTF-8 are unchanged.
    let latin: [UInt8] = [0xE4, 0x6C, 0x0A]
    #expect(Array(Document.withoutHalfCharacter(latin)) == latin)
  }

  // MARK: Texts that are not whole

  private func changes(_ desk: Desk, _ text: String, isMixed: Bool = false) -> [DocumentChange] {
    DocumentMerge(
      Document(reading: Array(text.utf8), marks: desk.marks), madeFrom: desk.generation,
      now: desk.contents, path: "/todos.md", isMixed: isMixed
    ).save.changes
  }

  /// A killed editor has left an incomplete text. The user types below it, and saves it.
  @Test func noteIsNotShortenedByATextWithoutTheEndMarker() {
    let desk = Desk(.noted, .rent)
    let half = String(desk.text.prefix { $0 != "T" })
    #expect(changes(desk, "\(half)\n- [ ] Milk\n").map(\.added?.0.title) == ["Milk"])
    let other = half.replacing("One", with: "Two")
    guard
      case .keepConflict(_, let new, dropping: [])? = changes(desk, "\(other)\n- [ ] Milk\n").first
    else {
      Issue.record("\(changes(desk, "\(other)\n- [ ] Milk\n"))")
      return
    }
    #expect(new.count == 1 && new[0].content.note.hasPrefix("Two\n"))
  }

  /// A killed editor has written only the beginning of the mark in the last line. In the meantime,
  /// another user may have changed the todo.
  @Test(arguments: ["^", "^0", "^00k3f"])
  func beginningOfAMarkIsNotPartOfTheTitle(word: String) {
    var desk = Desk(.plants, .rent)
    let start = String(desk.text.prefix { $0 != "^" })
    #expect(changes(desk, start + word).isEmpty)
    let line = "\(start)at noon due:2026-12-01 \(word)"
    let typed = changes(desk, line).only?.edit
    #expect(typed?.content.title == "Water the plants at noon")
    #expect(typed?.content.due == DueDate("2026-12-01"))

    desk.contents.todos[0].content.title = "Water all plants"
    desk.contents.todos[0].version += 1
    #expect(changes(desk, start + word).isEmpty)
    desk.contents.todos.removeFirst()
    #expect(changes(desk, start + word).isEmpty)
  }

  @Test func beginningOfAMarkKeepsTheNote() {
    var desk = Desk(.rent, .plants)
    let start = String(desk.text.prefix { $0 != "^" })
    #expect(changes(desk, "\(start)^00p2").isEmpty)
    desk.contents.todos[0].content.title = "Pay all rent"
    desk.contents.todos[0].version += 1
    #expect(changes(desk, "\(start)^00p2").isEmpty)
  }

  /// The last word of an incomplete line may also be text that only looks like the beginning of a
  /// mark.
  @Test func anotherLastWordIsText() {
    let desk = Desk(.plants, .rent)
    let first = desk.text.prefix { $0 != "\n" } + "\n"
    for line in ["- [ ] Water the plants ^z", "- [ ] Buy milk ^00k3", "- [ ] Water ^00k3 plants"] {
      let title = changes(desk, first + line).only?.added?.0.title
      #expect(title == String(line.dropFirst(6)), "\(line)")
    }
    // The todo has its line, so this is another one.
    let lines = desk.text.prefix { $0 != "P" } + "Pay the rent\n- [ ] Water the plants now ^00k3"
    #expect(changes(desk, String(lines)).compactMap(\.added).count == 2)
  }

  /// A killed program that did not truncate the file has left the end of the old text below its new
  /// text.
  @Test func nothingIsRemovedByAPartlyOverwrittenFile() throws {
    var noted = DocumentTodo.noted
    noted = DocumentTodo(id: TodoID("b7e2"), version: noted.version, content: noted.content)
    let desk = Desk(.plants, .rent, noted)
    let old = Array(desk.text.utf8)
    let new = Array(desk.text.replacing("- [ ] Water", with: "- [ ] Buy milk\n- [ ] Water").utf8)
    for count in 0..<old.count {
      let text = String(decoding: new[..<count] + old[count...], as: UTF8.self)
      let changes = changes(desk, text, isMixed: true)
      #expect(changes.compactMap(\.removed).isEmpty)
      guard !desk.contents.todos.allSatisfy({ text.contains(" ^\($0.mark.text)") }) else {
        continue
      }
      for case .edit(let id, let edit) in changes {
        let todo = try #require(desk.contents.todos.first { $0.id == id })
        #expect(LineContinuation.isGrown(edit.content, from: todo.content), "\(text)")
      }
    }
    // Of a text that only has the same length all is taken.
    let ticked = desk.text.replacing("- [ ] Water the", with: "- [x] Water all")
    #expect(changes(desk, ticked, isMixed: true).only?.edit?.content.title == "Water all plants")
  }
}
