import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("Opening a list waits for the operations on the open list")
struct OpenListOrderTests {
  private let app: TestApp
  private let other = TodoOperation.openList(source: "other")
  private let add: ListOperation

  init() throws {
    app = TestApp(sources: [.local, TodoSource(name: "other", remote: nil)])
    add = .add(try NewTodo(title: "Bread"))
    try app.logIn()
    for _ in 1...2 { app.load(.loaded(TodoRows())) }
    #expect(app.begin(.openList(source: "local"), 1) == .listOpened(source: "local"))
  }

  private var openList: String? {
    app.names.last == "todoList" ? app.front.title.split(separator: " ").last.map(String.init) : nil
  }

  @Test("and is answered immediately if there are none")
  func idle() {
    #expect(app.begin(other, 2) == .listOpened(source: "other"))
    #expect(openList == "other")
  }

  @Test("in their order")
  func order() async {
    app.perform(add, 2)
    #expect(app.begin(other, 3) == nil)
    #expect(app.isWaiting(3))
    #expect(openList == "local")
    await app.carryOut(add)
    #expect(app.end(2) != nil)
    #expect(app.end(3) == nil)
    await app.carryOut(.openList(source: "other"))
    #expect(app.end(3) == .listOpened(source: "other"))
    #expect(openList == "other")
    #expect(app.running == [])
  }

  @Test("even if the user has closed it meanwhile")
  func closed() async throws {
    app.perform(add, 2)
    app.begin(other, 3)
    try app.act("lists")
    #expect(openList == nil)
    await app.carryOut(add)
    await app.carryOut(.openList(source: "other"))
    #expect(openList == "other")
  }

  @Test("and does not happen if the request is cancelled")
  func cancelled() async {
    app.perform(add, 2)
    app.begin(other, 3)
    app.cancel(3)
    #expect(!app.isWaiting(3))
    await app.carryOut(add)
    #expect(app.end(3) == nil)
    #expect(openList == "local")
    #expect(app.running == [])
  }

  @Test("An unknown list is refused, and the open one stays")
  func unknown() {
    app.perform(add, 2)
    guard case .failed(let error) = app.begin(.openList(source: "none"), 3) else {
      Testing.Issue.record("not refused")
      return
    }
    #expect(error.kind == .notFound)
    #expect(openList == "local")
  }

  @Test("The user opens a list without waiting")
  func byScreen() throws {
    app.perform(add, 2)
    try app.act("lists")
    try app.act("open", item: TodoID("other"))
    #expect(openList == "other")
    #expect(app.isWaiting(2))
  }

  @Test("A logout comes after it, and refuses later operations")
  func logOut() async {
    app.perform(add, 2)
    app.begin(other, 3)
    app.begin(.logOut, 4)
    #expect(app.begin(other, 5) == .failed(.notLoggedIn))
    // The other list has no operations to wait for.
    await app.carryOut(.logOut)
    await app.carryOut(add)
    await app.carryOut(.openList(source: "other"))
    #expect(app.end(3) == .listOpened(source: "other"))
    #expect(app.end(4) == nil)
    await app.carryOut(.logOut)
    #expect(app.end(4) == .loggedOut)
    #expect(app.names == ["welcome"])
  }
}
