import Testing

@testable import TodoLanguageServer

struct PositionTests {
  /// Lines with characters of each length, both line endings, and a last line without one.
  private static let text = BufferText("aé€😀b\r\nsecond\n\n😀")

  @Test(arguments: [
    (0, 0, 0), (0, 1, 1), (0, 2, 3), (0, 3, 6), (0, 5, 10), (0, 6, 11), (0, 99, 11),
    (1, 0, 13), (1, 6, 19), (1, 7, 19), (2, 0, 20), (2, 4, 20), (3, 2, 25), (4, 0, 25), (99, 1, 25),
    // Within a surrogate pair.
    (0, 4, 6), (3, 1, 21),
  ])
  func utf16(_ line: Int, _ character: Int, _ offset: Int) {
    let position = TextPosition(line: line, character: character)
    #expect(Self.text.offset(of: position, .utf16) == offset)
  }

  @Test(arguments: [
    (0, 0, 0), (0, 1, 1), (0, 3, 3), (0, 6, 6), (0, 10, 10), (0, 11, 11), (0, 99, 11), (1, 0, 13),
    // Within a character.
    (0, 2, 1), (0, 5, 3), (0, 9, 6),
  ])
  func utf8(_ line: Int, _ character: Int, _ offset: Int) {
    let position = TextPosition(line: line, character: character)
    #expect(Self.text.offset(of: position, .utf8) == offset)
  }

  @Test(arguments: [
    (0, 0, 0), (0, 1, 1), (0, 2, 3), (0, 3, 6), (0, 4, 10), (0, 5, 11), (0, 99, 11), (1, 6, 19),
    (3, 1, 25),
  ])
  func utf32(_ line: Int, _ character: Int, _ offset: Int) {
    let position = TextPosition(line: line, character: character)
    #expect(Self.text.offset(of: position, .utf32) == offset)
  }

  @Test func carriageReturnEndsALineDependingOnTheClient() {
    let text = "a\rb\r\nc\r\rd"
    let place = TextPosition(line: 1, character: 1)
    #expect(BufferText(text).offset(of: place, .utf16) == 6)
    let counted = BufferText(text, lineEnds: .feedsAndReturns)
    #expect(counted.lineStarts == [0, 2, 5, 7, 8])
    #expect(counted.offset(of: place, .utf16) == 3)
    #expect(counted.offset(of: TextPosition(line: 2, character: 9), .utf16) == 6)
    #expect(counted.position(of: 8, .utf16) == TextPosition(line: 4, character: 0))
    #expect(counted.replacing([TextReplacement(range: 0..<1, text: [])]).lineStarts.count == 5)
  }

  @Test func clientIsRecognizedByItsName() {
    #expect(ClientQuirks(name: "emacs").encoding == .utf32)
    for name in [nil, "emacs", "Eglot", "Neovim", "vim-lsp", "helix", "ALE"] {
      #expect(ClientQuirks(name: name).lineEnds == .feeds)
    }
    #expect(ClientQuirks(name: "Visual Studio Code").lineEnds == .feedsAndReturns)
    #expect(ClientQuirks(name: "Visual Studio Code").encoding == .utf16)
  }

  @Test(arguments: PositionEncoding.allCases)
  func positionsConvertBackToTheirOffsets(_ encoding: PositionEncoding) {
    for offset in [0, 1, 3, 6, 10, 11, 13, 19, 20, 21, 25] {
      let position = Self.text.position(of: offset, encoding)
      #expect(Self.text.offset(of: position, encoding) == offset, "\(offset) is \(position)")
    }
  }

  @Test func encodingIsChosenFromTheClientsOffer() {
    #expect(PositionEncoding(offered: []) == .utf16)
    #expect(PositionEncoding(offered: ["utf-32", "utf-16"]) == .utf32)
    #expect(PositionEncoding(offered: ["utf-16", "utf-8"]) == .utf8)
  }

  @Test func consecutiveChangesAreApplied() {
    var editor = BufferEditor(BufferText("one\ntwo\n"), .utf16)
    editor.replace(3..<3, with: Array(" 😀".utf8))
    #expect(editor.text.offset(of: TextPosition(line: 0, character: 6), .utf16) == 8)
    editor.replace(0..<editor.text.bytes.count, with: [])
    #expect(editor.text.lineStarts == [0])
    #expect(editor.text.lineEnd == [0x0A])
    #expect(BufferText("a\r\n").lineEnd == [0x0D, 0x0A])
  }

  @Test(arguments: [
    ("- [ ] Buy", "- [ ] Buy ^a.1", 9, 9, " ^a.1"), ("é", "è", 0, 2, "è"), ("😀x", "😁x", 0, 4, "😁"),
    ("abc", "ac", 1, 2, ""), ("aa", "aaa", 2, 2, "a"),
  ])
  func onlyDifferencesAreReplaced(
    _ old: String, _ new: String, _ start: Int, _ end: Int, _ text: String
  ) {
    let bytes = Array(old.utf8)
    let edit = TextReplacement(of: 0..<bytes.count, in: bytes, with: Array(new.utf8))
    #expect(edit == TextReplacement(range: start..<end, text: Array(text.utf8)))
    #expect(TextReplacement(of: 0..<bytes.count, in: bytes, with: bytes) == nil)
  }
}
