import Testing

@testable import TodoModel

@Suite("The rules of a todo's note")
struct NoteRulesTests {
  @Test(
    "comes back byte for byte",
    arguments: ["", " \n", "a\r\nb\n", "\u{FEFF}x", "\u{E9}", "e\u{301}", "\tx\t", "\u{1}\u{7F}"])
  func bytes(note: String) throws {
    #expect(Array(try NewTodo(title: "x", note: note).content.note.utf8) == Array(note.utf8))
    #expect(try TodoEdit(note: note).changes[NoteField.self]?.utf8.elementsEqual(note.utf8) == true)
  }

  @Test("has at most 1 MiB of UTF-8")
  func length() throws {
    let longest = String(repeating: "x", count: 1 << 20)
    #expect(NoteField.problem(with: longest) == nil)
    #expect(NoteField.problem(with: longest + "x") == "A note must have at most 1048576 bytes.")
  }

  @Test("is counted in bytes and not in characters")
  func lengthInBytes() {
    let longest = String(repeating: "é", count: 1 << 19)
    #expect(NoteField.problem(with: longest) == nil)
    #expect(NoteField.problem(with: longest + "é") != nil)
  }

  @Test("must not contain U+0000", arguments: ["\0", "a\0b", "\0\u{301}"])
  func nul(note: String) {
    #expect(NoteField.problem(with: note) == "A note must not contain U+0000.")
  }
}
