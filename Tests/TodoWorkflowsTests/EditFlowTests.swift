import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Editing a todo")
struct EditFlowTests {
  private let app: TestApp
  private let id: TodoID

  init() async throws {
    app = try TestApp.atList(["Milk", "Rent"])
    id = try app.id("Milk")
    try app.act("open", item: id, token: 1)
    await app.carryOut(.open(id))
  }

  private var stored: Todo { get throws { try app.store.todo(id, in: .local) } }

  /// Returns the store operation that saves these texts.
  private func edit(
    title: String? = nil, note: String? = nil, version: Int64 = 1
  ) throws -> ListOperation {
    .edit(id, try TodoEdit(title: title, note: note, expectedVersion: version))
  }

  @Test("opens on top of the list, with the todo's texts")
  func opens() throws {
    #expect(app.names == ["welcome", "todoList", "todoEdit"])
    #expect(app.end(1) == .shown)
    #expect(try app.field("title").value == "Milk")
    #expect(try app.field("note").value == "")
    #expect(try app.field("note").isMultiline)
    #expect(app.isEnabled("save") == true)
    #expect(app.front.bar == ScreenBar(left: "discard", right: "save"))
    #expect(app.screens[0].actions.allSatisfy { !$0.isEnabled })
  }

  @Test("keeps the list's actions enabled until the first edit")
  func listIsOffered() throws {
    let isEnabled = { (app: TestApp) in Set(app.screens[1].actions.map(\.isEnabled)) }
    #expect(isEnabled(app) == [true])
    try app.change(["note": "typed"])
    #expect(isEnabled(app) == [false])
    app.leave()
    #expect(app.names.last == "todoEdit")
    try app.change(["note": ""])
    #expect(isEnabled(app) == [true])
    app.leave()
    #expect(app.names.last == "todoList")
  }

