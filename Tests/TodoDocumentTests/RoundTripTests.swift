import Testing
import TodoModel

@testable import TodoDocument

/// Any contents of a store are printed and read back byte for byte.
@Suite struct RoundTripTests {
  @Test func documentOfTheReadmeIsPrinted() {
    #expect(
      Desk(.plants, .rent, .door).text == """
        <!-- todo-server ann local 17 -->
        - [ ] Water the plants ^00k3f9
        - [x] Pay the rent ^00p2q7
          By Friday, to the new account.
        - [ ] Fix the front door ^00a8d1 !conflict
          <<< mine
          [ ] Fix the door
          === theirs
          [ ] Fix the front door
            The hinge.
          >>>
        <!-- end -->

        """)
  }

  @Test(arguments: 0..<6)
  func anyContentsReadBackUnchanged(seed: UInt64) {
    var samples = DocumentSamples(seed: seed)
    for _ in 0..<50 {
      let todos = (0..<5).map { samples.todo($0) }
      let contents = DocumentContents(todos: todos)
      let bytes = DocumentPrinter.print(.sample, contents)
      let document = Document(reading: bytes, marks: contents.marks)
      #expect(document.heading == .sample)
      #expect(document.isWhole)
      #expect(document.lines.map(\.mark?.id) == todos.map(\.id))
      #expect(document.lines.map(\.sides) == todos.map(\.sides))
      for (line, todo) in zip(document.lines, todos) {
        var content = todo.content
        if !todo.sides.isEmpty { content.note = "" }
        #expect(line.content == content, "\(String(decoding: bytes, as: UTF8.self))")
      }
      #expect(Desk.merge(bytes, contents).isEmpty)
    }
  }

  /// A todo keeps its bullet, and the `x` or `X` of its tick (rule 3 for documents).
  @Test(arguments: ["*", "+", "-"], ["x", "X"])
  func bulletAndTickAreReadAndPrinted(bullet: String, tick: String) throws {
    let text = "\(bullet) [\(tick)] Pay the rent ^00p2q7\n  By Friday, to the new account.\n"
    let form = try #require(Document(reading: Array(text.utf8)).lines.first).form
    let contents = DocumentContents(todos: [.rent, .plants])
    let bytes = DocumentPrinter.print(.sample, contents, in: [DocumentTodo.rent.id: form])
    #expect(String(decoding: bytes, as: UTF8.self).contains("\n\(text)- [ ] Water"))
    #expect(Desk.merge(bytes, contents).isEmpty)
  }

  /// A file keeps the line ending of its first line (rule 6 for documents).
  @Test func textWithReturnsIsReadAndPrinted() {
    let contents = DocumentContents(todos: [.rent, .door])
    let bytes = DocumentPrinter.print(.sample, contents, hasReturns: true)
    #expect(Document.hasReturns(bytes) && Document.hasEnd(bytes))
    #expect(!Document.hasReturns(DocumentPrinter.print(.sample, contents)))
    #expect(bytes.count { $0 == ASCII.newline } == bytes.count { $0 == ASCII.carriageReturn })
    #expect(Desk.merge(bytes, contents).isEmpty)
  }

  /// Editors add a carriage return to each line, or remove trailing whitespace.
  @Test(arguments: 0..<4)
  func whitespaceChangesOfEditorsAreNotEdits(seed: UInt64) {
    var samples = DocumentSamples(seed: seed)
    for _ in 0..<50 {
      let contents = DocumentContents(todos: (0..<5).map { samples.plainTodo($0) })
      let bytes = DocumentPrinter.print(.sample, contents)
      let lines = bytes.split(separator: ASCII.newline, omittingEmptySubsequences: false)
      let cut = lines.map { line in
        var line = line
        while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
        return line
      }
      #expect(Desk.merge(Array(cut.joined(separator: [ASCII.newline])), contents).isEmpty)
      let returned = Array(lines.joined(separator: [ASCII.carriageReturn, ASCII.newline]))
      #expect(Desk.merge(returned, contents).isEmpty)
      #expect(Desk.merge([0xEF, 0xBB, 0xBF] + bytes, contents).isEmpty)
    }
  }

  @Test func longestNoteReadsBackUnchanged() {
    let note = String(repeating: "- [ ] x\n\n", count: NoteField.bytesMax / 9)
    let todo = DocumentTodo(id: TodoID("a"), version: 1, content: .open("Long", note: note))
    let contents = DocumentContents(todos: [todo])
    let document = Document(
      reading: DocumentPrinter.print(.sample, contents), marks: contents.marks)
    #expect(document.lines.map(\.content) == [todo.content])
  }

  @Test func nameThatCouldEndTheCommentReadsBack() {
    let names = ["a--b", "ann lee", "-->", "%41", "é", "a>b", "."]
    for name in names {
      let list = TodoListKey(profile: name, source: "github+https://h.example/a--b/o/r")
      let heading = DocumentHeading(list: list, generation: 3, isKept: false)
      let bytes = DocumentPrinter.print(heading, DocumentContents())
      #expect(Document(reading: bytes).heading == heading)
      let line = String(decoding: bytes.prefix { $0 != ASCII.newline }, as: UTF8.self)
      #expect(line.dropFirst(4).dropLast(3).contains("--") == false)
    }
  }

  @Test(arguments: 0..<40)
  func anyBytesAreRead(seed: UInt64) {
    var samples = DocumentSamples(seed: seed)
    for _ in 0..<30 {
      let lines = (0..<8).map { _ in samples.note() + samples.strangeTitle() }
      let text = lines.joined(separator: "\n")
      let document = Document(reading: Array(text.utf8))
      let texts = document.texts
      // What was text is text again, wherever it is printed.
      let printed = DocumentPrinter.print(
        .sample,
        DocumentContents(
          texts: texts.enumerated().map { PlainLine(id: Int64($0), text: $1, after: nil) }))
      let again = Document(reading: printed)
      #expect(again.lines.isEmpty, "\(text.debugDescription)")
      #expect(again.texts.joined(separator: "\n") == texts.joined(separator: "\n"))
    }
  }
}

extension Document {
  var lines: [DocumentLine] {
    entries.compactMap { if case .todo(let line) = $0 { line } else { nil } }
  }
}

extension Document {
  var texts: [String] {
    entries.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

extension DocumentSamples {
  /// Returns a todo without a conflict, and with contents that the user could have typed.
  mutating func plainTodo(_ number: Int) -> DocumentTodo {
    DocumentTodo(
      id: TodoID("\(100 + number)k3f9abcdefgh1"), version: 1,
      content: content(isStrange: false))
  }
}

extension Desk {
  static func merge(_ bytes: [UInt8], _ contents: DocumentContents) -> [DocumentChange] {
    DocumentMerge(
      Document(reading: bytes, marks: contents.marks), madeFrom: contents.generation(17),
      now: contents,
      path: "/todos.md"
    ).save.changes
  }
}
