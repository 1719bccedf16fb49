import JSONRPC
import Synchronization
import TodoDatabase
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores
import WorkflowRuntime

/// One server on the file, from its start to its end: as it is but for its edge, which is the
/// simulation.
final class LoopServer {
  let number: Int
  private let machine: SimulatedMachine
  private var loop: Loop<ProtocolFace>
  private let store: StoreBox
  private let mailbox = Mailbox()
  private var tasks: [WorkerID: Task<Void, Never>] = [:]
  private var parser = FrameParser()
  private var answers: [Int64: JSONObject] = [:]
  private var lastID: Int64 = 0
  private var isRenderTimerRunning = false

  init(_ number: Int, on machine: SimulatedMachine) throws(TodoError) {
    self.number = number
    self.machine = machine
    let name = "p\(number)"
    let store = StoreBox()
    self.store = store
    var options = ServerOptions()
    options.store = .sqlite(path: machine.path)
    options.sources = [.github(repository: "octo/tasks")]
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
        return services.with(sync: sync)
      }, face: ProtocolFace(version: "0"))
    machine.alive.insert(name)
    _ = try call(
      "initialize", ["processId": .null, "capabilities": ["render": ["frontOnly": true]]])
    say(["jsonrpc": "2.0", "method": "initialized"])
    _ = try call("login", ["name": "ann"])
  }

  // MARK: What a front-end asks

  /// Throws the error of the answer, or `busy` where there is none yet.
  private func call(_ method: String, _ params: JSONObject = [:]) throws(TodoError) -> JSON {
    lastID += 1
    let id = lastID
    say([
      "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": .object(params),
    ])
    guard let answer = answers.removeValue(forKey: id) else {
      throw TodoError(.busy, "\(method) is not answered yet.")
    }
    if let result = answer["result"] { return result }
    let kind = answer["error"]?["data"]?["kind"]?.stringValue
    throw TodoError(
      kind.flatMap { ErrorKind(rawValue: $0) } ?? .server,
      "\(method): \(JSON.object(answer).compactText)")
  }

  private func say(_ message: JSONObject) {
    var bytes: [UInt8] = []
    FrameWriter(framing: .headers).append(
      Array(JSON.object(message).compactText.utf8), to: &bytes)
    step(.input(bytes))
    goOn()
  }

  func todos() throws(TodoError) -> [Todo] {
    let answer = try call("listTodos", ["limit": 10_000])
    return (answer["todos"]?.arrayValue ?? []).map { Todo($0) }
  }

  func add(_ draft: TodoDraft) throws(TodoError) -> Todo {
    Todo(
      try call(
        "addTodo", ["title": .string(draft.content.title), "note": .string(draft.content.note)])[
          "todo"]
        ?? .null)
  }

  func edit(_ id: TodoID, _ edit: TodoEdit) throws(TodoError) -> Todo {
    var params: JSONObject = ["id": .string(id.text)]
    params.add(edit)
    if let version = edit.expectedVersion { params["version"] = .integer(version) }
    return Todo(try call("editTodo", params)["todo"] ?? .null)
  }

  func remove(_ id: TodoID, expectedVersion: Int64?) throws(TodoError) {
    var params: JSONObject = ["id": .string(id.text)]
    if let expectedVersion { params["version"] = .integer(expectedVersion) }
    _ = try call("removeTodo", params)
  }

  func undo() throws(TodoError) { _ = try call("undo") }
  func redo() throws(TodoError) { _ = try call("redo") }

  func conflicts() throws(TodoError) -> [SeenConflict] {
    let answer = try call("listConflicts", ["limit": 100])
    return (answer["conflicts"]?.arrayValue ?? []).map { conflict in
      SeenConflict(
        id: TodoID(conflict["id"]?.stringValue ?? ""),
        version: conflict["version"]?.integerValue ?? 0,
        mine: TodoContent(conflict["mine"] ?? .null),
        theirs: TodoContent(conflict["theirs"] ?? .null))
    }
  }

  func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution
  ) throws(TodoError) -> Todo {
    var params: JSONObject = ["id": .string(id.text), "version": .integer(version)]
    switch resolution {
    case .keep(let side): params["keep"] = .string(side.rawValue)
    case .merged(let edit):
      params["keep"] = "merged"
      params.add(edit)
    }
    return Todo(try call("resolveConflict", params)["todo"] ?? .null)
  }

  // Errors of the network are ignored.

  func sync() { _ = try? call("syncTodos") }
  func load() { _ = try? call("loadTodos", ["refresh": true]) }

  // MARK: The I/O loop

  /// Until each worker has ended or waits for the world.
  func goOn() {
    while true {
      machine.executor.runAll()
      let outputs = mailbox.takeAll()
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
      // The watch of a file goes by the time of the machine: each operation sees the file anyway.
      case .start(let worker) where worker.name == "WatchWorker": break
      case .start(let worker):
        tasks[worker.id] = Task.detached(executorPreference: machine.executor) { [mailbox] in
          await worker.run { mailbox.post($0) }
        }
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      case .startRenderTimer: isRenderTimerRunning = true
      case .startFaceTimer: break
      case .watch, .startGrace, .startFarewell, .watchReader, .log, .exit: break
      }
    }
    guard !loop.face.isWritten else { return }
    let bytes = loop.face.withUnwritten { Array($0) }
    loop.face.wrote(bytes.count)
    parser.append(bytes)
    while case .frame(let body)? = parser.next() { read(Array(body)) }
    step(.outputWritten)
  }

  private func read(_ body: [UInt8]) {
    guard body.starts(with: Self.answer), let object = (try? JSON(parsing: body))?.objectValue,
      let id = object["id"]?.integerValue
    else { return }
    // Only what is asked for right now is waited for.
    if id == lastID { answers[id] = object }
  }

  private static let answer = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

  func kill() {
    machine.alive.remove("p\(number)")
    store.value?.database.stopChanging()
    for id in tasks.keys.sorted(by: { "\($0)" < "\($1)" }) { tasks[id]?.cancel() }
    machine.waits.endAll(of: number)
    machine.executor.runAll()
  }
}

