import Testing

@testable import TodoLanguageServer

struct LineMovesTests {
  private func moves(_ old: [String], _ new: [String]) -> LineMapping {
    LineMapping(
      from: BufferText(old.joined(separator: "\n")), to: BufferText(new.joined(separator: "\n")))
  }

  @Test func editedLineStaysTheSameLine() {
    #expect(moves(["a", "- [ ] Buy mi", "c"], ["a", "- [ ] Buy milk", "c"]).line(1) == 1)
    #expect(moves(["a", "- [ ] Buy mi", "c"], ["a", "- [x] Pay", "c"]).line(1) == 1)
  }

  @Test func linesBelowAnInsertionMove() {
    let moves = moves(["a", "- [ ] Buy"], ["a", "- [ ] X", "- [ ] Buy"])
    #expect(moves.line(0) == 0)
    #expect(moves.line(1) == 2)
  }

  @Test func lineThatMovedBelowIsFound() {
    let moves = moves(
      ["a", "- [ ] Buy mi", "c"], ["a", "- [ ] First", "- [ ] Buy milk", "  note", "c"])
    #expect(moves.line(1) == 2)
    #expect(moves.line(2) == 4)
  }

  @Test func removedLineMapsToNil() {
    let moves = moves(["a", "- [ ] Buy", "- [ ] Pay", "c"], ["a", "c"])
    #expect(moves.line(1) == nil)
    #expect(moves.line(2) == nil)
    #expect(moves.line(3) == 1)
  }

  @Test func linesAreMappedThroughSeveralEdits() {
    let old = BufferText("a\nb\nc\nd\n")
    let edits = [
      TextReplacement(range: 0..<0, text: Array("x\n".utf8)),
      TextReplacement(range: 2..<4, text: []),
      TextReplacement(range: 5..<5, text: Array(" ^id.1".utf8)),
    ]
    let moves = LineMapping(edits, in: old, to: old.replacing(edits))
    #expect([0, 1, 2, 3, 4].map { moves.line($0) } == [1, nil, 2, 3, 4])
  }

  /// Only the lines around a change are compared.
  @Test func linesAreMappedThroughChangesOneAfterAnother() {
    var editor = BufferEditor(BufferText("a\n- [ ] Buy mi\nc\nd\n"), .utf8)
    editor.replace(14..<14, with: Array("lk".utf8))
    editor.replace(0..<0, with: Array("x\ny\n".utf8))
    editor.replace(21..<23, with: [])
    #expect(String(decoding: editor.text.bytes, as: UTF8.self) == "x\ny\na\n- [ ] Buy milk\nd\n")
    #expect([0, 1, 2, 3, 4].map { editor.moves.line($0) } == [2, 3, nil, 4, 5])
  }

  @Test func changeIsMappedAsTheComparisonOfBothTexts() {
    let lines = ["a", "- [ ] Buy", "", "- [ ] Buy", "- [ ] Pay\r", "", "b"]
    let old = BufferText(lines.joined(separator: "\n"), lineEnds: .feedsAndReturns)
    for start in old.bytes.indices {
      for end in [start, min(start + 9, old.bytes.count), old.bytes.count] {
        for new in ["", "x", "\n", "- [ ] New\n", "\n- [ ] Other\n"] {
          var editor = BufferEditor(old, .utf8)
          editor.replace(start..<end, with: Array(new.utf8))
          let text = editor.text
          let whole = LineMapping(from: old, to: text)
          for line in old.lineStarts.indices {
            let number = editor.moves.line(line)
            if let number { #expect(text.lineStarts.indices.contains(number)) }
            #expect(number == whole.line(line), "\(start)..<\(end) \(new)")
          }
        }
      }
    }
  }
}
