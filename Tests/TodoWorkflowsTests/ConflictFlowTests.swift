import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("A conflict")
struct ConflictFlowTests {
  private let app: TestApp
  private let id: TodoID

  /// Creates a conflict: "mine" is "Oat milk" with a note, "theirs" is "Soy milk" in version 2.
  init() async throws {
    app = try TestApp.atList(["Milk", "Rent"])
    id = try app.id("Milk")
    try app.act("open", item: id)
    await app.carryOut(.open(id))
    try app.change(["title": "Oat milk", "note": "mine"])
    _ = try app.store.edit(id, try TodoEdit(title: "Soy milk"), in: .local)
    try app.act("save", token: 1)
    await app.carryOut(
      .edit(id, try TodoEdit(title: "Oat milk", note: "mine", expectedVersion: 1)))
  }

  private var stored: TodoContent { get throws { try app.store.todo(id, in: .local).content } }

  private func decision(
    _ title: String, _ note: String, version: Int64 = 2
  ) throws -> ListOperation {
    .settle(
      id, version: version,
      try TodoEdit(title: title, note: note, isDone: false, expectedVersion: version))
  }

  @Test("shows the sides as texts and overwrites nothing")
  func screen() throws {
    #expect(app.names == ["welcome", "todoList", "conflict"])
    #expect(app.end(1) == .needsDecision)
    #expect(try app.field("base").value == "")
    #expect(try app.field("mine").value == "Oat milk\n\nmine")
    #expect(try app.field("theirs").value == "Soy milk")
    #expect(app.front.message?.level == .warning)
    #expect(app.front.actions.map(\.isEnabled) == [true, true, true])
    #expect(try stored.title == "Soy milk")
  }

  @Test("keepMine replaces theirs")
  func keepMine() async throws {
    try app.change(["merged": "something else"])
    try app.act("keepMine", token: 7)
    #expect(app.front.actions.map(\.isEnabled) == [false, false, false])
    await app.carryOut(try decision("Oat milk", "mine"))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Oat milk", "Rent"])
    #expect(try stored == TodoContent(title: "Oat milk", note: "mine", isDone: false))
    #expect(app.end(7) != nil)
  }

  @Test("of a todo removed elsewhere can be saved as a new todo")
  func removedElsewhere() async throws {
    try app.change(["merged": "Any milk\n\nboth"])
    try app.store.remove(id, expectedVersion: nil, in: .local)
    try app.act("saveMerged", token: 7)
    await app.carryOut(try decision("Any milk", "both"))
    #expect(app.end(7) == .failed(.todoRemovedElsewhere))
    #expect(app.names == ["welcome", "todoList", "todoEdit"])
    #expect(app.message == TodoError.todoRemovedElsewhere.message)
    #expect(try app.field("title").value == "Any milk")
    #expect(try app.field("note").value == "both")
    try app.act("saveAsNew")
    await app.carryOut(.add(try NewTodo(title: "Any milk", note: "both")))
    #expect(app.items.first == "Any milk")
  }

  private var taking: ListOperation { .settle(id, version: 2, nil) }

  @Test("takeTheirs returns to the list, saves nothing and shows theirs")
  func takeTheirs() async throws {
    try app.act("takeTheirs", token: 7)
    await app.carryOut(taking)
    #expect(app.end(7) == .shown)
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Soy milk", "Rent"])
    let todo = try app.store.todo(id, in: .local)
    #expect((todo.content.title, todo.version) == ("Soy milk", 2))
  }

  @Test(
    "A decision on a todo that was just changed elsewhere asks again",
    arguments: ["takeTheirs", "keepMine"])
  func changedMeanwhile(action: String) async throws {
    let newer = TodoEdit(
      unchecked: FieldChanges(TodoContent(labels: LabelSet(["new"])), fields: [.labels]))
    _ = try app.store.edit(id, newer, in: .local)
    try app.act(action, stays: true, token: 7)
    await app.carryOut(action == "takeTheirs" ? taking : try decision("Oat milk", "mine"))
    #expect(app.end(7) == .needsDecision)
    #expect(app.names == ["welcome", "todoList", "conflict"])
    #expect(app.base == app.base(id, 3))
    #expect(try stored.title == "Soy milk")
  }

