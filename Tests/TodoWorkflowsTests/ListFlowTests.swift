import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("The list")
struct ListFlowTests {
  private let app: TestApp

  init() throws { app = try TestApp.atList(["Milk", "Rent", "Mint"]) }

  @Test("shows each todo, and offers actions on it")
  func screen() {
    #expect(app.items == ["Milk", "Rent", "Mint"])
    #expect(
      app.front.actions.map(\.name) == [
        "open", "toggle", "remove", "due", "label", "priority", "add", "reload", "filter", "undo",
        "redo", "logout",
      ])
    #expect(
      app.front.actions.filter { $0.scope == .item }.map(\.name) == [
        "open", "toggle", "remove", "due", "label", "priority",
      ])
    #expect(app.front.actions.filter { $0.confirm != nil }.map(\.name) == ["remove"])
    #expect(app.front.bar == ScreenBar(left: "logout", right: "add"))
  }

  @Test("adds at the top")
  func add() async throws {
    try app.act("add", input: ["title": " Bread "], token: 7)
    #expect(app.isWaiting(7))
    #expect(app.items.count == 3)
    await app.carryOut(.add(try NewTodo(title: " Bread ")))
    #expect(app.items == ["Bread", "Milk", "Rent", "Mint"])
    #expect(app.end(7) == .shown, "the screen shows the result")
    #expect(app.store.all().first?.content.title == "Bread")
  }

  @Test("does not add an invalid todo, and shows why", arguments: [nil, "", " \n", "a\nb"])
  func addRefused(title: String?) throws {
    try app.act("add", input: title.map { ["title": $0] } ?? [:], token: 7)
    #expect(app.running == [])
    guard case .failed(let error) = app.end(7) else {
      Testing.Issue.record("not refused")
      return
    }
    #expect(error.kind == .validation)
    #expect(app.front.message == ScreenMessage(.error, error.message, id: 1))
    try app.act("toggle", item: try app.id("Milk"))
    #expect(app.front.message == nil)
  }

  @Test("numbers a repeated message again")
  func addRefusedTwice() throws {
    try app.act("add")
    try app.act("add")
    #expect(app.front.message == ScreenMessage(.error, "A title must not be blank.", id: 2))
  }

  @Test("selects the todo that the user added")
  func select() async throws {
    try app.act("add", input: ["title": "Bread"])
    await app.carryOut(.add(try NewTodo(title: "Bread")))
    let id = try app.id("Bread")
    #expect(app.selected == id.text)
    app.perform(.add(try NewTodo(title: "Soap")), 7)
    await app.carryOut(.add(try NewTodo(title: "Soap")))
    #expect(app.selected == id.text, "a script moves no cursor")
    try app.act("remove", item: id)
    await app.carryOut(.remove(id, expectedVersion: nil))
    #expect(app.selected == nil)
  }

  @Test("does not select a todo outside the list")
  func selectHidden() async throws {
    try app.act("filter", input: ["query": "Mi"])
    await app.carryOut(.rows(filter: "Mi"))
    try app.act("add", input: ["title": "Bread"])
    await app.carryOut(.add(try NewTodo(title: "Bread")))
    await app.carryOut(.rows(filter: "Mi"))
    #expect(app.selected == nil)
    try app.act("add", input: ["title": "Mint tea"])
    await app.carryOut(.add(try NewTodo(title: "Mint tea")))
    await app.carryOut(.rows(filter: "Mi"))
    #expect(app.selected == (try app.id("Mint tea")).text)
  }

  @Test(
    "says what was undone and redone",
    arguments: [(ListOperation.undo, "Undone: Rent"), (.redo, "Redone: Rent")])
  func undo(operation: ListOperation, message: String) throws {
    let id = try app.id("Rent")
    try app.act(operation == .undo ? "undo" : "redo", token: 7)
    app.answer(.success(.restored(RestoredTodo(id: id, change: .add, title: "Rent", todo: nil))))
    #expect(app.items == ["Milk", "Mint"])
    #expect(app.front.message == ScreenMessage(.info, message, id: 1))
    try app.act("toggle", item: try app.id("Milk"))
    #expect(app.front.message == nil)
  }

  @Test("toggles, and back")
  func toggle() async throws {
    let id = try app.id("Rent")
    for expected in ["x Rent", "Rent"] {
      try app.act("toggle", item: id)
      await app.carryOut(.toggle(id))
      #expect(app.items == ["Milk", expected, "Mint"])
    }
  }

  @Test("changes several todos in one operation, and shows all")
  func several() async throws {
    let ids = [try app.id("Mint"), try app.id("Milk")]
    try app.act("toggle", items: ids, token: 7)
    await app.carryOut(.changeAll(ids, .toggle))
    #expect(app.items == ["x Milk", "Rent", "x Mint"])
    #expect(app.end(7) == .shown)
    try app.act("remove", items: ids)
    await app.carryOut(.changeAll(ids, .remove))
    #expect(app.items == ["Rent"])
    #expect(app.store.all().map(\.content.title) == ["Rent"])
  }

  @Test("shows all todos that one undo restores")
  func undoSeveral() throws {
    let (mint, milk) = (try app.id("Mint"), try app.id("Milk"))
    try app.act("undo")
    var restored = RestoredTodo(id: mint, change: .add, title: "Mint", todo: nil)
    restored.others = [RestoredTodo(id: milk, change: .add, title: "Milk", todo: nil)]
    app.answer(.success(.restored(restored)))
    #expect(app.items == ["Rent"])
    #expect(app.front.message == ScreenMessage(.info, "Undone: Mint and 1 more", id: 1))
  }

  @Test("shows a message and reads again if one of several todos is gone")
  func severalGone() async throws {
    let ids = [try app.id("Mint"), try app.id("Milk")]
    try app.store.remove(ids[1], expectedVersion: nil, in: .local)
    try app.act("remove", items: ids, token: 7)
    await app.carryOut(.changeAll(ids, .remove))
    #expect(app.end(7) == .failed(.gone(ids[1])))
    await app.carryOut(.rows(filter: ""))
    #expect(app.items == ["Rent", "Mint"])
    #expect(app.front.message == ScreenMessage(.error, TodoError.gone(ids[1]).message, id: 1))
  }

  @Test("removes")
  func remove() async throws {
    let id = try app.id("Rent")
    try app.act("remove", item: id, token: 7)
    await app.carryOut(.remove(id, expectedVersion: nil))
    #expect(app.items == ["Milk", "Mint"])
    #expect(app.end(7) == .shown)
  }

  @Test("refuses actions on items that it does not show")
  func unknownItem() {
    #expect(throws: ScreenOffer.Refusal.self) {
      try app.act("toggle", item: TodoID("t99"))
    }
  }

  @Test(
    "shows the error, and reads again if a todo is gone",
    arguments: [
      ("open", true), ("toggle", true), ("toggle", false),
    ])
  func failure(action: String, isGone: Bool) async throws {
    let error = isGone ? TodoError.todoNotFound : .storage("The disk is full.")
    let id = try app.id("Rent")
    try app.store.remove(id, expectedVersion: nil, in: .local)
    try app.act(action, item: id, token: 7)
    app.answer(.failure(error))
    #expect(app.front.message == ScreenMessage(.error, error.message, id: 1))
    #expect(app.end(7) == .failed(error))
    #expect(app.running == (isGone ? ["OperationWorker"] : []))
    if isGone {
      await app.carryOut(.rows(filter: ""))
      #expect(app.items == ["Milk", "Mint"])
      #expect(app.message == error.message)
    }
  }

  @Test("shows the state of a todo and its number at the source")
  func badges() throws {
    let app = TestApp()
    try app.logIn()
    let states: [SyncState] = [.local, .synced, .pending, .conflict]
    let rows = states.enumerated().map { index, state in
      TodoRow(
        id: TodoID("\(index)"), title: "T", isDone: false, sync: state,
        number: index == 0 ? nil : Int64(index))
    }
    app.load(.loaded(TodoRows(rows)))
    guard case .list(let list) = app.front.body else {
      Testing.Issue.record("not a list")
      return
    }
    #expect(list.items.all.map(\.badge) == [nil, nil, "pending", "conflict"])
    #expect(list.items.all.map(\.detail) == [nil, "#1", "#2", "#3"])
  }
}

