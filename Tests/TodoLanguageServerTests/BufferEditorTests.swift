import TestSupport
import Testing

@testable import TodoLanguageServer

struct BufferEditorTests {
  private static let pieces = ["", "a", "é", "😀", "\n", "\r\n", "\r", "one\ntwo\r\n", "x\r", "\nb"]

  @Test(arguments: [LineEnds.feeds, .feedsAndReturns], PositionEncoding.allCases)
  func changesGiveTheSameTextAsSingleReplacements(
    _ lineEnds: LineEnds, _ encoding: PositionEncoding
  ) {
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let start = (0..<Int.random(in: 0...12, using: &random)).map { _ in piece(&random) }
      var expected = BufferText(start.joined(), lineEnds: lineEnds)
      var editor = BufferEditor(expected, encoding)
      for _ in 0..<6 {
        let (lower, upper) = (position(&random), position(&random))
        let new = piece(&random)
        let offset = expected.offset(of: lower, encoding)
        let range = offset..<max(offset, expected.offset(of: upper, encoding))
        let edit = TextReplacement(range: range, text: Array(new.utf8))
        expected = BufferText(expected.replacing([edit]).bytes, lineEnds: lineEnds)
        editor.replace(from: lower, to: upper, with: new)
        #expect(editor.text.bytes == expected.bytes)
        #expect(editor.text.lineStarts == expected.lineStarts)
      }
      let closed = editor.close()
      #expect(closed.bytes == expected.bytes)
      #expect(closed.lineStarts == expected.lineStarts)
    }
  }

  private func piece(_ random: inout SplitMix64) -> String {
    Self.pieces.randomElement(using: &random) ?? ""
  }

  private func position(_ random: inout SplitMix64) -> TextPosition {
    TextPosition(
      line: Int.random(in: -1...9, using: &random),
      character: Int.random(in: -1...5, using: &random))
  }
}
