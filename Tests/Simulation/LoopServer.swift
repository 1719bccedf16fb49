import JSONRPC
import Synchronization
import TodoDatabase
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores
import TodoWorkflows
import WorkflowRuntime

/// A server process on the shared file, from its start to its end. It is the real server, except
/// for the I/O loop, which the simulation replaces.
final class LoopServer {
  let number: Int
  /// The list that is open after all pipelined requests.
  private(set) var list: TodoListKey
  /// The pipelined requests that have no response yet, in their order.
  var pending: [PipelinedRequest] = []
  /// Whether the server will be killed between two transactions.
  private(set) var isLimited = false
  /// The first response that breaks the protocol; `nil` if there is none.
  private(set) var problem: String?
  /// The notifications, and the responses to posted requests, in the order of their arrival; `nil`
  /// while they are discarded.
  var messages: [JSONObject]?
  private let machine: SimulatedMachine
  private let hasChoice: Bool
  private var loop: Loop<ProtocolAdapter>
  private let store: StoreBox
  private let mailbox = Mailbox()
  private var tasks: [WorkerID: Task<Void, Never>] = [:]
  private var watchers: [WorkerID] = []
  private var parser = FrameParser()
  private var responses: [(id: Int64, body: JSONObject)] = []
  private var unanswered: Set<Int64> = []
  /// The IDs of the requests whose responses are ignored.
  private var ignored: Set<Int64> = []
  private var posted: Set<Int64> = []
  private var lastID: Int64 = 0
  private var isRenderTimerRunning = false

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - sources: The sources, with filters; `nil` for the sources of the scenario, without
  ///     filters.
  ///   - transactionCount: The number of transactions after which the server is killed.
  ///   - remotes: Further sources. Each of them replaces the source with the same name, if there is
  ///     one.
  init(
    _ number: Int, on machine: SimulatedMachine, _ scenario: Scenario = .basic,
    list: TodoListKey? = nil, sources: [String]? = nil, killedAfter transactionCount: Int? = nil,
    remotes: [any TodoRemote] = []
  ) throws(TodoError) {
    self.number = number
    self.machine = machine
    self.list = list ?? scenario.lists[0]
    hasChoice = scenario.sources.count > 1
    let name = "p\(number)"
    let store = StoreBox()
    self.store = store
    var options = ServerOptions()
    options.store = .sqlite(path: machine.path)
    options.sources = (sources ?? scenario.sources).compactMap { try? SourceKind($0) }
    options.sync = scenario.sync
    loop = Loop(
      LoopSetup(options: options, logLevel: .error) { (options) throws(TodoError) in
        let services = try TodoServices.open(
          options, dataFolder: nil, token: nil,
          transport: SimulatedTransport(waits: machine.waits, process: number),
          environment: machine.environment(of: number))
        store.value = services.store as? SQLiteStore
        var sync = services.sync
        sync?.owner = name
        sync?.isAlive = { machine.alive.contains($0) }
        sync?.jitter = { $0.lowerBound }
        if !scenario.hasHostLocks { sync = sync?.withoutLocks }
        let own = remotes.map { TodoSource(name: $0.address.description, remote: $0) }
        let sources = services.sources.filter { !own.map(\.name).contains($0.name) } + own
        return TodoServices(
          store: services.store, sources: sources,
          register: services.register, accounts: services.accounts,
          credentials: services.credentials, notice: services.notice, sync: sync,
          drafts: services.drafts)
      }, adapter: ProtocolAdapter(version: "0"))
    machine.alive.insert(name)
    _ = try call(
      "initialize", ["processId": .null, "capabilities": ["render": ["frontOnly": true]]])
    send([notification("initialized")])
    if let transactionCount { killAfter(transactionCount) }
    try logIn()
  }

  /// Whether the server has not been killed.
  var isAlive: Bool { machine.alive.contains("p\(number)") }

  /// Kills the server between the `count`th transaction from now and the next one.
  func killAfter(_ count: Int) {
    let (machine, name) = (machine, "p\(number)")
    isLimited = true
    try? store.value?.database.stopChanging(afterTransactions: count) {
      machine.alive.remove(name)
    }
  }

  /// Returns the todos of any list, as they are stored.
  func storedTodos(in list: TodoListKey) throws(TodoError) -> [Todo] {
    try store.value?.todos(TodoQuery(limit: .max), in: list).elements ?? []
  }

  // MARK: Requests

  /// Sends a request and returns its result. Throws the error of the response, or `busy` if the
  /// server has not responded yet.
  func call(_ method: String, _ params: JSONObject = [:]) throws(TodoError) -> JSON {
    let (id, message) = request(method, params)
    send([message])
    guard let index = responses.firstIndex(where: { $0.id == id }) else {
      if unanswered.remove(id) != nil { ignored.insert(id) }
      throw TodoError(.busy, "\(method) is not answered yet.")
    }
    return try LoopServer.result(of: responses.remove(at: index).body)
  }

  /// Sends requests without waiting for responses.
  ///
  /// - Parameter cut: The number of bytes in the first of two pieces; `nil` to send all requests in
  ///   one piece.
  func pipeline(_ requests: [PipelinedRequest], cut: Int?) {
    var messages: [JSONObject] = []
    for var pipelined in requests {
      let (id, message) = request(pipelined.method, pipelined.params)
      pipelined.id = id
      pending.append(pipelined)
      messages.append(message)
      list = pipelined.list
    }
    send(messages, cut: cut)
  }

