import Testing
import TodoModel

@testable import TodoDocument

/// Tests that a line of text that looks like a todo is reported (rule 17 for documents).
@Suite struct TextLikeTodoTests {
  private func found(_ lines: String...) -> [String] {
    Document(reading: Array(lines.joined(separator: "\n").utf8)).textsLikeTodos.map(\.line)
  }

  @Test(arguments: ["1. [ ] One", "2) [x] Two", "- [-] Three", "- [] Four", "* [/] Five"])
  func lineLikeATodoIsFound(line: String) { #expect(found("# Home", "", line) == [line]) }

  @Test(arguments: [
    "- [docs](url)", "[ ] No bullet", "- text", "1. first", "- [a] note", "- [1] note",
    "- [ ] Todo", "- [-]", "* * *",
  ])
  func otherLineIsNotFound(line: String) { #expect(found("# Home", "", line).isEmpty) }

  @Test func exampleInAFenceIsNotFound() {
    #expect(found("```", "1. [ ] One", "```", "1. [ ] Two") == ["1. [ ] Two"])
  }

  @Test func reasonIsReported() {
    let long = "- [ ] \(String(repeating: "x", count: TitleField.bytesMax + 1))"
    let reasons = Document(reading: Array("\(long)\n- [-] b\n".utf8)).textsLikeTodos.map(\.reason)
    #expect(reasons.count == 2)
    #expect(reasons.first != reasons.last)
  }
}
