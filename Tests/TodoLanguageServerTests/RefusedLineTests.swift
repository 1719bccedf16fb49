import JSONRPC
import Testing
import TodoDocument
import TodoModel

@testable import TodoLanguageServer

/// Tests lines that are reported because they cannot be stored, such as new lines of a list whose
/// filter no new todo can match.
struct RefusedLineTests {
  private static let text = """
    <!-- todo-server ann github:octo/tasks 7 -->
    - [ ] Buy milk
    <!-- end -->

    """

  @Test(arguments: [false, true])
  func lineThatCannotBeAddedIsReported(acceptsNew: Bool) {
    var document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p",
      list: TodoListKey(profile: "ann", source: "github:octo/tasks"), on: .first)
    var contents = DocumentContents()
    contents.acceptsNew = acceptsNew
    while let request = document.next() {
      switch request {
      case .lease: document.handle(.success(.opened(7)))
      case .read: document.handle(.success(.contents(contents)))
      case .generation(let number, _):
        document.handle(.success(.generation(contents.generation(number))))
      case _: document.handle(.success(.done))
      }
    }
    let found = Diagnostics(document, ListDetails(), .utf16, on: .first).all
    #expect(found.map { $0["code"] } == (acceptsNew ? [] : ["notAdded"]))
    #expect(found.allSatisfy { $0["range"]?["start"]?["line"] == 1 })
  }

  @Test func documentWithTooManyLinesIsReportedAndNotStored() {
    let first = "<!-- todo-server ann local 7 -->\n"
    let lines = String(repeating: "\n", count: OpenDocument.linesMax)
    var document = OpenDocument(
      BufferText(first + lines), version: 1, key: "p",
      list: TodoListKey(profile: "ann", source: ""), on: .first)
    document.save()
    #expect(document.next() == nil)
    let found = Diagnostics(document, ListDetails(), .utf16, on: .first).all
    #expect(found.map { $0["code"] } == ["tooLong"])
  }
}
