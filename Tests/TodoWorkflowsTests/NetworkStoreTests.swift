import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("A store without capabilities")
struct NetworkStoreTests {
  private let store = TodoStoreSpy(["Milk", "Rent", "Milkshake"], offering: [])

  private func run(_ operation: ListOperation) async -> Result<ListResult, TodoError> {
    let worker = OperationWorker(
      entry: QueuedOperation(number: 1, operation: operation, origin: .request), list: .local,
      store: store)
    #expect(worker.immediateResult() == nil)
    return await worker.run()
  }

  @Test("Each read is one request")
  func reads() async throws {
    let milk = store.all()[0]
    #expect(await run(.ask(.todo(milk.id))) == .success(.answered(.answered(.todo(milk)))))
    #expect(await run(.open(milk.id)) == .success(.opened(milk)))
    #expect(await run(.refresh(milk.id)) == .success(.refreshed(milk, nil)))
    #expect(store.calls == [.todo(milk.id), .todo(milk.id), .todo(milk.id)])
    let query = TodoQuery(text: "rent")
    let page = TodoPage(elements: [store.all()[1]], total: 1, offset: 0)
    #expect(await run(.page(query)) == .success(.answered(.page(page, query))))
    let rows = TodoRows(
      [store.rows()[2]], total: 2, offset: 1, window: ListWindow(offset: 1, limit: 1),
      today: store.days.today)
    let result = await run(
      .rows(filter: "milk", window: ListWindow(limit: 1), anchor: store.all()[2].id))
    #expect(result == .success(.rows(rows, total: 3)))
    #expect(store.calls.dropFirst(3) == [.todos, .todos])
  }

  @Test("A question that needs no request is answered, too")
  func emptyReads() async {
    #expect(await run(.counts) == .success(.counts(SyncCounts())))
    #expect(await run(.ask(.plan)) == .success(.answered(.answered(.planned([])))))
    #expect(await run(.logOut) == .success(.loggedOut))
    #expect(store.calls == [])
  }

  @Test(
    "There is nothing to undo, and no file",
    arguments: [
      ListOperation.undo, .redo, .undoOwn(TodoID("t1"), version: 1),
    ])
  func history(operation: ListOperation) async {
    #expect(await run(operation) == .failure(.noHistory))
    #expect(store.calls == [])
  }

  @Test("A decision about a conflict that the store does not have stores nothing")
  func resolve() async {
    let milk = store.all()[0]
    let result = await run(.resolve(milk.id, version: milk.version, .keep(.mine)))
    guard case .failure(let error) = result else { return mismatch(result) }
    #expect(error.conflict?.theirs == milk.content)
    #expect(store.calls == [.todo(milk.id)])
  }

  @Test("A toggle names the version that it read")
  func toggle() async throws {
    let milk = store.all()[0]
    var edit = TodoEdit(isDone: true)
    edit.expectedVersion = milk.version
    _ = await run(.toggle(milk.id))
    #expect(store.calls == [.todo(milk.id), .edit(milk.id, edit)])
  }

  @Test("The list has no undo, counts loaded todos, and reads the store only for requests")
  func screens() throws {
    let app = TestApp(
      store: store, sources: [TodoSource(name: "github:octo/tasks", remote: nil)])
    try app.logIn()
    guard case .progress(let progress) = app.front.body else { return mismatch(app.front) }
    #expect(progress.text == "Loading from github:octo/tasks…")
    app.load(.loaded(TodoRows(store.rows())))
    #expect(app.items == ["Milk", "Rent", "Milkshake"])
    #expect(
      app.front.actions.map(\.name) == [
        "open", "toggle", "remove", "due", "label", "priority", "add", "reload", "filter",
        "logout",
      ])
    let summary = ListSummary(
      source: "github:octo/tasks", total: 3, counts: SyncCounts(), isOpen: true)
    #expect(app.begin(.lists, 1) == .lists([summary]))
    #expect(store.calls == [])
    #expect(app.perform(.ask(.todo(TodoID("t1"))), 2) == nil)
    #expect(app.running == ["OperationWorker"])
  }

  @Test("A failed load reads nothing else")
  func load() async {
    store.fail(Sample.error)
    let services = TodoServices.faked(store: store)
    await LoadWorker(list: .local, services: services).tester().run { events in
      guard case .failed(Sample.error, rows: nil, _)? = events.first else {
        return mismatch(events)
      }
    }
    #expect(store.calls == [.todos])
  }
}
