import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

/// Tests that an edit replaces only text that the user has seen.
@Suite("The base of an edit")
struct EditBaseTests {
  private let store = TodoStoreSpy(["Milk", "Rent"])

  /// Returns a newly started server with the form of a todo open.
  private func editing(_ title: String) async throws -> (TestApp, TodoID) {
    let app = TestApp(store: store)
    try app.logIn()
    app.load(.loaded(TodoRows(store.rows())))
    let id = try app.id(title)
    try app.act("open", item: id)
    await app.carryOut(.open(id))
    return (app, id)
  }

  @Test("The form contains its base, and echoing it has no effect")
  func form() async throws {
    let (app, id) = try await editing("Milk")
    #expect(app.base == app.base(id, 1))
    try app.change(["note": "typed"], base: app.base)
    #expect(app.base == app.base(id, 1))
    #expect(app.message == nil)
  }

  @Test("After a restart, a later change is not overwritten")
  func restart() async throws {
    let (before, id) = try await editing("Milk")
    let old = try #require(before.base)
    _ = try store.edit(id, TodoEdit(title: "Soy milk"), in: .local)
    let (app, _) = try await editing("Soy milk")
    #expect(app.base == app.base(id, 2))
    try app.change(["title": "Milk", "note": "typed"], base: old)
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    #expect(app.base == old, "later edits have the same base")
    try app.act("save")
    await app.carryOut(
      .edit(id, try TodoEdit(title: "Milk", note: "typed", expectedVersion: 1)))
    #expect(app.names.last == "conflict")
    #expect(try store.todo(id, in: .local).content.title == "Soy milk")
  }

