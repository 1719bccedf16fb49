import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("A change by another process")
struct ChangedElsewhereTests {
  private let app: TestApp

  init() throws { app = try TestApp.atList(["Milk", "Rent"]) }

  private func hear() async throws {
    app.test.deliver(WatchWorker.Changed(), from: WatchWorker.self)
    await app.carryOut(.rows(filter: ""))
  }

  @Test("is shown in the list")
  func list() async throws {
    _ = try app.store.add(try NewTodo(title: "Bread"), to: .local)
    try await hear()
    #expect(app.items == ["Bread", "Milk", "Rent"])
  }

  private func openMilk() async throws -> TodoID {
    let id = try app.id("Milk")
    try app.act("open", item: id)
    await app.carryOut(.open(id))
    return id
  }

  /// Another process changes the todo whose form is open.
  private func change(_ id: TodoID, to title: String) async throws {
    _ = try app.store.edit(id, TodoEdit(title: title), in: .local)
    try await hear()
    await app.carryOut(.refresh(id))
  }

  @Test("is shown in a form without edits")
  func cleanEdit() async throws {
    let id = try await openMilk()
    try await change(id, to: "Oat milk")
    #expect(try app.field("title").value == "Oat milk")
    #expect(app.message == nil)
  }

  @Test("keeps the user's edits, and warns")
  func typedEdit() async throws {
    let id = try await openMilk()
    try app.change(["title": "Soy milk"])
    try await change(id, to: "Oat milk")
    #expect(try app.field("title").value == "Soy milk")
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Soy milk", expectedVersion: 1)))
    #expect(app.names.last == "conflict")
  }

  @Test("is shown when the user reverts the edits")
  func typedBack() async throws {
    let id = try await openMilk()
    try app.change(["title": "Soy milk"])
    try await change(id, to: "Oat milk")
    try app.change(["title": "Milk"])
    #expect(try app.field("title").value == "Oat milk")
    #expect(app.message == nil)
    // Typed before the user saw the change, so it is based on the old text.
    try app.change(["title": "Rice milk"], base: app.base(id, 1))
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Rice milk", expectedVersion: 1)))
    #expect(app.names.last == "conflict")
  }

  @Test("is not overwritten by an edit in the same moment")
  func typedAtTheSameTime() async throws {
    let id = try await openMilk()
    try await change(id, to: "Oat milk")
    try app.change(["title": "Milk!"], base: app.base(id, 1))
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Milk!", expectedVersion: 1)))
    #expect(app.names.last == "conflict")
  }

  @Test("to the check mark alone does not affect edits of the text")
  func tickedAtTheSameTime() async throws {
    let id = try await openMilk()
    _ = try app.store.edit(id, TodoEdit(isDone: true), in: .local)
    try await hear()
    await app.carryOut(.refresh(id))
    try app.change(["title": "Milk!"], base: app.base(id, 1))
    #expect(app.message == nil)
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Milk!", expectedVersion: 2)))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items.contains("x Milk!"))
  }

  @Test("is not overwritten by an edit of an old version")
  func typedLongAgo() async throws {
    let id = try await openMilk()
    for number in 0..<9 {
      try await change(id, to: "Milk \(number)")
    }
    // This process no longer has the text of that version.
    try app.change(["title": "Milk 80"], base: app.base(id, 1))
    #expect(app.message == "This todo was changed elsewhere while you were editing.")
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Milk 80", expectedVersion: 1)))
    #expect(app.names.last == "conflict")
  }

  @Test("to the same text as the edits leaves nothing unsaved, so reverting it is an edit")
  func typedTextIsStored() async throws {
    let id = try await openMilk()
    try await change(id, to: "Oat milk")
    // A front-end sends edits after a pause, and its save was faster than this edit.
    try app.change(["title": "Oat milk"], base: app.base(id, 1))
    #expect(app.message == nil)
    #expect(app.base == app.base(id, 2))
    try app.change(["title": "Milk"], base: app.base)
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Milk", expectedVersion: 2)))
    #expect(app.items == ["Milk", "Rent"])
  }

  @Test("is the base of later edits once the user has seen it")
  func typedAfterwards() async throws {
    let id = try await openMilk()
    try await change(id, to: "Oat milk")
    #expect(app.base == app.base(id, 2))
    try app.change(["title": "Oat milk!"], base: app.base)
    try app.change(["title": "Oat milk!!"], base: app.base)
    #expect(app.message == nil)
    try app.act("save")
    await app.carryOut(.edit(id, try TodoEdit(title: "Oat milk!!", expectedVersion: 2)))
    #expect(app.names == ["welcome", "todoList"])
  }

  @Test("that removes the todo keeps the user's edits")
  func removed() async throws {
    let id = try await openMilk()
    try app.change(["title": "Soy milk"])
    try app.store.remove(id, expectedVersion: nil, in: .local)
    try await hear()
    await app.carryOut(.refresh(id))
    #expect(try app.field("title").value == "Soy milk")
    #expect(app.items == ["Rent"])
    #expect(app.message == "This todo was removed elsewhere. Its text can be saved as a new one.")
    #expect(app.isEnabled("saveAsNew") == true)
  }
}
