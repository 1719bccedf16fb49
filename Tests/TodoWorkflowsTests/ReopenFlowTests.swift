import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("A text whose form does not exist any more")
struct ReopenFlowTests {
  private let app: TestApp
  private let id: TodoID

  init() throws {
    app = try TestApp.atList(["Milk", "Rent"])
    id = try app.id("Milk")
  }

  private func base(_ version: Int64 = 1) -> String {
    EditBase(list: .local, id: id, version: version).text
  }

  private func operation(
    _ form: String, _ values: [String: String], version: Int64 = 1
  ) throws -> ListOperation {
    .reopen(try #require(try FormText(values, of: form, base: base(version))))
  }

  private func reopen(
    _ form: String, _ values: [String: String], version: Int64 = 1
  ) async throws {
    #expect(try app.reopen(form, values, base: base(version), token: 1))
    await app.carryOut(try operation(form, values, version: version))
    #expect(app.end(1) == .shown)
  }

  @Test("is shown again, and can be saved")
  func edit() async throws {
    try await reopen("todoEdit", ["title": "Oat milk", "note": "Two"])
    #expect(app.front.id == "todoEdit/\(app.todoText(id))")
    #expect(try app.field("title").value == "Oat milk")
    #expect(app.front.actions.last?.confirm == "Discard what you typed?")
    try app.act("save")
    await app.carryOut(
      .edit(id, try TodoEdit(title: "Oat milk", note: "Two", expectedVersion: 1)))
    #expect(try app.store.todo(id, in: .local).content.title == "Oat milk")
  }

  @Test("is shown with a warning if the todo was changed since")
  func stale() async throws {
    _ = try app.store.edit(id, try TodoEdit(title: "Soy milk"), in: .local)
    try await reopen("todoEdit", ["title": "Oat milk"])
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    #expect(app.base == base(), "it is still made from the old text")
  }

  @Test("can be saved as a new todo if its own was removed")
  func gone() async throws {
    try app.store.remove(id, expectedVersion: nil, in: .local)
    try await reopen("todoEdit", ["title": "Oat milk", "note": "Two"])
    #expect(app.front.id == "todoEdit/\(app.todoText(id))")
    #expect(app.front.subject == "Oat milk")
    #expect(app.base == base())
    #expect(app.front.actions.map(\.name) == ["saveAsNew", "discard"])
    #expect(
      app.front.actions.map(\.confirm) == [
        "This todo was removed elsewhere. Save it as a new one?", "Discard what you typed?",
      ])
    try app.act("saveAsNew", stays: true)
    await app.carryOut(.add(try NewTodo(title: "Oat milk", note: "Two")))
    let new = try app.id("Oat milk")
    #expect(app.front.id == "todoEdit/\(app.todoText(new))")
    #expect(try app.store.todo(new, in: .local).content.note == "Two")
  }

  @Test("that was a merged text is mine then")
  func merged() async throws {
    try await reopen("conflict", ["merged": "Any milk\n\nboth"])
    #expect(app.front.id == "conflict/\(app.todoText(id))")
    #expect(try app.field("theirs").value == "Milk")
    #expect(try app.field("merged").value == "Any milk\n\nboth")
    try app.act("saveMerged", stays: true)
    await app.carryOut(
      .settle(
        id, version: 1,
        try TodoEdit(title: "Any milk", note: "both", isDone: false, expectedVersion: 1)))
    #expect(app.front.id == "todoEdit/\(app.todoText(id))", "the text of the todo stays open")
  }

  @Test("that was a merged text conflicts again if the todo was changed since")
  func mergedStale() async throws {
    _ = try app.store.edit(id, try TodoEdit(title: "Soy milk"), in: .local)
    try await reopen("conflict", ["merged": "Any milk"])
    try app.act("saveMerged", token: 2)
    #expect(app.end(2) == .needsDecision)
    #expect(app.names.last == "conflict")
    #expect(try app.store.todo(id, in: .local).content.title == "Soy milk")
    #expect(try app.field("merged").value == "Any milk")
    #expect(
      app.front.actions.first { $0.name == "saveMerged" }?.confirm
        == "Theirs was changed after you wrote the merged text. Save your text in its place?")
  }

  @Test("that was a merged text is not compared again if it was stored before")
  func storedMerged() async throws {
    _ = try app.store.edit(id, try TodoEdit(title: "Any milk", note: "both"), in: .local)
    try await reopen("conflict", ["merged": "Any milk\n\nboth"])
    #expect(app.names == ["welcome", "todoList", "todoEdit"])
    #expect(try app.field("note").value == "both")
    #expect(app.front.actions.last?.confirm == nil, "there is nothing to discard")
  }

  @Test("is accepted only above its list, and with known fields")
  func refused() throws {
    #expect(try !app.reopen("welcome", [:], base: base()))
    #expect(try !app.reopen("todoEdit", [:], base: "no base"))
    let known = ["title", "due", "labels", "priority", "note"]
    #expect(throws: ScreenOffer.Refusal.unknownField("body", known: known)) {
      try app.reopen("todoEdit", ["body": "x"], base: base())
    }
    let other = EditBase(
      list: TodoListKey(profile: "ann", source: "github:octo/tasks"), id: id, version: 1)
    #expect(throws: ScreenOffer.Refusal.self) {
      try app.reopen("todoEdit", ["title": "x"], base: other.text)
    }
    let welcome = TestApp()
    #expect(try !welcome.reopen("todoEdit", ["title": "x"], base: "ann/local/t1/1"))
  }

  /// Returns a recovered text whose draft is in the store. The draft has the number 7.
  private func recovered() throws -> RestoredDraft {
    let text = try #require(
      try FormText(["note": "Two litres"], of: "todoEdit", base: base()))
    return RestoredDraft(
      StoredDraft(
        number: 7, draft: text.draft, typedAt: Timestamp(milliseconds: 1_795_452_120_000),
        title: "Milk"))
  }

  @Test("Discard ends when the draft is deleted")
  func discardDeletesTheDraft() throws {
    try app.act("open", item: id)
    app.answer(.success(.opened(try app.store.todo(id, in: .local), try recovered())))
    try app.act("discard", token: 1)
    #expect(app.names.last == "todoList")
    #expect(app.isWaiting(1))
    app.answer(.success(.drafted([], isFirst: false)))
    #expect(app.end(1) == .shown)
  }

  @Test("Discard without a stored draft ends immediately")
  func discardWithoutADraft() throws {
    try app.act("open", item: id)
    app.answer(.success(.opened(try app.store.todo(id, in: .local))))
    try app.act("discard", token: 1)
    #expect(!app.isWaiting(1))
  }

  @Test("Decide later ends when the draft is deleted")
  func decideLaterDeletesTheDraft() throws {
    try app.act("open", item: id)
    var sides = ConflictSides(id, Sample.conflict())
    sides.isWithSource = true
    app.answer(.success(.openedConflict(sides, try recovered())))
    try app.act("later", token: 1)
    #expect(app.names.last == "todoList")
    #expect(app.isWaiting(1))
    app.answer(.success(.drafted([], isFirst: false)))
    #expect(app.end(1) == .shown)
  }
}