@Suite("The filter")
struct FilterFlowTests {
  private let app: TestApp

  init() throws { app = try TestApp.atList(["Milk", "Rent", "Mint"]) }

  private func filter(_ text: String, _ token: UInt64? = nil) async throws {
    try app.act("filter", input: ["query": text], token: token)
    await app.carryOut(.rows(filter: text))
  }

  @Test("shows the todos that contain the words, and the words")
  func words() async throws {
    try await filter("Mi", 7)
    #expect(app.end(7) == .shown)
    #expect(app.items == ["Milk", "Mint"])
    #expect(app.front.title == "Todos of ann with “Mi”")
    #expect(app.front.actions.first { $0.name == "filter" }?.input.first?.value == "Mi")
    try await filter("zzz")
    guard case .list(let list) = app.front.body else {
      Testing.Issue.record("not a list")
      return
    }
    #expect(list.total == 0)
    #expect(list.empty == "No todo matches.")
  }

  @Test("shows all todos again if it is empty", arguments: ["", "  "])
  func cleared(text: String) async throws {
    try await filter("Mi")
    try app.act("filter", input: ["query": text])
    await app.carryOut(.rows(filter: ""))
    #expect(app.items == ["Milk", "Rent", "Mint"])
    #expect(app.front.title == "Todos of ann")
  }

  @Test("decides whether an added todo is shown")
  func add() async throws {
    try await filter("Mi")
    for (title, items) in [("Bread", ["Milk", "Mint"]), ("Mist", ["Mist", "Milk", "Mint"])] {
      let draft = try NewTodo(title: title)
      try app.act("add", input: ["title": title])
      await app.carryOut(.add(draft))
      #expect(app.running == ["OperationWorker"])
      await app.carryOut(.rows(filter: "Mi"))
      #expect(app.items == items)
    }
    app.load(7)
    let summary = LoadSummary(total: 5, isComplete: true, source: "local")
    #expect(app.end(7) == .loaded(summary), "those that are hidden count, too")
  }

  @Test("stays set during a load")
  func load() async throws {
    try await filter("Mi")
    app.load(refresh: true, 7)
    app.load(.loaded(TodoRows(app.store.rows())))
    await app.carryOut(.rows(filter: "Mi"))
    #expect(app.items == ["Milk", "Mint"])
    let summary = LoadSummary(total: 3, isComplete: true, source: "local")
    #expect(app.end(7) == .loaded(summary))
  }

  @Test("does not show its rows after it was replaced")
  func stale() async throws {
    app.perform(.toggle(try app.id("Rent")), 1)
    try app.act("filter", input: ["query": "Mi"])
    try app.act("filter", input: ["query": "Re"])
    await app.carryOut(.toggle(try app.id("Rent")))
    let items = app.items
    await app.carryOut(.rows(filter: "Mi"))
    #expect(app.items == items)
    while !app.running.isEmpty { await app.carryOut(.rows(filter: "Re")) }
    #expect(app.items == ["x Rent"])
  }
}