  @Test("After a restart, an edit without later changes is saved")
  func restartUnchanged() async throws {
    let (before, id) = try await editing("Milk")
    let old = try #require(before.base)
    let (app, _) = try await editing("Milk")
    try app.change(["note": "typed"], base: old)
    #expect(app.message == nil)
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(note: "typed", expectedVersion: 1)))
    #expect(app.names.last == "todoList")
  }

  @Test("A tick updates the base, because the text is unchanged")
  func tick() async throws {
    let (app, id) = try await editing("Milk")
    app.perform(.toggle(id), 7)
    await app.carryOut(.toggle(id))
    #expect(app.base == app.base(id, 2))
    try app.change(["note": "typed"], base: app.base(id, 1))
    #expect(app.message == nil)
  }

  @Test("A newer base than this process has read is accepted")
  func newer() async throws {
    let (app, id) = try await editing("Milk")
    _ = try store.edit(id, TodoEdit(title: "Soy milk", note: "theirs"), in: .local)
    try app.change(["note": "typed"], base: app.base(id, 2))
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(note: "typed", expectedVersion: 2)))
    #expect(app.names.last == "todoList")
    let content = try store.todo(id, in: .local).content
    #expect((content.title, content.note) == ("Soy milk", "typed"))
  }

  @Test("When this process reads the newer version, unedited fields are updated")
  func becomesKnown() async throws {
    let (app, id) = try await editing("Milk")
    _ = try store.edit(id, TodoEdit(title: "Soy milk", note: "theirs"), in: .local)
    try app.change(["note": "typed"], base: app.base(id, 2))
    #expect(try app.field("title").value == "Milk")
    app.test.deliver(WatchWorker.Changed(), from: WatchWorker.self)
    await app.carryOut(.rows(filter: ""))
    await app.carryOut(.refresh(id))
    #expect(try app.field("title").value == "Soy milk")
    #expect(try app.field("note").value == "typed")
    #expect(app.message == nil)
  }

  @Test("Edits with different bases overwrite neither")
  func mixed() async throws {
    let (app, id) = try await editing("Milk")
    _ = try store.edit(id, TodoEdit(title: "Soy milk"), in: .local)
    try app.change(["title": "Oat milk"], base: app.base)
    try app.change(["note": "typed"], base: app.base(id, 2))
    try app.act("save")
    await app.carryOut(
      .edit(id, try TodoEdit(title: "Oat milk", note: "typed", expectedVersion: 1)))
    #expect(app.names.last == "conflict")
  }

  @Test("An edit that replaces all earlier edits has its own base")
  func replaced() async throws {
    let (app, id) = try await editing("Milk")
    _ = try store.edit(id, TodoEdit(title: "Soy milk"), in: .local)
    try app.change(["title": "Oat milk"], base: app.base)
    try app.change(["title": "Rice milk"], base: app.base(id, 2))
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Rice milk", expectedVersion: 2)))
    #expect(app.names.last == "todoList")
  }

  @Test("A base without edits has no effect")
  func nothingTyped() async throws {
    let (app, id) = try await editing("Milk")
    try app.change([:], base: app.base(id, 7))
    #expect(app.base == app.base(id, 1))
    #expect(app.message == nil)
  }

  @Test("An unreadable base counts as version 0", arguments: ["", "x", "/"])
  func nonsense(base: String) async throws {
    let (app, id) = try await editing("Milk")
    try app.change(["note": "typed"], base: base)
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(note: "typed", expectedVersion: 0)))
    #expect(app.names.last == "conflict")
  }

  @Test("Text for another todo is refused")
  func otherTodo() async throws {
    let (app, _) = try await editing("Milk")
    let other = try app.id("Rent")
    #expect(throws: ScreenOffer.Refusal.self) {
      try app.change(["note": "typed"], base: app.base(other, 1))
    }
    #expect(try app.field("note").value == "")
  }

  @Test("A conflict is resolved only for the version that the user saw")
  func conflict() async throws {
    let (app, id) = try await editing("Milk")
    _ = try store.edit(id, TodoEdit(title: "Soy milk"), in: .local)
    try app.change(["note": "typed"])
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(note: "typed", expectedVersion: 1)))
    let seen = try #require(app.base)
    #expect(seen == app.base(id, 2))
    _ = try store.edit(id, TodoEdit(title: "Rice milk"), in: .local)
    try app.act("keepMine", token: 1)
    let edit = try TodoEdit(note: "typed", expectedVersion: 2)
    await app.carryOut(.settle(id, version: 2, edit))
    #expect(app.end(1) == .needsDecision)
    #expect(app.base == app.base(id, 3))
    #expect(try app.field("theirs").value == "Rice milk")
    // Sent before the user saw the newer text.
    try app.change(["merged": "Both"], base: seen)
    try app.act("saveMerged", token: 2)
    #expect(app.end(2) == .needsDecision)
    #expect(app.names.last == "conflict")
    try app.change(["merged": "Both"], base: app.base)
    try app.act("saveMerged")
    await app.carryOut(
      .settle(
        id, version: 3,
        try TodoEdit(title: "Both", note: "", isDone: false, expectedVersion: 3)))
    #expect(app.names.last == "todoList")
  }

  @Test(
    "Edits of another user or list are refused, with the list's name",
    arguments: [
      (TodoListKey(profile: "bob", source: ""), "user"),
      (TodoListKey(profile: "ann", source: "github:octo/tasks"), "github:octo/tasks"),
    ])
  func otherList(list: TodoListKey, name: String) async throws {
    let (app, id) = try await editing("Milk")
    let base = EditBase(list: list, id: id, version: 1).text
    do {
      try app.change(["note": "typed"], base: base)
      Issue.record("The edit was accepted.")
    } catch ScreenOffer.Refusal.notOffered(let reason, let message, _) {
      #expect(reason == .otherList)
      #expect(message.contains(name))
    }
    #expect(try app.field("note").value == "")
  }

  @Test(
    "Its text can be parsed, whatever its names contain",
    arguments: ["ann", "a/b", "%2F", "100%", "local", "", "ä/ö"])
  func text(name: String) {
    for list in [
      TodoListKey(profile: name, source: ""), TodoListKey(profile: "ann", source: "github:\(name)"),
    ] {
      let base = EditBase(list: list, id: TodoID(name), version: 7)
      #expect(EditBase(base.text) == base)
    }
  }

  @Test(
    "Other texts are not parsed",
    arguments: [
      "a/local/t1", "a/local/t1/x", "a/local/t1/-1", "a/local/t1/1/2", "a/%/t/1", "a/%2/t/1",
    ])
  func unreadable(text: String) { #expect(EditBase(text) == nil) }

  @Test("The base of a form with a restored draft ends with the draft's number")
  func formBase() throws {
    let base = EditBase(list: .local, id: TodoID("a/b"), version: 7)
    for draft: Int64? in [nil, 1, 1_795_452_120_000] {
      let form = FormBase(base, draft: draft)
      #expect(FormBase(FormBase.text(base.todoText, version: 7, draft: draft)) == form)
    }
  }

  @Test("The base ends with the newer fields and their version", arguments: [nil, 5])
  func baseWithNewerFields(draft: Int64?) {
    let base = EditBase(list: .local, id: TodoID("a@b"), version: 7)
    let form = FormBase(base, draft: draft, newer: .init([.due, .note], version: 9))
    #expect(form.text == "ann/local/a@b/7\(draft.map { "/\($0)" } ?? "")/note,due@9")
    #expect(FormBase(form.text) == form)
    #expect(form.version(of: [.note]) == 9)
    #expect(form.version(of: [.note, .title]) == 7)
  }

  @Test(
    "Other texts are not parsed as the base of a form",
    arguments: [
      "a/local/t1/1/0", "a/local/t1/1/-1", "a/local/t1/1/x", "a/local/t1/1/", "a/local/t1/1/2/3",
      "a/local/t1/1/note@", "a/local/t1/1/@2", "a/local/t1/1/mote@2", "a/local/t1/1/note,@2",
      "a/local/t1/1/note@-2", "a/local/t1/1/note@2@3", "a/local/t1/1/note@2/3",
      "a/local/t1/1/note@2/note@3",
    ])
  func unreadableFormBase(text: String) { #expect(FormBase(text) == nil) }
}
