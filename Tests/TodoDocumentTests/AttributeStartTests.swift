import Testing
import TodoModel

@testable import TodoDocument

@Suite struct AttributeStartTests {
  /// Reads a line in which `|` is the cursor.
  private func start(_ text: String) -> (
    kind: AttributeStart.Kind, typed: String, labels: LabelSet
  )? {
    var bytes = Array(text.utf8)
    guard let cursor = bytes.firstIndex(of: UInt8(ascii: "|")) else { return nil }
    bytes.remove(at: cursor)
    return AttributeStart(in: bytes[...], at: cursor).map {
      ($0.kind, String(decoding: bytes[$0.range], as: UTF8.self), $0.labels)
    }
  }

  @Test(arguments: [
    ("- [ ] Milk #|", "#"), ("- [ ] Milk #sh|", "#sh"),
    ("* [x] Milk due:2026-12-01 #sh| !low", "#sh"),
    ("- [ ] Milk #| ^k3f9.4", "#"), ("- [ ] Milk ^k3f9abcdefgh1234.4 #|", "#"),
    ("- [ ] Milk #| ^k3f9abcdefgh1234.4 !conflict", "#"), ("- [ ] Milk #\"two w|", "#\"two w"),
    ("- [ ] Read #1| #b", "#1"), ("- [ ] é😀 #é|", "#é"),
  ])
  func labelBeginsAtTheEndOfATitle(text: String, typed: String) throws {
    let found = try #require(start(text), "\(text)")
    #expect((found.kind, found.typed) == (.label, typed))
  }

  @Test func dateAndPriorityAreOfferedOnce() {
    #expect(start("- [ ] Milk due:|")?.kind == .due)
    #expect(start("- [ ] Milk due:fr| #shop ^k3f9.4")?.typed == "due:fr")
    #expect(start("- [ ] Milk !|")?.kind == .priority)
    #expect(start("- [ ] Milk due:| due:2026-12-01") == nil)
    #expect(start("- [ ] Milk !| !low") == nil)
    #expect(start("- [ ] Milk !| !high") == nil)
  }

  @Test(arguments: [
    "- [ ] #|", "- [ ] due:|", "- [ ] # ^k3f9|.4", "- [ ] Milk #| and bread", "- [ ] Milk #s|h",
    "- [ ] Milk C#|", "- [ ] Milk|", "- [ ] Milk |", "Milk #|", "  - [ ] Milk #|", "  Note due:|",
    "# Home #|", "#|", "|", "- [ ] Milk #\"two\" w|", "- [ ] Milk Due:|", "<!-- end --> #|",
  ])
  func otherWordsAreText(text: String) {
    #expect(start(text) == nil)
  }

  @Test func otherLabelsOfTheLineAreReturned() {
    #expect(
      start("- [ ] Milk #shop #| #\"two words\" ^k3f9.4")?.labels
        == LabelSet(["shop", "two words"]))
  }
}
