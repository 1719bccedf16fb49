import Synchronization
import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores
import WorkflowTesting

@testable import TodoWorkflows

@Suite("The worker that syncs a list with its source")
struct LoadWorkerTests {
  private let list = TodoListKey(profile: "ann", source: "github:octo/tasks")
  private let store: SQLiteStore
  private let clock = StoppedClock()

  init() throws {
    store = try SQLiteStore(at: .memory, environment: .live)
  }

  private func services(of store: any TodoStore) -> TodoServices {
    .faked(
      store: store,
      sync: SyncServices(
        owner: "me", isAlive: { _ in true }, now: { clock.now }, sleep: { clock.sleep($0) }))
  }

  /// Returns the outputs of a worker, each as one line.
  private func lines(
    _ remote: FakeRemote, goal: SyncGoal = .pull, isFirst: Bool = false,
    of store: (any TodoStore)? = nil
  ) async -> [String] {
    let worker = LoadWorker(
      list: list, source: TodoSource(name: list.source, remote: remote),
      services: services(of: store ?? self.store), goal: goal, isFirst: isFirst)
    var lines: [String] = []
    await worker.tester().run { lines = $0.map(Self.line) }
    return lines
  }

  private static func line(_ event: LoadWorker.Event) -> String {
    switch event {
    case .opened(let rows, let syncedAt):
      "opened \(rows.total)" + (syncedAt == nil ? "" : ", synced before")
    case .progressed(let progress):
      "\(progress.pagesDone) of \(progress.pageCount.map { "\($0)" } ?? "?")"
    case .sent: "sent"
    case .loaded(let rows, let report):
      "loaded \(rows.total), pushed \(report.pushed), pulled \(report.pulled)"
    case .failed(let error, let rows, _):
      "\(error.kind) with \(rows.map { "\($0.total)" } ?? "no rows")"
    }
  }

  private func page(_ numbers: [Int64], next: String? = nil, count: Int? = nil)
    -> Result<RemoteAnswer.Body, TodoError>
  {
    .success(
      .items(
        RemotePage(
          items: numbers.map { item($0) }, next: next.map { PageLink(url: $0) }, pageCount: count,
          cursor: "2027-01-15T08:00:00Z")))
  }

  private func item(_ number: Int64, _ title: String? = nil) -> RemoteItem {
    RemoteItem(
      key: "\(number)", url: "https://example.org/\(number)",
      content: TodoContent(title: title ?? "issue \(number)", note: "", isDone: false),
      fields: .all, order: RemoteItem.order(ofNumber: number))
  }

  @Test("only reads the store if there is no source")
  func local() async {
    let services = services(of: TodoStoreSpy(["Milk"]))
    await LoadWorker(list: .local, services: services).tester().run { events in
      #expect(events.map(Self.line) == ["loaded 1, pushed 0, pulled 0"])
    }
  }

  @Test("follows the links of the source from page to page, and reports progress")
  func pages() async {
    let remote = FakeRemote([
      page([3, 2], next: "https://x/?page=2&b", count: 2), page([2, 1], count: 2),
    ])
    let lines = await lines(remote, isFirst: true)
    #expect(lines == ["1 of 2", "2 of 2", "loaded 3, pushed 0, pulled 3"])
    #expect(remote.requests == [.list, .page(PageLink(url: "https://x/?page=2&b"))])
  }

  @Test("opens a list that was complete once, and requests only changes")
  func again() async {
    _ = await lines(FakeRemote([page([2, 1])]))
    let remote = FakeRemote([page([3])])
    #expect(
      await lines(remote, isFirst: true) == [
        "opened 2, synced before", "loaded 3, pushed 0, pulled 1",
      ])
    guard case .changes = remote.requests.first else { return mismatch(remote.requests) }
  }

  @Test("stores the pages before a failure, and continues there in the next run")
  func failure() async {
    let failing = FakeRemote([
      page([3, 2], next: "https://x/2", count: 2), .failure(TodoError(.timeout, "Too long.")),
    ])
    #expect(await lines(failing, isFirst: true) == ["1 of 2", "timeout with 2"])
    let remote = FakeRemote([page([1], count: 2)])
    // The list was not complete, so it is not opened.
    let lines = await lines(remote, isFirst: true)
    #expect(lines == ["2 of 2", "loaded 3, pushed 0, pulled 1"])
    #expect(remote.requests == [.page(PageLink(url: "https://x/2", number: 2))])
  }

  @Test("reports each todo that was sent")
  func sent() async throws {
    let todo = try store.add(NewTodo(title: "Milk"), to: list)
    let made = item(1, "Milk")
    let page = RemotePage(items: [made])
    let remote = FakeRemote([.success(.item(made)), .success(.items(page))])
    let lines = await lines(remote, goal: .both)
    #expect(lines.first == "sent")
    #expect(lines.last == "loaded 1, pushed 1, pulled 0")
    #expect(try store.todo(todo.id, in: list).sync == .synced)
  }

  @Test("ends at a long rate limit, and reports when it may continue")
  func limit() async {
    let later = Timestamp(milliseconds: clock.now.milliseconds + 3_600_000)
    let limited = TodoError(.rateLimited, "Too many.", retryAt: later)
    let remote = FakeRemote([.failure(limited)])
    #expect(await lines(remote, isFirst: true) == ["rateLimited with 0"])
    // Another run does not request anything before that instant either.
    let early = FakeRemote()
    #expect(await lines(early, isFirst: true) == ["rateLimited with 0"])
    #expect(early.requests == [])
  }

  @Test("reports that the rows cannot be read")
  func storageFailure() async {
    let broken = TodoStoreSpy(journal: store)
    broken.fail(.storage("The disk is full."))
    #expect(await lines(FakeRemote([page([1])]), of: broken).last == "storage with no rows")
  }

  @Test("is equivalent for the same list")
  func equivalence() {
    LoadWorker(list: list, services: .faked()).tester()
      .assertEquivalent(to: LoadWorker(list: list, services: services(of: store)))
      .assertNotEquivalent(to: LoadWorker(list: .local, services: .faked()))
  }
}

/// A clock that advances only while a task waits.
private final class StoppedClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_800_000_000_000)

  var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

  func sleep(_ duration: Int64) { milliseconds.withLock { $0 += duration } }
}
