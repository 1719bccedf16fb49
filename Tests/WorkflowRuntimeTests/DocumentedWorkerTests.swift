import Synchronization
import Testing
import WorkflowRuntime
import WorkflowTesting

/// Compiles and runs the examples about work that takes time.
@Suite struct DocumentedWorkerTests {
  struct User: Equatable, Sendable { var name: String }
  struct LoadError: Error, Equatable {}

  struct UserService: Sendable {
    func user(_ id: Int) async -> Result<User, LoadError> {
      id == 1 ? .success(User(name: "Ada")) : .failure(LoadError())
    }
  }

  struct LoadUser: Worker, Equatable {
    let id: Int
    func run() async -> Result<User, LoadError> { await api.user(id) }
  }

  struct LoadCachedUser: Worker, Equatable {
    let id: Int
    let cache: [Int: User]
    func run() async -> Result<User, LoadError> { await api.user(id) }
    func immediateResult() -> Result<User, LoadError>? { cache[id].map { .success($0) } }
  }

  struct Clock: Sendable {
    var ticks: AsyncStream<Int> {
      AsyncStream { continuation in
        for tick in 1...3 { continuation.yield(tick) }
        continuation.finish()
      }
    }
  }

  struct Ticks: StreamWorker, Equatable {
    func run(emit: @escaping @Sendable (Int) -> Void) async {
      for await tick in clock.ticks { emit(tick) }
    }
  }

  struct LoadingWorker: Worker, Equatable {
    func run() async -> Desk.Action { .loaded(.failure(LoadError())) }
  }

  struct Presses: StreamWorker, Equatable {
    func run(emit: @escaping @Sendable (Desk.Action) -> Void) async { emit(.ticked(0)) }
  }

  /// A workflow that requests one worker of each kind.
  struct Desk: Workflow {
    struct State: Equatable {
      var id = 1
      var user: User?
      var ticks: [Int] = []
    }
    enum Action: WorkflowAction {
      case loaded(Result<User, LoadError>)
      case ticked(Int)
      typealias WorkflowType = Desk
      func apply(toState state: inout State) -> Never? {
        switch self {
        case .loaded(let result): state.user = try? result.get()
        case .ticked(let tick): state.ticks.append(tick)
        }
        return nil
      }
    }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Desk>) -> State {
      context.awaitResult(for: LoadingWorker())
      context.awaitResult(for: LoadUser(id: state.id)) { result in Action.loaded(result) }
      context.awaitResult(for: Presses())
      context.awaitResult(for: Ticks()) { Action.ticked($0) }
      return state
    }
  }

  struct Index: Sendable {
    func find(_ query: String) async -> [String] { [query] }
  }

  /// A workflow that requests workers made from closures and sequences.
  struct Browser: Workflow {
    let query = "q"
    let path = "p"
    let index = Index()
    enum Action: WorkflowAction {
      case found([String])
      case loaded(Result<String, any Error>)
      case changed(String)
      typealias WorkflowType = Browser
      func apply(toState state: inout [String]) -> Never? {
        switch self {
        case .found(let found): state += found
        case .loaded(let loaded): state.append((try? loaded.get()) ?? "unreadable")
        case .changed(let change): state.append(change)
        }
        return nil
      }
    }
    func makeInitialState() -> [String] { [] }
    func render(state: [String], context: RenderContext<Browser>) -> [String] {
      let query = query
      let path = path
      let index = index
      let search = AsyncOperationWorker(id: query) { await index.find(query) }
      context.awaitResult(for: search) { Action.found($0) }
      let load = AsyncOperationWorker<Result<String, any Error>>.catching(id: path) {
        try await read(path)
      }
      context.awaitResult(for: load) { Action.loaded($0) }
      let watching = AsyncSequenceWorker(id: path) { changes(of: path) }
      context.awaitResult(for: watching) { Action.changed($0) }
      let reading = AsyncSequenceWorker(
        id: path, { lines(of: path) }, onFailure: { _ in "(unreadable)" })
      context.awaitResult(for: reading, key: "lines") { Action.changed($0) }
      return state
    }
  }

  @Test func requestedWorkersDeliverOutputs() {
    let test = WorkflowTestHost(workflow: Desk())
    #expect(test.running == ["LoadingWorker", "LoadUser", "Presses", "Ticks"])
    test.deliver(.success(User(name: "Ada")), from: LoadUser.self)
    test.deliver(7, from: Ticks.self)
    test.deliver(.ticked(8), from: Presses.self)
    #expect(test.host.rendering == Desk.State(user: User(name: "Ada"), ticks: [7, 8]))
  }

  @Test func workersRun() async {
    await LoadUser(id: 1).tester().run { #expect($0 == [.success(User(name: "Ada"))]) }
    await Ticks().tester().run { #expect($0 == [1, 2, 3]) }
    let cached = LoadCachedUser(id: 1, cache: [1: User(name: "Bob")])
    #expect(cached.immediateResult() == .success(User(name: "Bob")))
    #expect(LoadUser(id: 1).immediateResult() == nil)
  }

  /// The example in the documentation never ends. This test ends by finishing the sequence of
  /// outputs.
  @Test func runnerDeliversOutputs() async {
    let host = WorkflowHost(workflow: Browser())
    let expected: Set = ["q", "unreadable", "p changed", "(unreadable)"]
    let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
    let runner = WorkerRunner { continuation.yield($0) }
    host.onWorkerEffects = { runner.perform($0) }
    host.onRendering = { if Set($0) == expected { continuation.finish() } }
    for await output in outputs { host.deliver(output) }
    #expect(Set(host.rendering) == expected)
  }

  @Test func programWithoutARunner() async {
    let mailbox = Mailbox()
    let host = WorkflowHost(workflow: Desk())
    var tasks: [WorkerID: Task<Void, Never>] = [:]
    for effect in host.drainWorkerEffects() {
      switch effect {
      case .start(let task): tasks[task.id] = Task { await task.run { mailbox.post($0) } }
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      }
    }
    for task in tasks.values { await task.value }
    for output in mailbox.drain() { host.deliver(output) }
    #expect(host.rendering.ticks.sorted() == [0, 1, 2, 3])
  }

  @Test func answerMadeByHand() {
    let host = WorkflowHost(
      workflow: Made<[Int], [Int]>(initial: []) { state, context in
        context.awaitResult(for: Job()) { output in
          AnyWorkflowAction<Made<[Int], [Int]>> { state in
            state.append(output)
            return nil
          }
        }
        return state
      })
    for case .start(let task) in host.drainWorkerEffects() {
      host.deliver(WorkerOutput(workerID: task.id, value: 3))
    }
    #expect(host.rendering == [3])
  }
}

private let api = DocumentedWorkerTests.UserService()
private let clock = DocumentedWorkerTests.Clock()

private struct Unreadable: Error {}

private func read(_ path: String) async throws -> String { throw Unreadable() }

private func changes(of path: String) -> AsyncStream<String> {
  AsyncStream { continuation in
    continuation.yield("\(path) changed")
    continuation.finish()
  }
}

private func lines(of path: String) -> AsyncThrowingStream<String, any Error> {
  AsyncThrowingStream { $0.finish(throwing: Unreadable()) }
}

/// A queue for the outputs of tasks.
private final class Mailbox: Sendable {
  private let outputs = Mutex<[WorkerOutput]>([])

  func post(_ output: WorkerOutput) { outputs.withLock { $0.append(output) } }

  func drain() -> [WorkerOutput] {
    outputs.withLock { outputs in
      defer { outputs = [] }
      return outputs
    }
  }
}
