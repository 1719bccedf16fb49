import Testing
import TodoModel

@testable import TodoDocument

/// The first line of a document may come after front matter (rule 7 for documents).
@Suite struct FrontMatterTests {
  private static let front = ["---", "title: List", "\ntags: [a]", "---\n"]
  private static let todo = DocumentTodo(
    id: TodoID("k3f9abcdefgh1100"), version: 1, content: .open("Milk"))

  private static func texts(_ lines: [String], after: TodoID? = nil) -> [PlainLine] {
    lines.enumerated().map {
      PlainLine(id: Int64($0.offset + 1), text: $0.element, after: after)
    }
  }

  @Test func headingIsBelowTheFrontMatter() throws {
    let desk = Desk(Self.todo, texts: Self.texts(Self.front + ["# Home"]))
    let lines = desk.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[..<6] == ["---", "title: List", "", "tags: [a]", "---", ""])
    #expect(lines[6].hasPrefix("<!-- todo-server "))
    #expect(lines[7] == "# Home")
    let document = Document(reading: Array(desk.text.utf8))
    #expect(document.heading == .sample)
    #expect(desk.changes(desk.text).isEmpty)
    #expect(FrontMatter.end(lines: { Array(lines[$0].utf8)[...] }, count: lines.count) == 6)
  }

  /// Front matter without its end, or below other text, is text.
  @Test(arguments: [["---", "title: List"], ["# Home", "---", "a", "---"], ["--- ", "a", "---"]])
  func otherRulesAreTexts(lines: [String]) {
    let desk = Desk(Self.todo, texts: Self.texts(lines))
    #expect(desk.text.hasPrefix("<!-- todo-server "))
    #expect(desk.changes(desk.text).isEmpty)
    let all = lines.map { Array($0.utf8)[...] }
    #expect(FrontMatter.end(lines: { all[$0] }, count: all.count) == 0)
  }

  @Test func frontMatterIsEditedLikeOtherText() {
    let desk = Desk(Self.todo, texts: Self.texts(Self.front))
    let changes = desk.changes(desk.text.replacing("title: List", with: "title: Home"))
    #expect(changes.compactMap(\.texts).map { $0.map(\.text) } == [["title: Home"]])
    #expect(changes.count == 2)
  }
}
