import Testing
import TodoModel

@testable import TodoDocument

/// Tests which changes a saved text makes.
@Suite struct DocumentMergeTests {
  @Test func uneditedTextHasNoChanges() {
    let desk = Desk(.plants, .rent, .door)
    #expect(desk.changes(desk.text).isEmpty)
  }

  /// The lines outside the longest sequence that has kept its order were moved (rule 11 for
  /// documents).
  @Test func linesInAnotherOrderAreMoved() {
    let desk = Desk(.plants, .rent, .door)
    let moved = """
      <!-- todo-server ann local 17 -->
      * [x] Pay the rent ^00p2q7
      \tBy Friday, to the new account.
      + [ ] Water the plants ^00k3f9
      - [ ] Fix the front door ^00a8d1 !conflict
        <<< mine
        [ ] Fix the door
        === theirs
        [ ] Fix the front door
          The hinge.
        >>>
      <!-- end -->
      """
    #expect(desk.changes(moved) == [.move(.todo(TodoID("p2q7")), .first)])
    // Of a text that may not be whole nothing is moved.
    #expect(desk.changes(moved.replacing("<!-- end -->", with: "")).isEmpty)
  }

  /// An entry that others have moved stays where it is now.
  @Test func movesMadeElsewhereAreNotReverted() {
    var desk = Desk(.plants, .rent, .door)
    let text = desk.text
    desk.contents.todos.swapAt(0, 2)
    desk.contents.moves =
      [1, 2].map { EntryMove(number: $0, entry: .todo(TodoID("k3f9"))) }
      + [EntryMove(number: 3, entry: .todo(TodoID("a8d1")))]
    #expect(desk.changes(text).isEmpty)
  }

  @Test func editHasTheVersionAndTheChangedFields() throws {
    let desk = Desk(.plants, .rent)
    let changes = desk.changes(desk.text.replacing("- [ ] Water the", with: "- [x] Water all"))
    let edit = try #require(changes.only?.edit)
    #expect(edit.version == 4)
    #expect(edit.fields == [.title, .done])
    #expect(edit.content == TodoContent(title: "Water all plants", note: "", isDone: true))
  }

  @Test func editOfAnOutdatedTextHasAllFields() throws {
    var desk = Desk(.plants)
    let text = desk.text.replacing("Water", with: "Feed")
    desk.contents.todos[0].version = 5
    let edit = try #require(desk.changes(text).only?.edit)
    #expect(edit.version == 4)
    #expect(edit.fields == ContentField.inDocument)
  }

  @Test func uneditedOldTextHasNoChanges() {
    var desk = Desk(.plants, .rent)
    let text = desk.text
    desk.contents.todos[0].version = 5
    desk.contents.todos[0].content.title = "Feed the cat"
    desk.contents.todos.removeLast()
    #expect(desk.changes(text).isEmpty)
  }

  // MARK: Additions

  /// A new line stays where it was typed (rule 11 for documents).
  @Test func typedLinesAreAddedBelowTheLineAbove() throws {
    let desk = Desk(.plants)
    let text = desk.text.replacing(
      "<!-- end -->\n", with: "- [ ] Buy milk\n  Two litres\n- [x] Buy milk\n- [ ] Buy milk\n")
    let changes = desk.changes(text + "<!-- end -->\n- [ ] Appended")
    let added = try changes.map { try #require($0.added) }
    #expect(
      added.map(\.0) == [
        .open("Buy milk", note: "Two litres"),
        TodoContent(title: "Buy milk", note: "", isDone: true), .open("Buy milk"),
        .open("Appended"),
      ])
    #expect(added.map(\.1.occurrence) == [1, 1, 1, 1])
    #expect(changes[0].position == .below(.todo(TodoID("k3f9"))))
    #expect(changes.dropFirst().map(\.position) == added.dropLast().map { .belowAddition($0.1) })
  }

  @Test func identicalLinesAreCounted() {
    let desk = Desk()
    let added = desk.changes("- [ ] Milk\n- [ ] Milk\n").compactMap(\.added)
    #expect(added.map(\.1.occurrence) == [1, 2])
    #expect(added[0].1.digest == added[1].1.digest)
  }

  @Test func unchangedCopyOfALineIsTheTodo() {
    let desk = Desk(.plants)
    let copied = desk.text.replacing(
      "- [ ] Water the plants ^00k3f9",
      with: "- [ ] Feed the cat ^00k3f9\n- [ ] Water the plants ^00k3f9")
    let changes = desk.changes(copied)
    #expect(changes.compactMap(\.added).map(\.0) == [.open("Feed the cat")])
    #expect(changes.count == 1)
  }

