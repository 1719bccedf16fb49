import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("A load and changes at the same time")
struct LoadRaceTests {
  private let app: TestApp

  init() throws {
    app = try TestApp.atList(["Milk", "Rent"])
    app.load(refresh: true, 1)
  }

  @Test("Rows that were read before a change do not undo it")
  func rowsAreOlder() async throws {
    let older = TodoRows(app.store.rows())
    app.perform(.add(try NewTodo(title: "Bread")), 2)
    await app.carryOut(.add(try NewTodo(title: "Bread")))
    app.perform(.toggle(try app.id("Milk")), 3)
    await app.carryOut(.toggle(try app.id("Milk")))
    app.load(.loaded(older))
    if app.running == ["OperationWorker"] { await app.carryOut(.rows(filter: "")) }
    #expect(app.items == ["Bread", "x Milk", "Rent"])
    app.load(4)
    let summary = LoadSummary(total: 3, isComplete: true, source: "local")
    #expect(app.end(4) == .loaded(summary))
  }

  @Test("Rows read after a change whose result is delivered later contain it once")
  func rowsAreNewer() async throws {
    let draft = try NewTodo(title: "Bread")
    app.perform(.add(draft), 2)
    let added = await app.stored(.add(draft))
    app.load(.loaded(TodoRows(app.store.rows())))
    app.answer(added)
    #expect(app.items == ["Bread", "Milk", "Rent"])
    app.load(4)
    let summary = LoadSummary(total: 3, isComplete: true, source: "local")
    #expect(app.end(4) == .loaded(summary))
  }

  @Test("A removal is not undone by older rows, and not counted twice by newer ones")
  func removals() async throws {
    let id = try app.id("Milk")
    app.perform(.remove(id, expectedVersion: nil), 2)
    let removed = await app.stored(.remove(id, expectedVersion: nil))
    app.load(.loaded(TodoRows(app.store.rows())))
    app.answer(removed)
    #expect(app.items == ["Rent"])
    app.load(4)
    let summary = LoadSummary(total: 1, isComplete: true, source: "local")
    #expect(app.end(4) == .loaded(summary))
  }
}
