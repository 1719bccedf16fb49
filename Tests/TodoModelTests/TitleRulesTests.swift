import Testing

@testable import TodoModel

@Suite("The rules of a todo's title")
struct TitleRulesTests {
  /// One user-perceived character of 25 bytes.
  static let family = "👨‍👩‍👧‍👦"
  /// One user-perceived character of two scalars.
  static let decomposedE = "e\u{301}"

  static func problem(_ title: String) -> String? {
    do throws(TodoError) {
      _ = try NewTodo(title: title)
      return nil
    } catch {
      return error.fields.first { $0.field == "title" }?.message
    }
  }

  @Test(
    "is trimmed of whitespace at both ends, but not inside",
    arguments: [
      ("Buy milk", "Buy milk"), ("  Buy  milk\t", "Buy  milk"), ("\nBuy milk\r\n", "Buy milk"),
      ("\u{A0}\u{2003}Buy milk\u{3000}", "Buy milk"), ("\u{2028}x\u{85}", "x"), ("\0x\0", nil),
    ])
  func trimming(given: String, kept: String?) throws {
    guard let kept else {
      #expect(Self.problem(given) == "A title must not contain U+0000.")
      return
    }
    #expect(try NewTodo(title: given).content.title == kept)
    #expect(try TodoEdit(title: given).changes[TitleField.self] == kept)
  }

  @Test("must not be blank", arguments: ["", " ", "\t\n", "\r\n", "\u{A0}\u{2028}"])
  func blank(title: String) {
    #expect(Self.problem(title) == "A title must not be blank.")
  }

  @Test(
    "must be on one line",
    arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
  func oneLine(lineEnd: String) {
    #expect(Self.problem("a\(lineEnd)b") == "A title must be on one line.")
    #expect(Self.problem("a\(lineEnd)\u{301}b") == "A title must be on one line.")
  }

  @Test("must not contain U+0000", arguments: ["\0", "a\0b", "a\0", "\0\u{301}"])
  func nul(title: String) {
    #expect(Self.problem(title) == "A title must not contain U+0000.")
  }

  @Test(
    "is counted in user-perceived characters",
    arguments: ["x", "é", decomposedE, family, "🇩🇪", "नि", "한"])
  func length(character: String) {
    let longest = String(repeating: character, count: 1_024)
    #expect(Self.problem(longest) == nil)
    #expect(Self.problem(longest + "x") == "A title must have at most 1024 characters.")
  }

  @Test("may be one character of many bytes, up to 32 KiB")
  func combiningMarks() {
    #expect(Self.problem("e" + String(repeating: "\u{301}", count: 5_000)) == nil)
    let message = "A title must have at most 32768 bytes."
    #expect(Self.problem("ee" + String(repeating: "\u{301}", count: 16_383)) == nil)
    #expect(Self.problem("eee" + String(repeating: "\u{301}", count: 16_383)) == message)
    #expect(Self.problem("e" + String(repeating: "\u{301}", count: 1 << 20)) == message)
  }

  @Test("is limited in bytes also where a source delivers it")
  func delivered() {
    func problem(_ title: Int, _ note: Int) -> String? {
      TodoContent(
        title: String(ofBytes: title), note: String(ofBytes: note)
      ).remoteProblem
    }
    #expect(problem(1 << 20, 16 << 20) == nil)
    #expect(problem((1 << 20) + 1, 0) == "whose title has more than 1048576 bytes")
    #expect(problem(1, (16 << 20) + 1) == "whose note has more than 16777216 bytes")
  }

  @Test("may be of the maximum length besides the whitespace around it")
  func spaceAround() {
    #expect(Self.problem("   " + String(repeating: "x", count: 1_024) + "   ") == nil)
  }

  @Test("keeps the bytes of its accents", arguments: ["\u{E9}", "e\u{301}"])
  func normalization(spelling: String) throws {
    #expect(Array(try NewTodo(title: " \(spelling) ").content.title.utf8) == Array(spelling.utf8))
  }
}
