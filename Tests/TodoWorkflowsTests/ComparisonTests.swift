import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("A comparison")
struct ComparisonTests {
  private let id = TodoID("t1")

  /// Returns a comparison in which both sides have changed the note.
  private func comparison(theirs: String = "theirs", version: Int64 = 2) -> Comparison {
    Comparison(sides(theirs, version), in: .local)
  }

  private func sides(_ theirs: String, _ version: Int64) -> ConflictSides {
    ConflictSides(
      id,
      TodoConflict(
        base: TodoContent(title: "Milk", note: "before"),
        mine: TodoContent(title: "Milk", note: "mine"),
        theirs: TodoContent(title: "Milk", note: theirs), theirVersion: version))
  }

  private func todo(_ note: String, version: Int64) -> Todo {
    var todo = Sample.todo("Milk", version: version)
    todo.content.note = note
    return todo
  }

  private func operation(_ decision: Comparison.Decision) -> ListOperation? {
    if case .operation(let operation) = decision { operation } else { nil }
  }

  @Test("The proposal follows a change of theirs")
  func proposal() {
    var comparison = comparison()
    let isOpen = comparison.follow(todo("newer", version: 3), nil)
    #expect(isOpen)
    #expect(comparison == self.comparison(theirs: "newer", version: 3).seen(after: "theirs"))
    #expect(comparison.merged == "Milk\n\n<<< mine\nmine\n=== theirs\nnewer\n>>>")
  }

  @Test("A merged text that was written before theirs changed is saved only after a question")
  func outdated() {
    var comparison = comparison()
    comparison.apply(merged: "Milk\n\nboth", basedOn: 2)
    #expect(comparison.mergedQuestion == nil)
    let isOpen = comparison.follow(todo("newer", version: 3), nil)
    #expect(isOpen)
    #expect(comparison.merged == "Milk\n\nboth")
    #expect(comparison.mergedQuestion != nil)
    comparison.apply(merged: "Milk\n\nboth", basedOn: 3)
    #expect(comparison.mergedQuestion != nil, "the user has not revised it")
    comparison.apply(merged: "Milk\n\nall", basedOn: 3)
    #expect(comparison.mergedQuestion == nil)
  }

