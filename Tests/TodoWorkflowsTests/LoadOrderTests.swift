import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("Loads wait for the operations before them")
struct LoadOrderTests {
  private let app: TestApp

  init() throws { app = try TestApp.atList(["Milk", "Rent"]) }

  private func loaded(_ total: Int) -> TodoOutcome {
    .loaded(LoadSummary(total: total, isComplete: true, source: "local"))
  }

  // MARK: Loads

  @Test("A load sees the operations before it, and later ones do not wait for it")
  func load() async throws {
    let draft = try NewTodo(title: "Bread")
    app.perform(.add(draft), 1)
    app.load(2)
    app.load(refresh: true, 3)
    app.perform(.toggle(try app.id("Milk")), 4)
    #expect(app.end(2) == nil)
    #expect(app.isWaiting(2) && app.isWaiting(3))
    #expect(app.running == ["OperationWorker"])
    await app.carryOut(.add(draft))
    #expect(app.end(1) != nil)
    #expect(app.end(2) == loaded(3))
    #expect(Set(app.running) == ["LoadWorker", "OperationWorker"])
    await app.carryOut(.toggle(try app.id("Milk")))
    #expect(app.end(4) != nil)
    #expect(app.end(3) == nil)
  }

  @Test("A load after a change that a filter may hide responds with the rows read after it")
  func loadWithFilter() async throws {
    try app.act("filter", input: ["query": "Mi"])
    await app.carryOut(.rows(filter: "Mi"))
    let draft = try NewTodo(title: "Bread")
    app.perform(.add(draft), 1)
    app.load(2)
    await app.carryOut(.add(draft))
    #expect(app.end(2) == nil)
    await app.carryOut(.rows(filter: "Mi"))
    #expect(app.end(2) == loaded(3))
  }

  @Test("A load whose rows are older than a change before it responds with newer ones")
  func loadWithOlderRows() async throws {
    app.load(refresh: true, 1)
    let older = TodoRows(app.store.rows())
    let draft = try NewTodo(title: "Bread")
    app.perform(.add(draft), 2)
    app.load(refresh: true, 3)
    await app.carryOut(.add(draft))
    app.load(.loaded(older))
    #expect(app.end(3) == nil)
    await app.carryOut(.rows(filter: ""))
    #expect(app.end(1) == loaded(3))
    #expect(app.end(3) == loaded(3))
  }

  @Test("A load that is cancelled in the queue does not start")
  func cancelledLoad() async throws {
    app.perform(.toggle(try app.id("Milk")), 1)
    app.load(refresh: true, 2)
    app.cancel(2)
    #expect(!app.isWaiting(2))
    await app.carryOut(.toggle(try app.id("Milk")))
    #expect(app.running == [])
    #expect(app.end(2) == nil)
  }
}

@Suite("Syncs wait for the operations before them")
struct SyncOrderTests {
  private let app: TestApp

  init() throws {
    app = TestApp(store: TodoStoreSpy(["Milk", "Rent"]), sources: [.faked()])
    try app.logIn()
  }

  private func endRun() { app.load(.loaded(TodoRows(app.store.rows()))) }

  /// Answers reads until none is running.
  private func read() async {
    while app.running.contains("OperationWorker") {
      app.answer(.success(.counts(SyncCounts())))
    }
  }

  private func toggle(_ token: UInt64) async throws {
    let milk = try app.id("Milk")
    app.perform(.toggle(milk), token)
  }

  private func carryOutToggle() async throws {
    await app.carryOut(.toggle(try app.id("Milk")))
    await read()
  }

  @Test("A sync starts when the operations before it have ended")
  func sync() async throws {
    endRun()
    await read()
    try await toggle(1)
    app.begin(.sync(SyncRequest()), 2)
    try await toggle(3)
    #expect(app.running == ["OperationWorker"])
    await app.carryOut(.toggle(try app.id("Milk")))
    #expect(app.running.contains("LoadWorker"))
    #expect(app.isWaiting(2) && app.isWaiting(3))
    endRun()
    #expect(app.end(2) == .synced(.local))
    #expect(app.end(3) == nil)
  }

  @Test(
    "A sync after a change waits for the next run, which sends the change",
    arguments: [true, false])
  func syncDuringARun(hasChange: Bool) async throws {
    endRun()
    await read()
    app.begin(.sync(SyncRequest()), 1)
    if hasChange {
      try await toggle(2)
      try await carryOutToggle()
    }
    app.begin(.sync(SyncRequest()), 3)
    app.begin(.sync(SyncRequest()), 4)
    endRun()
    #expect(app.end(1) == .synced(.local))
    #expect((app.end(3) == nil) == hasChange)
    #expect((app.end(4) == nil) == hasChange)
    #expect(app.running.contains("LoadWorker") == hasChange)
    if hasChange {
      endRun()
      #expect(app.end(3) == .synced(.local))
      #expect(app.end(4) == .synced(.local))
      #expect(!app.running.contains("LoadWorker"))
    }
  }

  @Test("The run after a load does what all waiters need: it sends, and requests everything")
  func goalOfTheNextRun() {
    var load = LoadCoordinator.starting(.pull)
    load.wait(for: .load, needsAll: true, nil)
    #expect(load.nextGoal == .reload)
    load.wait(for: .sync, needsAll: false, nil)
    #expect(
      load.nextGoal == SyncGoal(pushes: true, pulls: true, isWhole: true, retriesFailed: true))
  }

  // Before, the sync ended when the reload had ended, which sent nothing.
  @Test("A reload that replaces a run that only sends does what a waiting sync needs")
  func reloadInPlaceOfARun() {
    var load = LoadCoordinator.starting(.push)
    load.wait(for: .sync, needsAll: false, nil)
    load.start(.reload, inFront: false)
    #expect(
      load.run?.goal == SyncGoal(pushes: true, pulls: true, isWhole: true, retriesFailed: true))
  }

  // A run that requests only changes does not detect items deleted at the source.
  @Test("A load of everything during the load of the login waits for its own run")
  func refreshDuringALoad() async throws {
    app.load(1)
    app.load(refresh: true, 2)
    app.begin(.sync(SyncRequest()), 3)
    endRun()
    #expect(app.end(1) != nil)
    #expect(app.end(2) == nil && app.end(3) == nil)
    await read()
    app.load(refresh: true, 4)
    endRun()
    #expect(app.end(2) != nil && app.end(3) != nil && app.end(4) != nil)
    #expect(!app.running.contains("LoadWorker"))
  }

  @Test("The message of a failure before a sync is shown, and the todo added before it is selected")
  func messageBeforeASync() async throws {
    endRun()
    await read()
    try app.act("toggle", item: try app.id("Milk"))
    try app.act("sync")
    app.answer(.failure(.storage("The disk is broken.")))
    #expect(app.running.contains("LoadWorker"))
    #expect(app.message == "The disk is broken.")
    endRun()
    await read()
    try app.act("add", input: ["title": "Bread"])
    try app.act("sync")
    await app.carryOut(.add(try NewTodo(title: "Bread")))
    #expect(app.running.contains("LoadWorker"))
    #expect(app.selected == (try app.id("Bread").text))
  }

  @Test("The key for a sync starts one after the load of the login")
  func key() async throws {
    app.load(.opened(TodoRows(app.store.rows()), syncedAt: Timestamp(milliseconds: 0)))
    await read()
    try app.act("sync")
    try app.act("sync")
    endRun()
    #expect(app.running.contains("LoadWorker"))
    endRun()
    await read()
    #expect(app.running == [])
  }
}
