import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Loading")
struct LoadFlowTests {
  private let app: TestApp
  private let offline = TodoError(.offline, "No connection.")

  init() throws {
    app = TestApp(store: TodoStoreSpy(["Milk", "Rent"]))
    try app.logIn()
  }

  private var rows: TodoRows { TodoRows(app.store.rows()) }
  private let complete = TodoOutcome.loaded(
    LoadSummary(total: 2, isComplete: true, source: "local"))

  // MARK: A whole load

  @Test("The login starts it, and its screen is directly above welcome")
  func start() {
    #expect(app.names == ["welcome", "loading"])
    #expect(app.front.body == .progress(ScreenProgress(text: "Loading…")))
    #expect(app.running == ["LoadWorker"])
  }

  @Test("It shows the number of pages, and the total if it is known")
  func pages() {
    app.load(.progressed(LoadProgress(pagesDone: 1)))
    #expect(app.front.body == .progress(ScreenProgress(text: "Loading…", done: 1)))
    app.load(.progressed(LoadProgress(pagesDone: 2, pageCount: 3)))
    #expect(app.front.body == .progress(ScreenProgress(text: "Loading…", done: 2, total: 3)))
  }

  @Test("It names its source")
  func source() throws {
    let app = TestApp(sources: [.faked()])
    try app.logIn()
    let text = "Loading from github:octo/tasks…"
    #expect(app.front.body == .progress(ScreenProgress(text: text)))
  }

  @Test("At its end the list is shown")
  func end() {
    app.load(.loaded(rows))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.front.title == "Todos of ann")
    #expect(app.front.message == nil)
    #expect(app.running == [])
  }

  // MARK: Waiting for it

  @Test("A request during a load joins it, and receives its progress")
  func join() throws {
    app.load(7)
    app.load(refresh: true, 8)
    #expect(app.running == ["LoadWorker"])
    app.load(.progressed(LoadProgress(pagesDone: 1)))
    #expect(app.end(7) == nil)
    #expect(app.progress == [LoadProgress(pagesDone: 1)])
    app.load(.loaded(rows))
    #expect(app.end(7) == complete)
    #expect(app.end(8) == complete)
    #expect(app.test.drainLog().filter { $0.hasPrefix("start Load") }.count == 1)
  }

  @Test("Progress is not reported without a waiting request")
  func silentProgress() {
    app.load(.progressed(LoadProgress(pagesDone: 1)))
    #expect(app.end(7) == nil)
    #expect(app.progress == [])
  }

  @Test("After a load, a request is answered immediately, and a refresh loads behind the list")
  func refresh() throws {
    app.load(.loaded(rows))
    app.load(7)
    #expect(app.end(7) == complete)
    #expect(app.running == [])
    app.load(refresh: true, 8)
    #expect(app.end(8) == nil)
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.isEnabled("reload") == false)
    #expect(app.running == ["LoadWorker"])
    app.load(.loaded(rows))
    #expect(app.end(8) == complete)
    #expect(app.isEnabled("reload") == true)
  }

  @Test("A todo added after a load counts in its response")
  func countAfterLoad() async throws {
    app.load(.loaded(rows))
    app.perform(.add(try NewTodo(title: "Bread")), 7)
    await app.carryOut(.add(try NewTodo(title: "Bread")))
    app.load(8)
    let summary = LoadSummary(total: 3, isComplete: true, source: "local")
    #expect(app.end(8) == .loaded(summary))
    app.perform(.remove(try app.id("Bread"), expectedVersion: nil), 9)
    await app.carryOut(.remove(try app.id("Bread"), expectedVersion: nil))
    app.load(10)
    #expect(app.end(10) == complete)
  }

  // MARK: Failing

  @Test("A failure shows a screen with retry, and ends waiting requests")
  func failure() throws {
    app.load(7)
    app.load(.failed(offline, rows: rows))
    #expect(app.names == ["welcome", "todoList", "failure"])
    #expect(app.front.title == "The todos could not be loaded")
    #expect(app.front.message == ScreenMessage(.error, "No connection."))
    #expect(app.end(7) == .failed(offline))
    #expect(app.items == ["Milk", "Rent"], "what the store has is there")
  }

  @Test("Retry loads again, in front")
  func retry() throws {
    app.load(.failed(offline, rows: nil))
    try app.act("retry")
    #expect(app.names == ["welcome", "loading"])
    #expect(app.running == ["LoadWorker"])
    app.load(.loaded(rows))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.front.message == nil)
  }

  @Test("Back continues with the stored todos, and shows a message")
  func back() throws {
    app.load(.failed(offline, rows: rows))
    try app.act("back")
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.front.message == ScreenMessage(.warning, "Not up to date: No connection.", id: 1))
    #expect(app.running == [])
  }

  @Test("A load requested on the failure screen replaces it")
  func loadOnFailureScreen() throws {
    app.load(.failed(offline, rows: rows))
    app.load(7)
    #expect(app.names == ["welcome", "todoList"])
    app.load(.loaded(rows))
    #expect(app.end(7) == complete)
  }

  @Test("A refresh behind the list fails with a message")
  func refreshFails() throws {
    app.load(.loaded(rows))
    app.load(refresh: true, 7)
    app.load(.failed(offline, rows: nil))
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.message == "Not up to date: No connection.")
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.end(7) == .failed(offline))
  }

  // MARK: Late results

  @Test("Late results of a replaced load are dropped")
  func staleAnswers() throws {
    app.load(.failed(offline, rows: nil))
    try app.act("retry")
    app.test.deliver(
      LoadWorker.Event.loaded(TodoRows([])), fromWorkerNumber: 2)
    app.test.deliver(
      LoadWorker.Event.progressed(LoadProgress(pagesDone: 9)), fromWorkerNumber: 2)
    #expect(app.names == ["welcome", "loading"])
    #expect(app.front.body == .progress(ScreenProgress(text: "Loading…")))
    app.load(.loaded(rows))
    #expect(app.items == ["Milk", "Rent"])
  }

  @Test("Late results of a stopped load are dropped")
  func answersAfterCancel() throws {
    try app.act("cancel")
    app.test.deliver(LoadWorker.Event.loaded(rows), fromWorkerNumber: 2)
    app.test.deliver(LoadWorker.Event.failed(offline, rows: nil), fromWorkerNumber: 2)
    #expect(app.names == ["welcome", "todoList"])
    #expect(app.items == [])
  }

  @Test("A second load does not start with the progress of the first")
  func freshProgress() throws {
    app.load(.progressed(LoadProgress(pagesDone: 5, pageCount: 6)))
    app.load(.loaded(rows))
    try app.act("reload")
    #expect(app.front.body == .progress(ScreenProgress(text: "Loading…")))
  }
}