  @Test("A side that is a proposal with markers is kept only after a question")
  func markersOfMine() {
    #expect(comparison().mineQuestion == nil)
    let proposal = comparison().sides.merge.proposal
    func question(before base: TodoContent) -> String? {
      let theirs = TodoContent(title: "Milk", note: "theirs")
      let conflict = TodoConflict(base: base, mine: proposal, theirs: theirs, theirVersion: 2)
      return Comparison(ConflictSides(id, conflict), in: .local).mineQuestion
    }
    #expect(
      question(before: TodoContent(title: "Milk", note: "before"))?.contains("markers") == true)
    #expect(question(before: proposal) == nil)
  }

  @Test("A comparison without a merged text is opened again as the form of its todo")
  func reopenedWithoutText() throws {
    func edit(_ values: [String: String]) throws -> Draft.Edit? {
      let base = EditBase(list: .local, id: id, version: 1).text
      return try FormText(values, of: "conflict", base: base)?.draft.edit
    }
    #expect(try edit([:]) == .fields(FieldChanges()))
    #expect(try edit(["merged": "a"]) == .merged("a"))
  }

  @Test("A removed and restored todo is not overwritten by text without its changes")
  func removedAndRestored() throws {
    func savedVersion(_ comparison: Comparison) throws -> Int64? {
      var form = try #require(comparison.formAfterRemoval())
      form.follow(todo("theirs", version: 5))
      return try form.edit().expectedVersion
    }
    let base = EditBase(list: .local, id: id, version: 1)
    let changes = FieldChanges(TodoContent(title: "", note: "mine"), fields: [.note])
    let edit = Draft(base: base, edit: .fields(changes))
    #expect(try savedVersion(Comparison(sides("theirs", 2), in: .local, edit: edit)) == 1)
    #expect(try savedVersion(comparison()) == 0)
    var comparison = comparison()
    comparison.apply(merged: "Milk\n\nboth", basedOn: 2)
    #expect(try savedVersion(comparison) == 2)
    let isOpen = comparison.follow(todo("newer", version: 3), nil)
    #expect(isOpen)
    #expect(try savedVersion(comparison) == 2, "the text was written before theirs changed")
    #expect(comparison.draft?.base.version == 2)
  }

  @Test("An old proposal is saved only after a question")
  func oldProposal() {
    var comparison = comparison()
    let proposal = comparison.merged
    comparison.follow(sides("newer", 3))
    comparison.apply(merged: proposal, basedOn: 3)
    #expect(comparison.mergedQuestion != nil)
  }

  @Test("A decision on sides that the user has not seen is not stored and asks again")
  func unseen() {
    var comparison = comparison()
    comparison.follow(sides("newer", 3))
    comparison.apply(merged: nil, basedOn: 2)
    #expect(operation(comparison.decide(.keep(.mine))) == nil)
    comparison.apply(merged: nil, basedOn: 3)
    guard case .settle(id, version: 3, let edit?) = operation(comparison.decide(.keep(.mine)))
    else {
      Issue.record("nothing is stored")
      return
    }
    #expect(edit.expectedVersion == 3)
    #expect(edit.changes.values.note == "mine")
  }

  @Test(
    "Markers are asked about, whatever is written next to them",
    arguments: [">>> and so on", ">>>", "x>>>", ">>>\r"])
  func markers(end: String) {
    var comparison = comparison()
    #expect(comparison.mergedQuestion != nil)
    comparison.apply(
      merged: "Milk\n\n<<< mine\nmine\n=== theirs\ntheirs\n\(end)", basedOn: 2)
    #expect(comparison.mergedQuestion != nil)
    comparison.apply(merged: "Milk\n\nmine >>> theirs", basedOn: 2)
    #expect(comparison.mergedQuestion == nil, "one marker is not a pair")
  }

  @Test("Markers that were not proposed are saved without a question")
  func quotedMarkers() {
    var comparison = Comparison(
      ConflictSides(
        id,
        TodoConflict(
          base: TodoContent(title: "Milk"), mine: TodoContent(title: "Milk", isDone: true),
          theirs: TodoContent(title: "Milk"), theirVersion: 2)), in: .local)
    comparison.apply(merged: "Milk\n\n<<<\n>>>", basedOn: 2)
    #expect(comparison.mergedQuestion == nil)
  }

  @Test("A conflict with the source that was resolved elsewhere closes, unless there is text")
  func resolvedElsewhere() {
    let merge = sides("theirs", 2).merge
    let source = ConflictSides(SourceConflict(id: id, version: 2, merge: merge))
    var comparison = Comparison(source, in: .local)
    var isOpen = comparison.follow(todo("settled", version: 3), nil)
    #expect(!isOpen)
    comparison.apply(merged: "Milk\n\nboth", basedOn: 2)
    isOpen = comparison.follow(todo("settled", version: 3), nil)
    #expect(isOpen)
    #expect(!comparison.sides.isWithSource)
    #expect(comparison.sides.merge.theirs.note == "settled")
    #expect(comparison.merged == "Milk\n\nboth")
    #expect(comparison.mergedQuestion != nil)
  }

  @Test("If the todo is removed elsewhere, the text can be saved as a new one")
  func removed() throws {
    var comparison = comparison()
    #expect(comparison.formAfterRemoval()?.content.note == "mine")
    comparison.apply(merged: "Soy milk\n\nboth", basedOn: 2)
    let form = try #require(comparison.formAfterRemoval())
    #expect(form.isRemoved)
    #expect((form.content.title, form.content.note) == ("Soy milk", "both"))
  }

  @Test("The merged text of a removed todo keeps the fields that the text does not contain")
  func removedWithFields() throws {
    let due = try #require(DueDate("2026-12-24"))
    let before = TodoContent(title: "Milk", labels: LabelSet(["shop"]))
    var (mine, theirs) = (before, before)
    (mine.note, mine.due, theirs.note) = ("mine", due, "theirs")
    let conflict = TodoConflict(base: before, mine: mine, theirs: theirs, theirVersion: 2)
    var comparison = Comparison(ConflictSides(id, conflict), in: .local)
    comparison.apply(merged: "Soy milk\n\nboth", basedOn: 2)
    let todo = try #require(comparison.formAfterRemoval()).newTodo().content
    #expect(
      todo == TodoContent(title: "Soy milk", note: "both", due: due, labels: LabelSet(["shop"])))
  }

  @Test("The draft of a removed todo has the edit that caused the conflict, until its text has it")
  func removedWithEdit() throws {
    let base = EditBase(list: .local, id: id, version: 1)
    let due = DueDate("2026-12-24")
    let edit = Draft(base: base, edit: .fields(FieldChanges(texts: ["note": "mine"])))
    var comparison = Comparison(sides("theirs", 2), in: .local, edit: edit)
    comparison.apply(merged: "Milk\n\nmerged", basedOn: 2)
    var form = try #require(comparison.formAfterRemoval())
    #expect(form.hiddenEdit?.changes[NoteField.self] == "mine")
    #expect(form.draft?.merged == "Milk\n\nmerged")
    form.apply(FieldChanges(texts: ["due": "2026-12-24"]), basedOn: nil)
    let mine = try #require(form.draft?.mine)
    #expect(mine.changes[NoteField.self] == "mine")
    #expect(mine.changes.text(of: .due, in: mine.changes.values) == "2026-12-24")
    #expect(try form.newTodo().content == TodoContent(title: "Milk", note: "merged", due: due))
    form.apply(FieldChanges(texts: ["note": "merged with mine"]), basedOn: nil)
    #expect(form.hiddenEdit == nil)
    #expect(form.draft?.changes[NoteField.self] == "merged with mine")
    #expect(form.draft?.mine == nil)
  }

  @Test("Until it is resolved, its draft is the edit that led to it, or the merged text")
  func draft() {
    let base = EditBase(list: .local, id: id, version: 1)
    let edit = Draft(base: base, edit: .fields(FieldChanges(texts: ["note": "mine"])))
    var comparison = Comparison(sides("theirs", 2), in: .local, edit: edit)
    #expect(comparison.draft == edit)
    comparison.apply(merged: "Milk\n\nboth", basedOn: 2)
    #expect(
      comparison.draft
        == Draft(
          base: EditBase(list: .local, id: id, version: 2),
          edit: .merged(
            "Milk\n\nboth",
            mine: Draft.ConflictingEdit(
              changes: FieldChanges(texts: ["note": "mine"]), version: 1))))
  }
}

extension Comparison {
  /// Returns this comparison for a user who has already seen an earlier one, in which the note of
  /// the other side was `theirs`.
  fileprivate func seen(after theirs: String) -> Comparison {
    var earlier = Comparison(
      ConflictSides(
        sides.id,
        TodoConflict(
          base: sides.merge.base, mine: sides.merge.mine,
          theirs: TodoContent(title: "Milk", note: theirs), theirVersion: 2)), in: list)
    earlier.follow(sides)
    return earlier
  }
}
