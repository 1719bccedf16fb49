import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Operations run one after the other")
struct OperationOrderTests {
  private let app: TestApp
  private let loadEnded = TodoError(.interrupted, "The load was ended by a logout.")

  init() throws { app = try TestApp.atList(["Milk", "Rent"]) }

  @Test("in the order of arrival, each after the end of the one before")
  func order() async throws {
    let draft = try NewTodo(title: "Bread")
    app.perform(.add(draft), 1)
    app.perform(.page(TodoQuery()), 2)
    try app.act("toggle", item: try app.id("Milk"), token: 3)
    #expect(app.test.drainLog().filter { $0.contains("Operation") }.count == 1)
    await app.carryOut(.add(draft))
    #expect(app.end(1) == .changed(app.store.all()[0]))
    #expect(app.end(2) == nil)
    await app.carryOut(.page(TodoQuery()))
    guard case .page(let page, TodoQuery()) = app.end(2) else {
      Testing.Issue.record("not answered with the page")
      return
    }
    #expect(page.elements.map(\.content.title) == ["Bread", "Milk", "Rent"])
    #expect(app.end(3) == nil)
    await app.carryOut(.toggle(try app.id("Milk")))
    #expect(app.end(3) != nil)
    #expect(app.running == [])
    #expect(!(1...3).contains(where: app.isWaiting))
  }

  @Test("A question is answered immediately, unless operations before it have not ended")
  func question() async throws {
    let id = try app.id("Milk")
    let milk = try app.store.todo(id, in: .local)
    #expect(app.perform(.ask(.todo(id)), 1) == .answered(.todo(milk)))
    #expect(app.perform(.ask(.todo(TodoID("gone"))), 2) == .failed(.todoNotFound))
    #expect(app.running == [])
    #expect(app.perform(.toggle(id), 3) == nil)
    #expect(app.perform(.ask(.todo(id)), 4) == nil)
    await app.carryOut(.toggle(id))
    #expect(app.end(4) == nil)
    await app.carryOut(.ask(.todo(id)))
    let toggled = try app.store.todo(id, in: .local)
    #expect(toggled.content.isDone)
    #expect(app.end(4) == .answered(.todo(toggled)))
    #expect(app.perform(.ask(.todo(id)), 5) == .answered(.todo(toggled)))
  }

  @Test("and a failure does not block later ones")
  func failure() async throws {
    let id = try app.id("Milk")
    app.perform(.toggle(TodoID("gone")), 1)
    app.perform(.ask(.todo(TodoID("gone"))), 2)
    app.perform(.ask(.todo(id)), 3)
    await app.carryOut(.toggle(TodoID("gone")))
    #expect(app.end(1) == .failed(.todoNotFound))
    await app.carryOut(.ask(.todo(TodoID("gone"))))
    #expect(app.end(2) == .failed(.todoNotFound))
    #expect(app.message == nil, "a script's failure is not shown")
    await app.carryOut(.ask(.todo(id)))
    #expect(app.end(3) == .answered(.todo(try app.store.todo(id, in: .local))))
  }

  @Test("An edit and a removal by a script are answered and shown")
  func changes() async throws {
    let milk = try app.id("Milk")
    let edit = try TodoEdit(title: "Oat milk", isDone: true)
    app.perform(.edit(milk, edit), 1)
    await app.carryOut(.edit(milk, edit))
    #expect(app.end(1) == .changed(try app.store.todo(milk, in: .local)))
    #expect(app.items == ["x Oat milk", "Rent"])
    app.perform(.remove(milk, expectedVersion: 2), 2)
    await app.carryOut(.remove(milk, expectedVersion: 2))
    #expect(app.end(2) == .removed(milk))
    #expect(app.items == ["Rent"])
  }

  @Test("A conflict is returned to a script, and no screen opens")
  func conflict() async throws {
    let milk = try app.id("Milk")
    let edit = try TodoEdit(title: "Oat milk", expectedVersion: 7)
    app.perform(.edit(milk, edit), 1)
    await app.carryOut(.edit(milk, edit))
    guard case .failed(let error) = app.end(1) else {
      Testing.Issue.record("not a conflict")
      return
    }
    #expect(error.kind == .conflict)
    #expect(app.names == ["welcome", "todoList"])
  }

  @Test("A cancelled operation in the queue is not run")
  func cancelWaiting() async throws {
    let milk = try app.id("Milk")
    app.perform(.toggle(milk), 1)
    app.perform(.remove(milk, expectedVersion: nil), 2)
    app.perform(.ask(.todo(milk)), 3)
    app.cancel(2)
    #expect((1...3).filter(app.isWaiting) == [1, 3])
    await app.carryOut(.toggle(milk))
    await app.carryOut(.ask(.todo(milk)))
    #expect(app.end(2) == nil)
    #expect(app.end(3) == .answered(.todo(try app.store.todo(milk, in: .local))))
  }

  @Test("A cancelled operation in progress is completed and shown, but not answered")
  func cancelRunning() async throws {
    let milk = try app.id("Milk")
    app.perform(.toggle(milk), 1)
    app.cancel(1)
    #expect(app.running == ["OperationWorker"])
    #expect(!app.isWaiting(1))
    await app.carryOut(.toggle(milk))
    #expect(app.end(1) == nil)
    #expect(app.items == ["x Milk", "Rent"])
  }