  @Test("saveMerged saves the user's merged text")
  func saveMerged() async throws {
    try app.change(["merged": "Any milk\n\nboth\n\nof us"])
    #expect(try app.field("merged").value == "Any milk\n\nboth\n\nof us")
    try app.act("saveMerged")
    await app.carryOut(try decision("Any milk", "both\n\nof us"))
    #expect(app.names == ["welcome", "todoList"])
    #expect(try stored == TodoContent(title: "Any milk", note: "both\n\nof us", isDone: false))
  }

  @Test("asks before text is dropped: mine by takeTheirs, the merged text by keepMine")
  func questions() throws {
    func question(_ action: String) -> String? {
      app.front.actions.first { $0.name == action }?.confirm
    }
    #expect(question("takeTheirs") == "Take theirs, and drop what you typed?")
    #expect(question("keepMine") == nil)
    try app.change(["merged": "Any milk"])
    #expect(question("keepMine") == "Keep mine, and drop what you typed as merged?")
  }

  @Test("A decision can keep the todo's form open")
  func stays() async throws {
    try app.change(["merged": "Any milk"])
    try app.act("saveMerged", stays: true, token: 7)
    await app.carryOut(try decision("Any milk", ""))
    #expect(app.front.id == "todoEdit/\(app.todoText(id))")
    #expect(app.base == app.base(id, 3))
    #expect(app.end(7) == .shown)
  }

  @Test("takeTheirs can keep the todo's form open")
  func staysWithTheirs() async throws {
    try app.act("takeTheirs", stays: true, token: 7)
    await app.carryOut(taking)
    #expect(app.front.id == "todoEdit/\(app.todoText(id))")
    #expect(try app.field("title").value == "Soy milk")
    #expect(app.end(7) == .shown)
  }

  @Test("takeTheirs of a todo that was just removed offers to save mine as a new todo")
  func takeTheirsOfRemoved() async throws {
    try app.store.remove(id, expectedVersion: nil, in: .local)
    try app.act("takeTheirs", stays: true, token: 7)
    await app.carryOut(taking)
    #expect(app.end(7) == .failed(.todoRemovedElsewhere))
    #expect(app.names == ["welcome", "todoList", "todoEdit"])
    #expect(try app.field("title").value == "Oat milk")
    #expect(app.isEnabled("saveAsNew") == true)
  }

  @Test("saveMerged is not offered for a text without a title")
  func noTitle() throws {
    try app.change(["merged": "\nnote"])
    #expect(app.isEnabled("saveMerged") == false)
    #expect(app.isEnabled("keepMine") == true)
    #expect(try app.field("merged").error == "A title must not be blank.")
  }

  @Test("The other two sides are read-only")
  func readOnly() throws {
    try app.change(["theirs": "x", "base": "y"])
    #expect(try app.field("theirs").value == "Soy milk")
    #expect(try app.field("base").value == "")
  }

  @Test("Another remote change updates the conflict and keeps the merged text")
  func again() async throws {
    _ = try app.store.edit(id, try TodoEdit(title: "Rice milk"), in: .local)
    try app.change(["merged": "Any milk\n\nboth"])
    try app.act("saveMerged", token: 7)
    await app.carryOut(try decision("Any milk", "both"))
    #expect(app.names.last == "conflict")
    #expect(app.front.message?.level == .error)
    #expect(try app.field("merged").value == "Any milk\n\nboth")
    #expect(try app.field("theirs").value == "Rice milk")
    #expect(app.end(7) == .needsDecision)
    #expect(app.front.actions.first { $0.name == "saveMerged" }?.confirm != nil)
    try app.act("saveMerged")
    await app.carryOut(try decision("Any milk", "both", version: 3))
    #expect(try stored.title == "Any milk")
    #expect(app.names.last == "todoList")
  }

  @Test("A failed save keeps the merged text and can be repeated")
  func failure() async throws {
    try app.change(["merged": "Any milk"])
    try app.act("saveMerged", token: 7)
    app.answer(.failure(.storage("The disk is full.")))
    #expect(app.front.message == ScreenMessage(.error, "The disk is full."))
    #expect(try app.field("merged").value == "Any milk")
    #expect(app.end(7) == .failed(.storage("The disk is full.")))
    try app.act("saveMerged")
    await app.carryOut(try decision("Any milk", ""))
    #expect(app.names.last == "todoList")
  }

  @Test("Typed text keeps its bytes")
  func spelling() throws {
    try app.change(["merged": "\u{E9}"])
    try app.change(["merged": "e\u{301}"])
    #expect(try app.field("merged").value?.unicodeScalars.count == 2)
  }
}