/// Where workers leave what they have to say.
private final class Mailbox: Sendable {
  private let outputs = Mutex<[WorkerOutput]>([])

  func post(_ output: WorkerOutput) { outputs.withLock { $0.append(output) } }

  func takeAll() -> [WorkerOutput] {
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

extension JSONObject {
  fileprivate mutating func add(_ edit: TodoEdit) {
    for field in ContentField.allCases where edit.changes.fields.contains(field) {
      self[field.rawValue] =
        switch edit.changes.values[field] {
        case .text(let text): .string(text)
        case .flag(let flag): .bool(flag)
        case nil: .null
        }
    }
  }
}

extension TodoContent {
  fileprivate init(_ json: JSON) {
    self.init(
      title: json["title"]?.stringValue ?? "", note: json["note"]?.stringValue ?? "",
      isDone: json["done"]?.boolValue ?? false)
  }
}

extension Todo {
  fileprivate init(_ json: JSON) {
    let source = json["source"]
    let failure = json["failure"]
    self.init(
      id: TodoID(json["id"]?.stringValue ?? ""), content: TodoContent(json),
      version: json["version"]?.integerValue ?? 0, createdAt: Timestamp(milliseconds: 0),
      updatedAt: Timestamp(milliseconds: 0),
      origin: source.flatMap { source in
        source["number"]?.integerValue.map {
          TodoOrigin(url: source["url"]?.stringValue ?? "", number: $0)
        }
      },
      sync: json["sync"]?.stringValue.flatMap { SyncState(rawValue: $0) } ?? .pending,
      failure: failure.flatMap { failure in
        failure["message"]?.stringValue.map { SyncFailure(kind: .server, message: $0) }
      })
  }
}
