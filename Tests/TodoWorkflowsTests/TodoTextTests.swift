import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("A todo as one text")
struct TodoTextTests {
  @Test(
    "is a title, a blank line and a note",
    arguments: [
      ("t", "", "t"), ("t", "n", "t\n\nn"), ("t", "\nn", "t\n\n\nn"),
      ("t", "a\r\nb", "t\n\na\r\nb"),
      ("t", "\r\nb", "t\n\n\r\nb"), ("t", "n\n\n", "t\n\nn\n\n"), ("", "n", "\n\nn"),
      ("e\u{301}", "\u{301}n", "e\u{301}\n\n\u{301}n"),
    ])
  func roundTrip(title: String, note: String, text: String) {
    let written = TodoText.text(of: TodoContent(title: title, note: note, isDone: false))
    #expect(written.utf8.elementsEqual(text.utf8))
    let (readTitle, readNote) = TodoText.split(text)
    #expect(readTitle.utf8.elementsEqual(title.utf8))
    #expect(readNote.utf8.elementsEqual(note.utf8))
  }

  @Test(
    "is read as people type it",
    arguments: [
      ("t\nn", "t", "n"), ("t\n", "t", ""), ("t\n\n", "t", ""), ("", "", ""),
      ("t\r\n\r\nn\r\n", "t", "n\r\n"),
    ])
  func typed(text: String, title: String, note: String) {
    let (readTitle, readNote) = TodoText.split(text)
    #expect(readTitle.unicodeScalars.elementsEqual(title.unicodeScalars))
    #expect(readNote.unicodeScalars.elementsEqual(note.unicodeScalars))
  }
}
