import Testing
import TodoModel

@Suite struct EntryIDTests {
  @Test(arguments: [
    (EntryID.todo(TodoID("t1")), "todo/t1"), (.todo(TodoID("1")), "todo/1"),
    (.todo(TodoID("text/1")), "todo/text/1"), (.todo(TodoID("\u{301}")), "todo/\u{301}"),
    (.text(1), "text/1"), (.text(.min), "text/-9223372036854775808"),
  ])
  func storedFormIsReadBack(_ entry: EntryID, _ text: String) {
    #expect(entry.text == text)
    #expect(EntryID(text) == entry)
  }

  @Test(arguments: ["", "1", "todo", "text/", "text/x", "text/1 2", "Todo/1"])
  func otherTextsAreRefused(_ text: String) { #expect(EntryID(text) == nil) }
}
