import Testing
import TodoModel

@Suite("The beginning of a note")
struct PreviewTests {
  private static let bytesMax = TodoRow.previewBytesMax

  @Test("A note that fits is shown whole, and an empty one not at all")
  func short() {
    #expect(TodoRow.preview(of: "") == nil)
    #expect(TodoRow.preview(of: "a\nb") == "a\nb")
    let full = String(repeating: "é", count: Self.bytesMax / 2)
    #expect(TodoRow.preview(of: full) == full)
  }

  /// A character that does not fit is left out as a whole.
  @Test(
    "It ends with a whole character",
    arguments: ["x", "é", "e\u{301}", "\r\n", "👩‍👩‍👧‍👧", "🇩🇪", "한", "क्षि", "\u{1F44D}\u{1F3FD}"])
  func whole(character: String) throws {
    for room in 0...character.utf8.count + 1 {
      let start = String(repeating: "a", count: Self.bytesMax - room)
      let note = start + character + character + "z" + String(repeating: "z", count: 100)
      let preview = try #require(TodoRow.preview(of: note))
      #expect(preview.utf8.count <= Self.bytesMax)
      // Character by character, the slow way.
      var expected = ""
      for next in note {
        if expected.utf8.count + next.utf8.count > Self.bytesMax { break }
        expected.append(next)
      }
      #expect(Array(preview.utf8) == Array(expected.utf8))
      // Four bytes more are enough to tell.
      let beginning = String(decoding: note.utf8.prefix(Self.bytesMax + 4), as: UTF8.self)
      #expect(TodoRow.preview(of: beginning).map { Array($0.utf8) } == Array(expected.utf8))
    }
  }

  @Test("A single character that has no room is left out")
  func none() {
    let character = "e" + String(repeating: "\u{301}", count: Self.bytesMax)
    #expect(TodoRow.preview(of: character) == "")
  }

  @Test("Rows have previews only if requested")
  func rows() {
    let todo = Todo(
      id: TodoID("t1"), content: TodoContent(title: "t", note: "n", isDone: false), version: 1,
      createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0),
      origin: TodoOrigin(url: "https://example.com/1", number: 1), sync: .synced)
    #expect(TodoRow(todo).preview == nil)
    #expect(TodoRow(todo, hasPreview: true).preview == "n")
    #expect(TodoRow(todo).url == "https://example.com/1")
  }
}
