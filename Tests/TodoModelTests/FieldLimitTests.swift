import Testing

@testable import TodoModel

@Suite struct FieldLimitTests {
  private let limits = FieldLimits([.title: 3, .note: 2])

  @Test func valuesAreMeasuredInCodePoints() throws {
    var changes = FieldChanges()
    changes[TitleField.self] = "äöü"
    changes[NoteField.self] = "e\u{301}"
    try limits.check(changes)
    changes[NoteField.self] = "e\u{301}s"
    #expect(limits.problems(with: changes).map(\.field) == ["note"])
    #expect(throws: TodoError.self) { try limits.check(changes) }
    try FieldLimits.none.check(changes)
  }

  /// A title from the source may exceed the source's own limit. This does not prevent an edit of
  /// the note, because the edit does not send the title.
  @Test func onlyChangedFieldsAreChecked() throws {
    let content = TodoContent(title: "a long title", note: "n")
    try limits.check(FieldChanges(content, fields: [.note, .done]))
    #expect(limits.problems(with: FieldChanges(content, fields: .all)).map(\.field) == ["title"])
  }

  @Test func eachLabelIsMeasured() throws {
    let limits = FieldLimits([.labels: 2])
    try limits.check(FieldChanges(TodoContent(labels: LabelSet(["äö", "b"])), fields: [.labels]))
    let changes = FieldChanges(TodoContent(labels: LabelSet(["äö", "bcd"])), fields: [.labels])
    #expect(limits.problems(with: changes).map(\.field) == ["labels"])
  }

  @Test func newMarkerHasItsTimeAndALimitedLength() {
    let now = Timestamp(milliseconds: 1_800_000_000_123)
    for id in ["t1", "a.b", String(repeating: "x", count: 1_000)] {
      let marker = ItemMarker(of: TodoID(id), at: now, random: .max)
      #expect(marker.createdAt == now)
      #expect(marker.text.utf8.count <= ItemMarker.newBytesMax)
    }
    // A marker of an older version is the id of its todo.
    #expect(ItemMarker("k3f9q2m7x0v5t8b1").createdAt == nil)
  }
}
