import Testing
import TodoModel

@testable import TodoTools

struct ReceivedNotesTests {
  private func todo(_ note: String, _ version: Int64) -> Todo {
    let now = Timestamp(milliseconds: 0)
    return Todo(
      id: TodoID("t1"), content: TodoContent(title: "a", note: note), version: version,
      createdAt: now, updatedAt: now, origin: nil, sync: .local)
  }

  private let id = TodoID("t1")

  @Test func onlyTheShownVersionIsKnown() {
    var notes = ReceivedNotes()
    #expect(!notes.contains(id, at: 1))
    notes.record(ShownNote(id: id, version: 2, note: "n"))
    #expect(notes.contains(id, at: 2))
    #expect(!notes.contains(id, at: 1) && !notes.contains(id, at: 3))
  }

  @Test func noteStaysKnownAfterTheClientsOwnChange() {
    var notes = ReceivedNotes()
    notes.record(ShownNote(id: id, version: 2, note: "n"))
    notes.didChange(todo("n", 3), written: nil)
    #expect(notes.contains(id, at: 3))
    notes.didChange(todo("theirs", 4), written: nil)
    #expect(!notes.contains(id, at: 4))
    notes.didChange(todo("mine", 5), written: "mine")
    #expect(notes.contains(id, at: 5))
    notes.didChange(todo("merged", 6), written: "mine")
    #expect(!notes.contains(id, at: 6))
  }

  /// A note that was evicted has to be read again.
  @Test func rememberedNotesAreBounded() {
    var notes = ReceivedNotes()
    for number in 0..<2 * ReceivedNotes.countMax {
      notes.record(ShownNote(id: TodoID("t\(number)"), version: 1, note: ""))
    }
    #expect(!notes.contains(TodoID("t0"), at: 1))
    #expect(notes.contains(TodoID("t\(2 * ReceivedNotes.countMax - 1)"), at: 1))
  }
}
