import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// A list, a source, and a clock that only advances when the engine waits.
final class SyncWorld {
  let list = TodoListKey.source
  let address: RemoteAddress
  /// The view of the list; `nil` for the whole list.
  private let view: RemoteView?
  let folder = TemporaryFolder()
  var source = ModelSource()
  var now = Timestamp(milliseconds: 1_800_000_000_000)
  private(set) var store: SQLiteStore

  init(view: RemoteView? = nil) throws {
    let whole = try #require(GitHubAddress("github:octo/tasks")).remote
    address = RemoteAddress(
      kind: whole.kind, baseURL: whole.baseURL, place: whole.place,
      description: whole.description, view: view)
    self.view = view
    store = try Self.open(folder, view)
  }

  private static func open(_ folder: TemporaryFolder, _ view: RemoteView?) throws -> SQLiteStore {
    try SQLiteStore(
      at: .file(folder.path("todos.sqlite")),
      environment: .counting(idsFrom: .random(in: 1...1 << 40)),
      views: view.map { [TodoListKey.source.source: $0] } ?? [:])
  }

  /// Opens the store again, as after the end of the process.
  func restart() throws { store = try Self.open(folder, view) }

  /// Opens another store on the same file. Its list shows `view`, or all items if `view` is `nil`.
  func store(of view: RemoteView?) throws -> SQLiteStore { try Self.open(folder, view) }

  func engine(
    _ goal: SyncGoal = .both, of other: TodoListKey? = nil, owner: String = "me"
  ) -> SyncEngine {
    SyncEngine(
      other ?? list, at: address, source.capabilities, goal: goal, journal: store, owner: owner,
      isAlive: { _ in true },
      jitter: { $0.lowerBound })
  }

  /// Runs a sync to its end, with all pauses that it requests.
  @discardableResult
  func sync(_ goal: SyncGoal = .both, of other: TodoListKey? = nil) throws -> SyncReport {
    var engine = engine(goal, of: other)
    try run(&engine)
    return engine.report
  }

  /// Runs an engine to its end, and calls `intervene` between a request and its response.
  func run(
    _ engine: inout SyncEngine, intervene: (RemoteRequest) throws -> Void = { _ in }
  ) throws {
    while true {
      switch try engine.next(at: now) {
      case .send(let request):
        now = Timestamp(milliseconds: now.milliseconds + 10)
        let answer = source.answer(request, at: now)
        try intervene(request)
        try engine.handle(answer, at: now)
      case .wait(let instant):
        #expect(instant > now)
        now = instant
      case .done: return
      }
    }
  }

  func wait(seconds: Int64) {
    now = Timestamp(milliseconds: now.milliseconds + seconds * 1_000)
  }

  var todos: [Todo] { get throws { try store.todos(TodoQuery(), in: list).elements } }

  func id(_ title: String) throws -> TodoID {
    try #require(try todos.first { $0.content.title == title }).id
  }

  func edit(_ title: String, _ edit: TodoEdit) throws {
    _ = try store.edit(id(title), edit, in: list)
  }
}