  /// Sends a request whose response will be added to `messages`.
  ///
  /// - Returns: The id of the request.
  func post(_ method: String, _ params: JSONObject) -> Int64 {
    let (id, message) = request(method, params)
    posted.insert(id)
    send([message])
    return id
  }

  /// Removes and returns the responses since the last call, in the order of their arrival.
  func drainResponses() -> [(id: Int64, body: JSONObject)] {
    defer { responses = [] }
    return responses
  }

  static func result(of response: JSONObject) throws(TodoError) -> JSON {
    if let result = response["result"] { return result }
    let kind = response["error"]?["data"]?["kind"]?.stringValue
    throw TodoError(
      kind.flatMap { ErrorKind(rawValue: $0) } ?? .server, JSON.object(response).compactText)
  }

  private func request(
    _ method: String, _ params: JSONObject
  ) -> (id: Int64, message: JSONObject) {
    lastID += 1
    unanswered.insert(lastID)
    var message = notification(method)
    message["id"] = .integer(lastID)
    message["params"] = .object(params)
    return (lastID, message)
  }

  private func notification(_ method: String) -> JSONObject {
    ["jsonrpc": "2.0", "method": .string(method)]
  }

  private func send(_ messages: [JSONObject], cut: Int? = nil) {
    var bytes: [UInt8] = []
    for message in messages {
      FrameWriter(framing: .headers).append(
        Array(JSON.object(message).compactText.utf8), to: &bytes)
    }
    let cut = min(cut ?? bytes.count, bytes.count)
    step(.input(Array(bytes[..<cut])))
    if cut < bytes.count { step(.input(Array(bytes[cut...]))) }
    runUntilIdle()
  }

  // MARK: Lists

  func show(_ list: TodoListKey) throws(TodoError) {
    guard list != self.list else { return }
    let isOtherUser = list.profile != self.list.profile
    self.list = list
    if isOtherUser {
      _ = try call("logout")
      try logIn()
    } else {
      _ = try call("openList", ["source": .string(list.wireName)])
    }
  }

  private func logIn() throws(TodoError) {
    _ = try call("login", ["name": .string(list.profile)])
    if hasChoice { _ = try call("openList", ["source": .string(list.wireName)]) }
  }

  // MARK: The I/O loop

  /// Runs the server until each worker has ended or waits for an event.
  func runUntilIdle() {
    while true {
      machine.executor.runAll()
      let outputs = mailbox.drain()
      if outputs.isEmpty {
        guard isRenderTimerRunning else { return }
        isRenderTimerRunning = false
        step(.renderTimerFired)
      }
      for output in outputs { step(.worker(output)) }
    }
  }

  private func step(_ event: Event) {
    for effect in loop.step(event) {
      switch effect {
      // Watching a file depends on the machine, so `storeDidChange` replaces this worker.
      case .start(let worker) where worker.name == "WatchWorker": watchers.append(worker.id)
      case .start(let worker):
        tasks[worker.id] = Task.detached(executorPreference: machine.executor) { [mailbox] in
          await worker.run { mailbox.post($0) }
        }
      case .stop(let id):
        tasks.removeValue(forKey: id)?.cancel()
        watchers.removeAll { $0 == id }
      case .startRenderTimer: isRenderTimerRunning = true
      case .startAdapterTimer: break
      case .watch, .startGracePeriod, .startFlushTimeout, .watchReader, .log, .exit: break
      case .recordDraft: break
      }
    }
    guard !loop.adapter.isWritten else { return }
    let bytes = loop.adapter.withPendingBytes { Array($0) }
    loop.adapter.didWrite(bytes.count)
    parser.append(bytes)
    while case .frame(let body)? = parser.next() { read(Array(body)) }
    step(.outputWritten)
  }

  private func read(_ body: [UInt8]) {
    guard isAlive, messages != nil || body.starts(with: Self.answer),
      let object = (try? JSON(parsing: body))?.objectValue
    else { return }
    guard let id = object["id"]?.integerValue else {
      messages?.append(object)
      return
    }
    guard ignored.remove(id) == nil else { return }
    if unanswered.remove(id) == nil { problem = problem ?? "Request \(id) has two responses." }
    if posted.remove(id) != nil {
      messages?.append(object)
    } else {
      responses.append((id, object))
    }
  }

  private static let answer = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

  /// Reports a change of the file by another process.
  func storeDidChange() {
    for id in watchers {
      step(.worker(WorkerOutput(workerID: id, value: WatchWorker.Changed(), isLast: false)))
    }
    runUntilIdle()
  }

  func kill() {
    machine.alive.remove("p\(number)")
    store.value?.database.stopChanging()
    for id in tasks.keys.sorted(by: { "\($0)" < "\($1)" }) { tasks[id]?.cancel() }
    machine.waits.endAll(of: number)
    machine.executor.runAll()
  }
}

extension SyncServices {
  /// The same services, as if the lock file could not be created.
  fileprivate var withoutLocks: SyncServices {
    var services = SyncServices(kind: kind, owner: owner, isAlive: isAlive, now: now, sleep: sleep)
    services.jitter = jitter
    return services
  }
}

/// The queue of the workers' outputs.
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

/// The store that a server has opened.
private final class StoreBox {
  var value: SQLiteStore?
}
