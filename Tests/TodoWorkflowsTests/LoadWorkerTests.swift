import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("The worker that loads")
struct LoadWorkerTests {
  private let list = TodoListKey(profile: "ann", source: "github:octo/tasks")
  private let store = MemoryTodoStore()

  private func outcome(_ steps: [FakeIssueService.Step]) async -> [String] {
    let worker = LoadWorker(
      list: list, services: .faked(store: store, issues: FakeIssueService(steps)))
    var lines: [String] = []
    await worker.tester().run { lines = $0.map(Self.line) }
    return lines
  }

  private static func line(_ event: LoadWorker.Event) -> String {
    switch event {
    case .progressed(let progress):
      "\(progress.pagesDone) of \(progress.pageCount.map { "\($0)" } ?? "?")"
    case .loaded(let rows): "loaded \(rows.total)"
    case .failed(let error, let rows):
      "\(error.kind) with \(rows.map { "\($0.total)" } ?? "no rows")"
    }
  }

  @Test("reads the store only, where there is no service")
  func local() async {
    let store = MemoryTodoStore(["Milk"])
    await LoadWorker(list: .local, services: .faked(store: store)).tester().run { events in
      #expect(events.map(Self.line) == ["loaded 1"])
    }
    #expect(store.log == [])
  }

  @Test("fetches page after page, then says what the source still has")
  func pages() async {
    let lines = await outcome([
      .page([.made(1), .made(2)], next: "b", pageCount: 2),
      .page([.made(3)], next: nil, pageCount: nil),
    ])
    #expect(lines == ["1 of 2", "2 of 2", "loaded 3"])
    #expect(store.log == ["keep [1, 2] at 0", "keep [3] at 2", "finish [1, 2, 3]"])
  }

  @Test("follows the links verbatim")
  func links() async {
    let service = FakeIssueService([
      .page([], next: "https://x/?page=2&b", pageCount: nil), .page([], next: nil, pageCount: nil),
    ])
    let worker = LoadWorker(list: list, services: .faked(store: store, issues: service))
    await worker.tester().run { _ in }
    #expect(service.links == [nil, "https://x/?page=2&b"])
  }

  @Test("keeps an issue once that comes on two pages")
  func shiftedPages() async {
    let lines = await outcome([
      .page([.made(1), .made(2)], next: "b", pageCount: nil),
      .page([.made(2), .made(3)], next: nil, pageCount: nil),
    ])
    #expect(lines == ["1 of ?", "2 of ?", "loaded 3"])
    #expect(store.log == ["keep [1, 2] at 0", "keep [3] at 2", "finish [1, 2, 3]"])
  }

  @Test("keeps what came before a failure, and removes nothing")
  func failure() async {
    let lines = await outcome([
      .page([.made(1)], next: "b", pageCount: nil), .failure(TodoError(.timeout, "Too long.")),
    ])
    #expect(lines == ["1 of ?", "timeout with 1"])
    #expect(store.log == ["keep [1] at 0"])
  }

  @Test("keeps an issue once that comes twice")
  func twice() async {
    let lines = await outcome([
      .page([.made(1), .made(1), .made(2)], next: "b", pageCount: nil),
      .page([.made(2), .made(3)], next: nil, pageCount: nil),
    ])
    #expect(lines.last == "loaded 3")
    #expect(store.log.prefix(2) == ["keep [1, 2] at 0", "keep [3] at 2"])
  }

  @Test("says when the store can keep nothing")
  func storageFailure() async {
    store.fail(.storage("The disk is full."))
    let lines = await outcome([.page([.made(1)], next: nil, pageCount: nil)])
    #expect(lines == ["storage with no rows"])
  }

  @Test("is the same for the same list")
  func equivalence() {
    LoadWorker(list: list, services: .faked()).tester()
      .assertEquivalent(to: LoadWorker(list: list, services: .faked(store: store)))
      .assertNotEquivalent(to: LoadWorker(list: .local, services: .faked()))
  }
}
