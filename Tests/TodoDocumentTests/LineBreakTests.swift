import Testing
import TodoModel

@testable import TodoDocument

/// Tests texts from outside that contain characters at which some editors end a line. None of these
/// characters begins a new line of a document.
@Suite struct LineBreakTests {
  /// Every character, except LF, at which an editor may end a line.
  private static let lineBreaks: [Unicode.Scalar] = [
    "\r", "\u{B}", "\u{C}", "\u{1C}", "\u{1D}", "\u{1E}", "\u{85}", "\u{2028}", "\u{2029}",
  ]

  /// Returns a todo whose ID has as many characters as the IDs in marks of the older format.
  private static func todo(_ title: String, note: String = "", number: Int = 0) -> DocumentTodo {
    DocumentTodo(
      id: TodoID("\(100 + number)k3f9abcdefgh1"), version: 4, content: .open(title, note: note))
  }

  /// Returns a text as it is saved by an editor that ends lines at all of these characters.
  private static func saved(_ text: String) -> String {
    var text = text.replacing("\r\n", with: "\n")
    for lineBreak in lineBreaks { text = text.replacing(String(lineBreak), with: "\n") }
    return text
  }

  private func contents(_ bytes: [UInt8], _ desk: Desk) -> [TodoContent] {
    Document(reading: bytes, marks: desk.marks).lines.map(\.content)
  }

  @Test func loneCRInNoteIsWrittenAsReference() {
    let desk = Desk(Self.todo("Release", note: "steps:\r- [ ] I approve PR 7\r\nthe end\r"))
    #expect(
      desk.text == """
        <!-- todo-server ann local 17 -->
        - [ ] Release ^100k3f !escaped
          steps:&#13;- [ ] I approve PR 7\r
          the end&#13;
        <!-- end -->

        """)
    #expect(contents(Array(desk.text.utf8), desk) == desk.contents.todos.map(\.content))
    #expect(desk.changes(desk.text).isEmpty)
  }

  @Test(arguments: lineBreaks)
  func restOfLineThatEditorSplitsIsNeverATodo(lineBreak: Unicode.Scalar) {
    let attack = "a\(lineBreak)- [ ] I approve PR 7"
    let mine = DocumentSide(.mine, .open(attack, note: attack))
    var conflict = Self.todo(attack, number: 2)
    conflict.sides = [mine, DocumentSide(.theirs, .open("b", note: attack))]
    let desk = Desk(
      Self.todo("Note", note: attack), Self.todo(attack, note: "n", number: 1), conflict)
    #expect(Self.saved(desk.text) == desk.text)
    #expect(desk.changes(Self.saved(desk.text)).isEmpty)
  }

  @Test(arguments: 0..<8)
  func printedTextHasNoOtherLineEnds(seed: UInt64) {
    var samples = DocumentSamples(seed: seed)
    for _ in 0..<50 {
      let contents = DocumentContents(todos: (0..<5).map { samples.todo($0) })
      let bytes = DocumentPrinter.print(.sample, contents)
      let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
      #expect(!text.unicodeScalars.contains { Self.lineBreaks.contains($0) }, "\(text)")
      // Vim takes a file for one of an old Mac where CR comes before the first LF, or more often.
      #expect(bytes.count { $0 == 0x0D } <= bytes.count { $0 == 0x0A })
      #expect(!bytes.prefix { $0 != 0x0A }.contains(0x0D))
    }
  }

  /// In the note of a todo without `!escaped`, a reference such as `&#13;` is plain text. In the
  /// note of a todo with `!escaped`, only line breaks and references are escaped.
  @Test(arguments: [
    "&#13;", "&", "&#", "a &#38;#13; b", "&amp;", "\r&", "&#13;\r&#38;", "\r&#x0d;&#10;&#14;",
    "\u{2028}\\&#8232;", "\r\r\n\r\n\n\r", "\u{B}&#1", "!escaped\r",
  ])
  func everyNoteComesBack(note: String) {
    let desk = Desk(
      Self.todo("A &#13;&#8232;\\&#133; B", note: note), Self.todo(note + "x", number: 1))
    let text = desk.text
    #expect(contents(Array(text.utf8), desk) == desk.contents.todos.map(\.content), "\(text)")
    let hasBreak = note.unicodeScalars.contains { Self.lineBreaks.contains($0) }
    #expect(text.contains("100k3f !escaped\n") == hasBreak)
  }

  /// Files and editors may still contain texts of an older server, which wrote no references.
  @Test func documentOfAnOlderServerReadsAsBefore() {
    let note = "steps:\r- [ ] I approve\u{2028}&#13;\r\nend\r"
    let desk = Desk(Self.todo("A\u{2029}B", note: note))
    let old = """
      <!-- todo-server ann local 17 -->
      - [ ] A\u{2029}B ^100k3f9abcdefgh1.4
        steps:\r- [ ] I approve\u{2028}&#13;\r
        end\r
      <!-- end -->

      """
    #expect(contents(Array(old.utf8), desk) == desk.contents.todos.map(\.content))
    #expect(desk.changes(old).isEmpty)
    #expect(desk.text.contains("steps:&#13;- [ ] I approve&#8232;&#38;#13;\r\n  end&#13;\n"))
  }

  @Test(arguments: [
    ("!escaped", "A", false), ("!escaped !conflict", "A", true),
    ("!conflict !escaped", "A", true), ("!escaped today", "A today", false),
    ("today !escaped", "A today", false), ("!escap", "A", false),
  ])
  func typingAfterTheMarkKeepsIt(end: String, title: String, isConflict: Bool) {
    let text = "- [ ] A ^k3f9q2m7x0v5t8b1.4 \(end)\n  a&#13;b\n"
    let line = Document(reading: Array(text.utf8)).lines.first
    #expect(line?.content.title == title && line?.isConflict == isConflict)
    if !isConflict { #expect(line?.content.note == "a\rb") }
  }

  /// A word that only looks like a mark belongs to the title, together with everything that was
  /// typed after it.
  @Test func wordsAfterUnknownMarkBelongToTheTitle() {
    let desk = Desk()
    let changes = desk.changes("- [ ] A ^b.1 !escaped\n")
    guard case .add(let content, _, _)? = changes.first else {
      Issue.record("no addition: \(changes)")
      return
    }
    #expect(content.title == "A ^b.1 !escaped")
  }

  /// A file may be read while it is written.
  @Test func halfWrittenReferenceChangesNothing() {
    let desk = Desk(.plants, Self.todo("Release", note: "a&\rb &#9; c\u{2028}"))
    let bytes = Array(desk.text.utf8)
    for count in bytes.indices.dropFirst(80) {
      let document = Document(
        reading: Array(Document.withoutHalfCharacter(Array(bytes[..<count]))), marks: desk.marks)
      let changes = DocumentMerge(
        document, madeFrom: desk.generation, now: desk.contents, path: "/todos.md"
      ).save.changes
      #expect(changes.isEmpty, "\(String(decoding: bytes[..<count], as: UTF8.self))")
    }
  }

  /// A copied todo whose title breaks a rule for titles is stored as plain lines.
  @Test func textOfACopyHasNoLineThatIsATodo() {
    let note = "a\r\n- [ ] I approve\r- [ ] I approve\u{2028}- [ ] I approve"
    let texts = TodoContent.open(String(repeating: "x", count: 2_000), note: note).plainLines
    #expect(texts.count == 3)
    for text in texts.dropFirst() { #expect(text.hasPrefix("  ")) }
    #expect(!texts.joined().unicodeScalars.contains { Self.lineBreaks.contains($0) })
  }
}
