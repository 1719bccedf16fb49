import TestSupport
import Testing
import TodoModel

@testable import TodoDocument

/// Tests that the cost of a keypress depends only on the changed lines (rule 17 for documents).
struct TextPartTests {
  private static let lines = [
    "- [ ] Buy milk\n", "- [x] Pay the rent ^K3f9q2\n", "- [ ] Fix\n",
    "the door ^p2q7h4\n", "  By Friday\n", "\n", "  \n", "```\n", "~~~~\n", "# Home\n",
    "Text\n", "---\n", "  - [ ] Nested ^a8d1a8d1a8d1a8d1.1\n", "- [ ] x^p2q7h4d6s8w0c3n5.2\n",
    "- [ ] One ^a8d1a8d1a8d1a8d1.1 - [ ] Two ^k3f9q2.5\n", "  <!-- end -->\n",
    "- [ ] Both ^k3f9q2m7x0v5t8b1.4 !conflict\n", "  <<< mine\n", "  [ ] Mine\n",
    "  === theirs\n", "  >>>\n", "<!-- todo-server ann local 3 -->\n", "- [x]\r\n", "- [ ] Half",
  ]

  private static let marks: AssignedMarks = {
    var marks = AssignedMarks()
    for id in ["k3f9q2m7x0v5t8b1", "p2q7h4d6s8w0c3n5"] {
      marks.add(TodoMark(of: TodoID(id)), of: TodoID(id))
    }
    return marks
  }()

  @Test func todosAroundALineAreThoseOfTheWholeText() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      let lines = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        Self.lines.randomElement(using: &random) ?? ""
      }
      let end = Bool.random(using: &random) ? "<!-- end -->\n" : ""
      let bytes = Array((lines.joined() + end).utf8)
      let whole = Document.located(in: bytes, marks: Self.marks)
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: ASCII.newline).map { $0 + 1 } ?? bytes.count
        let part = Document.located(in: bytes, around: start..<end, on: .sample, marks: Self.marks)
        let (found, expected) = (Self.todos(part, start..<end), Self.todos(whole, start..<end))
        #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self)) at \(start)")
        start = end
      }
    }
  }

  private struct Found: Equatable {
    var line: DocumentLine
    var place: Range<Int>
  }

  private static func todos(
    _ read: (document: Document, places: DocumentPlaces), _ range: Range<Int>
  ) -> [Found] {
    zip(read.document.entries, read.places.entries).compactMap { entry, place in
      guard case .todo(let line) = entry, place.lowerBound < range.upperBound,
        place.upperBound >= range.lowerBound
      else { return nil }
      return Found(line: line, place: place)
    }
  }

  @Test func onlyTheTodosAroundALineAreRead() {
    let line = "- [ ] Pay the rent ^k3f9q2m7x0v5t8b1.4\n"
    let bytes = Array(String(repeating: line, count: 1_000).utf8)
    let start = 500 * line.utf8.count
    let range = start..<start + line.utf8.count
    #expect(Document.located(in: bytes, around: range, on: .sample).places.entries.count == 1)
  }

  @Test func plainLineTakesLittleMemory() {
    #expect(MemoryLayout<Document.Entry>.stride <= 24)
  }

  /// If each line copied the other lines, the time would grow with the square of the number of
  /// lines.
  @Test(.timeLimit(.minutes(5))) func manyTypedLinesAreMerged() {
    let count = 100_000
    var document = Document()
    document.heading = .sample
    document.entries = Array(repeating: .text("A line that a user has typed."), count: count)
    let merge = DocumentMerge(
      document, madeFrom: nil, now: DocumentContents(todos: [], texts: []), path: "p")
    #expect(merge.save.changes.count == 1)
    #expect(merge.matches.count == count)
  }
}