  @Test("Cancelling an unknown operation has no effect")
  func cancelUnknown() throws {
    app.perform(.toggle(try app.id("Milk")), 1)
    app.cancel(9)
    #expect(app.isWaiting(1))
  }

  @Test("A late result of an operation that has ended has no effect")
  func staleAnswer() async throws {
    let milk = try app.id("Milk")
    app.perform(.toggle(milk), 1)
    let first = await app.stored(.toggle(milk))
    app.answer(first)
    app.perform(.toggle(milk), 2)
    app.test.deliver(first, fromWorkerNumber: 3)
    #expect(app.end(2) == nil)
    await app.carryOut(.toggle(milk))
    #expect(app.items == ["Milk", "Rent"])
    #expect(app.end(2) != nil)
  }

  // MARK: Logging out

  @Test("A logout waits for earlier operations, and refuses later ones")
  func logOut() async throws {
    let milk = try app.id("Milk")
    app.perform(.toggle(milk), 1)
    app.begin(.logOut, 2)
    app.perform(.remove(milk, expectedVersion: nil), 3)
    app.load(refresh: true, 4)
    await app.carryOut(.toggle(milk))
    #expect(app.end(1) != nil)
    #expect(app.end(2) == nil)
    await app.carryOut(.logOut)
    #expect(app.end(2) == .loggedOut)
    #expect(app.end(3) == .failed(.notLoggedIn))
    #expect(app.end(4) == .failed(.notLoggedIn))
    #expect(app.names == ["welcome"])
    #expect(app.running == [])
    #expect(app.store.all().count == 2)
  }

  @Test("A logout on a screen needs no waiting request")
  func logOutByScreen() async throws {
    try app.act("logout")
    await app.carryOut(.logOut)
    #expect(app.names == ["welcome"])
    #expect(try app.field("name").value == "ann")
    #expect(app.isEnabled("login") == true)
  }

  @Test("A logout during the first load stops it")
  func logOutDuringLoad() async throws {
    let app = TestApp()
    try app.logIn()
    app.load(1)
    app.begin(.logOut, 2)
    await app.carryOut(.logOut)
    #expect(app.end(1) == .failed(loadEnded))
    #expect(app.running == [])
    app.test.deliver(LoadWorker.Event.loaded(TodoRows()), fromWorkerNumber: 2)
    #expect(app.names == ["welcome"])
  }

  @Test("The next user starts with another list")
  func nextLogin() async throws {
    try app.act("filter", input: ["query": "Mi"])
    await app.carryOut(.rows(filter: "Mi"))
    try app.act("logout")
    await app.carryOut(.logOut)
    try app.change(["name": "bob"])
    try app.act("login")
    app.answerLogin(2, name: "bob")
    #expect(app.names == ["welcome", "loading"])
    app.load(.loaded(TodoRows()))
    #expect(app.front.title == "Todos of bob")
    #expect(app.items == [])
  }
}

@Suite("The worker of an operation")
struct OperationWorkerTests {
  private let store = TodoStoreSpy(["Milk"])

  private func worker(_ operation: ListOperation, number: Int = 1) -> OperationWorker {
    OperationWorker(
      entry: QueuedOperation(number: number, operation: operation, origin: .request),
      list: .local, store: store)
  }

  @Test("Reads are answered immediately, changes are not")
  func immediate() throws {
    let id = store.all()[0].id
    let reads: [ListOperation] = [
      .page(TodoQuery()), .ask(.todo(id)), .open(id), .rows(filter: ""), .logOut,
    ]
    for read in reads { #expect(worker(read).immediateResult() != nil) }
    let changes: [ListOperation] = [
      .add(try NewTodo(title: "x")), .edit(id, TodoEdit(isDone: true)),
      .remove(id, expectedVersion: nil), .toggle(id),
    ]
    for change in changes { #expect(worker(change).immediateResult() == nil) }
    #expect(store.all().count == 1)
  }

  @Test("The total of filtered rows includes hidden ones")
  func rows() async {
    let expected = ListResult.rows(TodoRows(today: store.days.today), total: 1)
    #expect(await worker(.rows(filter: "zzz")).run() == .success(expected))
  }

  @Test("Every failure of the store is returned")
  func failures() async throws {
    store.fail(.storage("The disk is broken."))
    let id = store.all()[0].id
    let operations: [ListOperation] = [
      .page(TodoQuery()), .ask(.todo(id)), .open(id), .rows(filter: ""), .toggle(id),
      .add(try NewTodo(title: "x")), .edit(id, TodoEdit(isDone: true)),
      .remove(id, expectedVersion: nil),
    ]
    for operation in operations {
      #expect(await worker(operation).run() == .failure(.storage("The disk is broken.")))
    }
  }

  @Test("Each is identified by its number")
  func equivalence() {
    worker(.logOut).tester()
      .assertEquivalent(to: worker(.rows(filter: "")))
      .assertNotEquivalent(to: worker(.logOut, number: 2))
  }
}
