import ScreenModel
import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("Stopping a load")
struct LoadStopTests {
  private let app: TestApp

  init() throws {
    app = TestApp(store: TodoStoreSpy(["Milk", "Rent"]))
    try app.logIn()
  }

  private var rows: TodoRows { TodoRows(app.store.rows()) }
  private let complete = TodoOutcome.loaded(
    LoadSummary(total: 2, isComplete: true, source: "local"))
  private let incomplete = TodoOutcome.loaded(
    LoadSummary(total: 2, isComplete: false, source: "local"))

  @Test("Cancel stops the worker, and shows the stored todos")
  func cancel() async throws {
    try app.act("cancel")
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.running == ["OperationWorker"])
    let message = "Loading was stopped. The list may not be complete."
    #expect(app.front.message == ScreenMessage(.warning, message, id: 1))
    await app.carryOut(.rows(filter: ""))
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.message == message)
    #expect(app.running == [])
    #expect(app.isEnabled("reload") == true)
  }

  @Test("A request that waits for a stopped load learns that it is not complete")
  func cancelWithWaiting() async throws {
    app.load(7)
    try app.act("cancel")
    #expect(app.end(7) == nil)
    await app.carryOut(.rows(filter: ""))
    #expect(app.end(7) == incomplete)
  }

  @Test("A request that waits for a stopped load fails if the store cannot be read")
  func cancelAndStorageFailure() async throws {
    app.load(7)
    try app.act("cancel")
    app.store.fail(.storage("The disk is broken."))
    await app.carryOut(.rows(filter: ""))
    #expect(app.end(7) == .failed(.storage("The disk is broken.")))
    #expect(!app.isWaiting(7))
  }

  @Test("A request that waits for a stopped load is answered although another load starts")
  func cancelThenLoad() async throws {
    app.load(7)
    app.perform(.toggle(try app.id("Milk")), 9)
    try app.act("cancel")
    app.load(8)
    #expect(app.isWaiting(7))
    await app.carryOut(.toggle(try app.id("Milk")))
    await app.carryOut(.rows(filter: ""))
    app.load(.loaded(rows))
    #expect(app.end(7) != nil)
    #expect(app.end(8) == complete)
  }

  @Test("A request that waits for a stopped load is answered although the user reloads")
  func cancelThenReload() async throws {
    app.load(7)
    app.perform(.toggle(try app.id("Milk")), 9)
    try app.act("cancel")
    try app.act("reload")
    #expect(app.isWaiting(7))
    await app.carryOut(.toggle(try app.id("Milk")))
    await app.carryOut(.rows(filter: ""))
    app.load(.loaded(rows))
    #expect(app.end(7) != nil)
  }

  @Test("A filter that is read instead of a stopped load is answered, too")
  func cancelAndFilter() async throws {
    app.load(.loaded(rows))
    app.load(refresh: true, 7)
    app.perform(.toggle(try app.id("Milk")), 8)
    try app.act("filter", input: ["query": "Mi"], token: 9)
    app.load(10)
    app.cancel(10)
    app.cancel(7)
    #expect(app.running == ["OperationWorker"])
    await app.carryOut(.toggle(try app.id("Milk")))
    await app.carryOut(.rows(filter: "Mi"))
    #expect(app.end(9) == .shown)
    #expect(!app.isWaiting(9))
  }

  @Test("A filter queued before a stopped load answers both")
  func filterBeforeCancel() async throws {
    app.load(7)
    app.perform(.toggle(try app.id("Milk")), 8)
    app.perform(.rows(filter: "Mi"), 9)
    try app.act("cancel")
    await app.carryOut(.toggle(try app.id("Milk")))
    await app.carryOut(.rows(filter: "Mi"))
    await app.carryOut(.rows(filter: ""))
    #expect(app.end(8) != nil)
    #expect(app.end(7) == incomplete)
    #expect(app.end(9) == .shown)
  }

  @Test("A load ends with the only operation that waits for it")
  func cancelledOperation() async throws {
    app.load(.loaded(rows))
    app.load(refresh: true, 7)
    app.cancel(7)
    #expect(app.running == ["OperationWorker"])
    await app.carryOut(.rows(filter: ""))
    #expect(app.end(7) == nil)
    #expect(app.items == ["Milk", "Rent"])
  }

  @Test("A load that others wait for continues without the request that started it")
  func cancelledOneOfTwo() throws {
    app.load(.loaded(rows))
    app.load(refresh: true, 7)
    app.load(8)
    app.cancel(7)
    #expect(app.running == ["LoadWorker"])
    app.load(.loaded(rows))
    #expect(app.end(8) == complete)
    #expect(app.end(7) == nil)
  }

  @Test("The load of the login does not end with an operation that only joined it")
  func cancelledJoiner() throws {
    app.load(7)
    app.cancel(7)
    #expect(app.running == ["LoadWorker"])
    #expect(app.names == ["welcome", "loading"])
  }
}