  @Test func firstOfSeveralChangedCopiesIsTheTodo() {
    let desk = Desk(.plants)
    let copied = desk.text.replacing(
      "- [ ] Water the plants ^00k3f9", with: "- [ ] One ^00k3f9\n- [ ] Two ^00k3f9")
    let changes = desk.changes(copied)
    #expect(changes.compactMap(\.edit).map(\.content) == [.open("One")])
    #expect(changes.compactMap(\.added).map(\.0) == [.open("Two")])
  }

  @Test func malformedMarksAreText() {
    let changes = Desk(.plants).changes("- [ ] Ask about ^this.1 \n- [ ] See !conflict\n")
    #expect(
      changes.compactMap(\.added).map(\.0.title) == ["Ask about ^this.1", "See !conflict"])
  }

  // MARK: Missing entries

  @Test func missingLineIsRemoved() {
    let desk = Desk(.plants, .rent)
    let text = desk.text.replacing("- [ ] Water the plants ^00k3f9\n", with: "")
    #expect(desk.changes(text) == [.remove(TodoID("k3f9"), version: 4, dropping: [])])
  }

  @Test func nothingIsRemovedWithoutTheEndMarker() {
    let desk = Desk(.plants, .rent)
    #expect(desk.changes("<!-- todo-server ann local 17 -->\n").isEmpty)
    #expect(desk.changes("").isEmpty)
    let cut = desk.text.replacing("- [ ] Water the plants ^00k3f9\n", with: "")
    let growing = cut.replacing("<!-- end -->", with: "<!-- en")
    #expect(desk.changes(growing).compactMap(\.removed).isEmpty)
  }

  @Test func nothingIsRemovedWithAnExpiredGeneration() {
    let desk = Desk(.plants, .rent)
    let text = "<!-- todo-server ann local 3 -->\n<!-- end -->\n"
    #expect(desk.changes(text, isKnown: false).isEmpty)
  }

  @Test func todoChangedSinceIsNotRemoved() {
    var desk = Desk(.plants)
    desk.contents.todos[0].version = 5
    #expect(desk.changes("<!-- todo-server ann local 17 -->\n<!-- end -->\n").isEmpty)
    var other = Desk(.door)
    other.contents.todos[0].sides.insert(DocumentSide(.mine, .open("Another")), at: 0)
    #expect(other.changes("<!-- todo-server ann local 17 -->\n<!-- end -->\n").isEmpty)
  }

  /// A killed editor has left only the beginning of a text.
  @Test func beginningOfATextHasNoChanges() {
    let texts = [PlainLine(id: 1, text: "Not a todo", after: TodoID("k3f9"))]
    for desk in [
      Desk(.plants, .rent), Desk(.rent, .plants, texts: texts), Desk(.plants, .door),
      Desk(.noted, texts: texts),
    ] {
      let bytes = Array(desk.text.utf8)
      for count in 0..<bytes.count {
        let half = String(decoding: bytes[..<count], as: UTF8.self)
        #expect(desk.changes(half).isEmpty, "\(half)")
      }
    }
  }

  /// A truncated note may lack its end only because the end was not written yet. It shortens no
  /// todo, even if others have changed the todo meanwhile.
  @Test func beginningOfANoteDoesNotShortenAChangedTodo() {
    var desk = Desk(.noted)
    let half = String(desk.text.prefix { $0 != "T" }).replacing("A &", with: "B &")
    desk.contents.todos[0].version += 1
    #expect(desk.changes(half).only?.edit?.content.note == desk.contents.todos[0].content.note)
    // If the note has been replaced meanwhile, both texts are kept.
    desk.contents.todos[0].content.note = "Another"
    guard case .keepConflict(_, let new, dropping: [])? = desk.changes(half).only else {
      Issue.record("\(desk.changes(half))")
      return
    }
    #expect(new.map(\.content.note) == ["One\n\n"])
  }

  /// Text at the beginning of a note may be saved before the rest of the note is written.
  @Test func beginningOfALongerNoteDoesNotReplaceTheNote() throws {
    let desk = Desk(.noted)
    let parts = desk.text.split(separator: "  One", maxSplits: 1)
    let start = try #require(parts.first) + "  New\n"
    for cut in ["", "  One\n", "  One\n\n  T"] {
      guard case .keepConflict(_, let new, dropping: [])? = desk.changes(start + cut).only else {
        Issue.record("\(cut): \(desk.changes(start + cut))")
        continue
      }
      #expect(new.count == 1 && new[0].content.note.hasPrefix("New"))
    }
    // Unless all of it is there.
    let rest = try #require(parts.last).prefix { $0 != "<" }
    let edit = desk.changes("\(start)  One\(rest)").only?.edit
    #expect(edit?.content.note == "New\n\(desk.contents.todos[0].content.note)")
  }

  @Test func beginningOfAConflictDoesNotResolveIt() throws {
    var desk = Desk(.door)
    let half = try #require(desk.text.split(separator: " !conflict").first)
    #expect(half.hasSuffix("^00a8d1"))
    desk.contents.todos[0].version += 1
    #expect(desk.changes(String(half)).compactMap(\.settled).isEmpty)
  }

  @Test func removalsAreInTheOrderOfTheList() {
    let todos = (1...40).map {
      DocumentTodo(id: TodoID("t\($0)"), version: 1, content: .open("Todo \($0)"))
    }
    var desk = Desk(.plants)
    desk.contents.todos = todos
    desk.generation = desk.contents.generation(17)
    let text = "<!-- todo-server ann local 17 -->\n<!-- end -->\n"
    #expect(desk.changes(text).compactMap(\.removed) == todos.map(\.id))
  }

  @Test func lineTypedAfterTheEndIsAdded() {
    let desk = Desk(.plants)
    let start = desk.text.replacing("<!-- end -->\n", with: "")
    #expect(desk.changes(start + "- [ ] Buy").compactMap(\.added).map(\.0) == [.open("Buy")])
    #expect(desk.changes(start + "  A note").only?.edit?.content.note == "A note")
  }

  // MARK: Text

  @Test func plainLineKeepsItsPosition() {
    let desk = Desk(
      .plants, .rent,
      texts: [
        PlainLine(id: 1, text: "# Today\n", after: nil),
        PlainLine(id: 2, text: "\nBefore noon:", after: TodoID("k3f9")),
        PlainLine(id: 3, text: "Of a todo that is gone", after: TodoID("gone")),
        PlainLine(id: 4, text: "  call Bob", after: TodoID("k3f9")),
      ])
    #expect(
      desk.text == """
        <!-- todo-server ann local 17 -->
        # Today

        Of a todo that is gone
        - [ ] Water the plants ^00k3f9

        Before noon:
          call Bob
        - [x] Pay the rent ^00p2q7
          By Friday, to the new account.
        <!-- end -->

        """)
  }

  @Test func newPlainLineIsAddedAndMissingOneIsRemoved() throws {
    let desk = Desk(
      .plants, texts: [PlainLine(id: 1, text: "Before noon", after: TodoID("k3f9"))])
    #expect(desk.changes(desk.text).isEmpty)
    let changes = desk.changes(desk.text.replacing("Before noon", with: "After noon"))
    #expect(changes.count == 2)
    #expect(changes[0].texts?.map(\.text) == ["After noon"])
    #expect(changes[0].position == .below(.todo(TodoID("k3f9"))))
    #expect(changes[1] == .removeLine(1))
  }

  /// Adjacent lines are read as one text, but matched one by one.
  @Test func aLineBetweenOthersIsAddedWithoutThem() throws {
    let lines = ["One", "Two", "Three"]
    let texts = lines.enumerated().map { number, line in
      PlainLine(id: Int64(number), text: line, after: TodoID("k3f9"))
    }
    let desk = Desk(.plants, texts: texts)
    #expect(desk.changes(desk.text).isEmpty)
    let text = desk.text.replacing("Two\n", with: "Two\n\nTwo and a half\nAnd more\n")
    for saved in [text, text.replacing("<!-- end -->\n", with: "")] {
      let change = try #require(desk.changes(saved).only)
      #expect(change.texts?.map(\.text) == ["\nTwo and a half", "And more"])
      #expect(change.position == .below(.text(1)))
    }
  }

  @Test func aBlankLineBetweenTextsIsKept() {
    let texts = [
      PlainLine(id: 1, text: "One", after: nil), PlainLine(id: 2, text: "Two", after: nil),
    ]
    let desk = Desk(texts: texts)
    let text = desk.text.replacing("One\n", with: "One\n\n")
    #expect(desk.changes(text) == [.respaceLine(2, "\nTwo")])
    // If another client has changed the plain lines, no blank line is applied.
    var other = desk
    other.contents.texts.removeLast()
    #expect(other.changes(text).isEmpty)
  }

  @Test func beginningOfAnAddedLineIsNotAddedAgain() {
    var desk = Desk(.plants)
    desk.contents.todos.append(
      DocumentTodo(id: TodoID("new"), version: 1, content: .open("Buy milk", note: "Two litres")))
    let start = desk.text.prefix { $0 != "\n" } + "\n"
    for half in ["- [ ] Bu", "- [ ] Buy milk", "- [ ] Buy milk\n", "- [ ] Buy milk\n  Two"] {
      #expect(desk.changes(start + half).isEmpty, "\(half)")
    }
    #expect(desk.changes(start + "- [ ] Buy\n").compactMap(\.added).count == 1)
    #expect(desk.changes(start + "- [ ] Buy tea").compactMap(\.added).count == 1)
  }

  @Test func invalidTitleStaysText() {
    let long = String(repeating: "é", count: TitleField.charactersMax + 1)
    let texts = Desk().changes("- [ ] \n- [ ] \(long)\n").compactMap(\.texts).joined()
    #expect(texts.map(\.text) == ["- [ ] ", "- [ ] \(long)"])
  }

  // MARK: Conflicts

  private let deskOfDoor = Desk(.door)
  private var door: String { deskOfDoor.text }

  @Test func deletingOneSideResolvesTheConflict() throws {
    let mine = door.replacing("  === theirs\n  [ ] Fix the front door\n    The hinge.\n", with: "")
    let settled = try #require(deskOfDoor.changes(mine).only?.settled)
    #expect(settled.0.content == .open("Fix the door"))
    #expect(settled.0.fields == ContentField.allCases)
    #expect(settled.1 == deskOfDoor.generation.lines[TodoID("a8d1")]?.sides)
    let theirs = door.replacing("  <<< mine\n  [ ] Fix the door\n", with: "")
    #expect(
      deskOfDoor.changes(theirs).only?.settled?.0.content
        == .open("Fix the front door", note: "The hinge."))
  }

  @Test func remainingSideWithoutMarkersResolvesTheConflict() throws {
    let text = """
      <!-- todo-server ann local 17 -->
      - [ ] Fix the front door ^00a8d1 !conflict
        [x] Fix every door
          With oil
      <!-- end -->
      """
    #expect(
      deskOfDoor.changes(text).only?.settled?.0.content
        == TodoContent(title: "Fix every door", note: "With oil", isDone: true))
  }

  @Test func conflictWithoutItsSidesKeepsTheTodo() throws {
    for flag in ["", " !conflict"] {
      let text = """
        <!-- todo-server ann local 17 -->
        - [x] Fix the front door ^00a8d1\(flag)
        <!-- end -->
        """
      let settled = try #require(deskOfDoor.changes(text).only?.settled)
      #expect(settled.0.fields == ContentField.onFirstLine)
      #expect(settled.0.content.isDone)
    }
  }

  @Test func editInsideAConflictTextIsKept() {
    let text = door.replacing("[ ] Fix the door\n", with: "[ ] Fix the old door\n")
    guard case .keepConflict(TodoID("a8d1"), let new, let gone)? = deskOfDoor.changes(text).only
    else {
      Issue.record("\(deskOfDoor.changes(text))")
      return
    }
    #expect(new.map(\.content) == [.open("Fix the old door")])
    #expect(gone == [LineDigest.side(.open("Fix the door"))])
  }
}

extension Array {
  var only: Element? { count == 1 ? first : nil }
}

extension DocumentChange {
  var edit: DocumentEdit? { if case .edit(_, let edit) = self { edit } else { nil } }
  var added: (TodoContent, AdditionKey)? {
    if case .add(let content, let key, _) = self { (content, key) } else { nil }
  }
  var removed: TodoID? { if case .remove(let id, _, _) = self { id } else { nil } }
  var texts: [NewLine]? { if case .addLines(let texts, _) = self { texts } else { nil } }
  var position: LinePosition? {
    switch self {
    case .add(_, _, let position), .addLines(_, let position), .move(_, let position): position
    default: nil
    }
  }
  var settled: (DocumentEdit, [Int64])? {
    if case .settle(_, let edit, let dropping) = self { (edit, dropping) } else { nil }
  }
}