  @Test("saves, and returns to the list when the text is stored")
  func save() async throws {
    try app.change(["title": " Oat milk ", "note": "Two\nlitres"])
    try app.act("save", token: 7)
    #expect(app.isEnabled("save") == false)
    #expect(app.isEnabled("discard") == false)
    #expect(app.end(7) == nil)
    await app.carryOut(try edit(title: "Oat milk", note: "Two\nlitres"))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Oat milk", "Rent"])
    #expect(app.end(7) == .shown, "the screen shows the result")
    #expect(
      try stored.content == TodoContent(title: "Oat milk", note: "Two\nlitres", isDone: false))
  }

  @Test("gives text that is typed during a save the stored version as its base")
  func baseDuringASave() async throws {
    try app.change(["title": " Oat milk "])
    try app.act("save", stays: true, token: 7)
    await app.carryOut(try edit(title: "Oat milk"))
    #expect(app.end(7) == .saved(FormBase(EditBase(list: .local, id: id, version: 2))))
  }

  @Test("shows errors immediately, and disables saving")
  func problems() throws {
    try app.change(["title": " "])
    #expect(try app.field("title").error == "A title must not be blank.")
    #expect(app.isEnabled("save") == false)
    #expect(app.isEnabled("discard") == true)
    try app.change(["title": "Milk", "note": "\0"])
    #expect(try app.field("title").error == nil)
    #expect(try app.field("note").error == "A note must not contain U+0000.")
    #expect(app.isEnabled("save") == false)
  }

  @Test("keeps the bytes of typed text, and saves a change of the bytes alone")
  func spelling() async throws {
    try app.change(["note": "\u{E9}"])
    try app.change(["note": "e\u{301}"])
    #expect(try app.field("note").value?.unicodeScalars.count == 2)
    try app.act("save")
    await app.carryOut(try edit(note: "e\u{301}"))
    #expect(try stored.content.note.unicodeScalars.count == 2)
  }

  @Test("discards edits")
  func discard() throws {
    try app.change(["title": "Oat milk"])
    try app.act("discard")
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.running == [])
  }

  @Test("starts with the stored text after a discard")
  func openAgain() async throws {
    try app.change(["title": "Oat milk"])
    try app.act("discard")
    try app.act("open", item: id)
    await app.carryOut(.open(id))
    #expect(try app.field("title").value == "Milk")
  }

  @Test("stays open with the text when the store cannot save it")
  func failure() async throws {
    let error = TodoError.storage("The disk is full.")
    try app.change(["title": "Oat milk"])
    try app.act("save", token: 7)
    app.answer(.failure(error))
    #expect(app.names == ["welcome", "todoList", "todoEdit"])
    #expect(app.front.message == ScreenMessage(.error, "The disk is full."))
    #expect(try app.field("title").value == "Oat milk")
    #expect(app.isEnabled("save") == true)
    #expect(app.end(7) == .failed(error))
    try app.act("save", token: 8)
    #expect(app.front.message == nil)
    await app.carryOut(try edit(title: "Oat milk"))
    #expect(app.names == ["welcome", "todoList"])
  }

  @Test("can be used again after its queued save was cancelled")
  func cancelledSave() async throws {
    app.perform(.toggle(try app.id("Rent")), 6)
    try app.change(["title": "Oat milk"])
    try app.act("save", token: 7)
    app.cancel(7)
    #expect(app.isEnabled("save") == true)
    #expect(try app.field("title").value == "Oat milk")
    await app.carryOut(.toggle(try app.id("Rent")))
    #expect(app.names.last == "todoEdit")
    #expect(try stored.content.title == "Milk")
  }

  // MARK: Unsaved text is never lost

  @Test("keeps unsaved text when the todo is changed elsewhere, and shows a message")
  func changedElsewhere() async throws {
    try app.change(["note": "typed"])
    app.perform(try edit(title: "Soy milk"), 7)
    await app.carryOut(try edit(title: "Soy milk"))
    #expect(try app.field("note").value == "typed")
    #expect(try app.field("title").value == "Milk")
    #expect(
      app.front.message
        == ScreenMessage(.warning, "This todo was changed elsewhere while you were editing."))
    try app.act("save", token: 8)
    await app.carryOut(try edit(note: "typed"))
    #expect(app.names.last == "conflict")
    #expect(try app.field("mine").value?.contains("typed") == true)
    #expect(try stored.content.title == "Soy milk")
  }

  @Test("shows the new text if there are no edits")
  func changedElsewhereUntouched() async throws {
    app.perform(try edit(title: "Soy milk"), 7)
    await app.carryOut(try edit(title: "Soy milk"))
    #expect(try app.field("title").value == "Soy milk")
    #expect(app.front.message == nil)
    try app.change(["note": "typed"])
    try app.act("save")
    await app.carryOut(try edit(note: "typed", version: 2))
    #expect(app.names.last == "todoList")
  }

  @Test("keeps its edits if the todo was only ticked elsewhere")
  func toggledElsewhere() async throws {
    try app.change(["note": "typed"])
    app.perform(.toggle(id), 7)
    await app.carryOut(.toggle(id))
    #expect(try app.field("note").value == "typed")
    #expect(app.front.message == nil)
    try app.act("save")
    await app.carryOut(try edit(note: "typed", version: 2))
    #expect(app.names.last == "todoList")
    #expect(app.items == ["x Milk", "Rent"])
  }

  @Test("keeps unsaved text when the todo is removed elsewhere")
  func removedElsewhere() async throws {
    try app.change(["note": "typed"])
    app.perform(.remove(id, expectedVersion: nil), 7)
    await app.carryOut(.remove(id, expectedVersion: nil))
    #expect(app.items == ["Rent"])
    #expect(try app.field("note").value == "typed")
    #expect(app.message == removedMessage, "the message is shown immediately")
    #expect(app.isEnabled("save") == nil)
    #expect(app.front.bar == ScreenBar(left: "discard", right: "saveAsNew"))
    try app.act("saveAsNew", token: 8)
    let draft = try NewTodo(title: "Milk", note: "typed")
    await app.carryOut(.add(draft))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.selected == (try app.id("Milk")).text)
  }

  private let removedMessage =
    "This todo was removed elsewhere. Its text can be saved as a new one."

  @Test("stays open with the new todo if requested")
  func saveAsNewStaying() async throws {
    try app.change(["title": " Oat milk "])
    app.perform(.remove(id, expectedVersion: nil), 7)
    await app.carryOut(.remove(id, expectedVersion: nil))
    try app.act("saveAsNew", stays: true)
    await app.carryOut(.add(try NewTodo(title: "Oat milk")))
    #expect(app.names.last == "todoEdit")
    #expect(app.front.id == "todoEdit/\(app.todoText(try app.id("Oat milk")))")
    #expect(app.message == nil)
    #expect(app.isEnabled("save") == true)
  }

  @Test("does not save an invalid text as a new todo")
  func saveAsNewRefused() async throws {
    try app.change(["title": ""])
    app.perform(.remove(id, expectedVersion: nil), 7)
    await app.carryOut(.remove(id, expectedVersion: nil))
    #expect(app.isEnabled("saveAsNew") == false)
    #expect(try app.field("title").error == "A title must not be blank.")
  }

  @Test("can be saved again after the removal was undone")
  func cameBack() async throws {
    let restored = Sample.todo()
    var todo = restored
    todo.id = id
    app.perform(.remove(id, expectedVersion: nil), 7)
    await app.carryOut(.remove(id, expectedVersion: nil))
    app.perform(.undo, 8)
    app.answer(
      .success(.restored(RestoredTodo(id: id, change: .remove, title: "Milk", todo: todo))))
    #expect(app.isEnabled("save") == true)
    #expect(app.message == nil)
  }

  @Test("stays open after a save if requested, with nothing unsaved")
  func stays() async throws {
    try app.change(["title": " Oat milk "])
    try app.act("save", stays: true)
    await app.carryOut(try edit(title: "Oat milk"))
    #expect(app.names.last == "todoEdit")
    #expect(app.items == ["Oat milk", "Rent"])
    #expect(try app.field("title").value == "Oat milk")
    #expect(app.message == nil)
    #expect(app.base == app.base(id, 2))
    #expect(app.front.actions.first { $0.name == "discard" }?.confirm == nil)
    try app.change(["note": "more"], base: app.base)
    try app.act("save")
    await app.carryOut(try edit(note: "more", version: 2))
    #expect(app.names.last == "todoList")
  }

  @Test("removes the error at the next edit, and shows it again when it recurs")
  func failureSeen() async throws {
    let error = TodoError.storage("The disk is full.")
    for _ in 1...2 {
      try app.change(["title": "Oat milk"])
      #expect(app.message == nil)
      try app.act("save")
      app.answer(.failure(error))
      #expect(app.message == "The disk is full.")
    }
  }

  @Test("reports that its todo was removed during the save")
  func removedBeforeSave() async throws {
    try app.change(["note": "typed"])
    try app.store.remove(id, expectedVersion: nil, in: .local)
    try app.act("save", token: 8)
    await app.carryOut(try edit(note: "typed"))
    #expect(app.end(8) == .failed(TodoError(.notFound, removedMessage)))
    #expect(try app.field("note").value == "typed")
    #expect(app.message == removedMessage)
  }

  @Test("keeps unsaved text during a load, even if that fails", arguments: [true, false])
  func loadMeanwhile(isGood: Bool) throws {
    try app.change(["note": "typed"])
    app.load(refresh: true, 7)
    #expect(app.names.last == "todoEdit")
    let rows = TodoRows(app.store.rows())
    app.load(isGood ? .loaded(rows) : .failed(TodoError(.offline, "No connection."), rows: rows))
    #expect(app.names == ["welcome", "todoList", "todoEdit"])
    #expect(try app.field("note").value == "typed")
  }

  @Test("reports that a load has removed its todo, and shows what a load has changed")
  func loadChanges() async throws {
    app.load(refresh: true, 7)
    _ = try app.store.edit(id, TodoEdit(title: "Soy milk"), in: .local)
    app.load(.loaded(TodoRows(app.store.rows())))
    await app.carryOut(.refresh(id))
    #expect(try app.field("title").value == "Soy milk")
    app.load(refresh: true, 8)
    try app.store.remove(id, expectedVersion: nil, in: .local)
    app.load(.loaded(TodoRows(app.store.rows())))
    await app.carryOut(.refresh(id))
    #expect(app.message == removedMessage)
  }

  @Test("is not closed by the change of another todo")
  func otherTodo() async throws {
    try app.change(["note": "typed"])
    app.perform(.toggle(try app.id("Rent")), 7)
    await app.carryOut(.toggle(try app.id("Rent")))
    #expect(try app.field("note").value == "typed")
    #expect(app.front.message == nil)
  }
}
