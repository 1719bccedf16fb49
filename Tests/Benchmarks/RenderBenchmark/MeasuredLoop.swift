import JSONRPC
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores
import WorkflowRuntime

/// A loop with a store in memory, which gets its requests without pipes.
final class MeasuredLoop {
  static let windowLimit = 100

  struct Failure: Error { var message: String }

  private var loop: Loop<ProtocolAdapter>
  private let requests = FrameWriter(framing: .headers)
  private var parser = FrameParser()
  private var idCount: Int64 = 0
  /// The workers that were started and have not been run yet.
  private var waiting: [WorkerTask] = []
  /// The number of bytes in the notifications that the loop sent during the last request.
  private(set) var renderedByteCount = 0
  let todoCount: Int

  /// - Parameters:
  ///   - todoCount: The number of todos in each list.
  ///   - sources: The repositories whose lists exist beside the local list. No request is sent to
  ///     them.
  ///   - isDated: Whether each todo has a date.
  init(todoCount: Int, sources: [String] = [], isDated: Bool = false) async throws {
    self.todoCount = todoCount
    let opened = OpenedServices()
    loop = Loop(
      LoopSetup(options: ServerOptions(), logLevel: .off) {
        (options) throws(TodoError) in
        var options = options
        options.store = .memory
        options.sync = .manual
        for name in sources {
          if let source = try? SourceKind(name) { try? options.sources.add(source) }
        }
        let services = try TodoServices.open(
          options, dataFolder: nil, token: nil, transport: NoTransport(), environment: .live)
        opened.services = services
        return services
      }, adapter: ProtocolAdapter(version: "0"))
    let render: JSON = ["patch": true, "window": .integer(Int64(Self.windowLimit))]
    _ = try await ask("initialize", ["processId": nil, "capabilities": ["render": render]])
    send(["jsonrpc": "2.0", "method": "initialized"])
    for name in [""] + sources { try await opened.fill(todoCount, source: name, isDated: isDated) }
    _ = try await ask("login", ["name": "ann"])
    if !sources.isEmpty { _ = try await ask("openList", ["source": "local"]) }
    _ = try await ask("loadTodos")
  }

  /// Sends a request, runs the work that it needs, and returns the result.
  func ask(_ method: String, _ params: JSON = [:]) async throws -> JSON {
    idCount += 1
    waiting += send([
      "jsonrpc": "2.0", "id": .integer(idCount), "method": .string(method), "params": params,
    ])
    renderedByteCount = 0
    while true {
      if let response = read() {
        guard let result = response["result"] else { throw Failure(message: "\(response)") }
        return result
      }
      guard !waiting.isEmpty else { throw Failure(message: "\(method) is not answered") }
      var outputs: [WorkerOutput] = []
      for worker in waiting where !["WatchWorker", "DayWorker"].contains(worker.name) {
        outputs += await Self.run(worker)
      }
      waiting = outputs.flatMap { step(.worker($0)) }
    }
  }

  private static func run(_ worker: WorkerTask) async -> [WorkerOutput] {
    let (stream, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
    await worker.run { continuation.yield($0) }
    continuation.finish()
    var outputs: [WorkerOutput] = []
    for await output in stream { outputs.append(output) }
    return outputs
  }

  @discardableResult private func send(_ message: JSON) -> [WorkerTask] {
    var bytes: [UInt8] = []
    requests.append(to: &bytes) { $0.value(message) }
    return step(.input(bytes))
  }

  private func step(_ event: Event) -> [WorkerTask] {
    loop.step(event).compactMap { if case .start(let worker) = $0 { worker } else { nil } }
  }

  /// Drains the pending output, and returns the response, if there is one.
  private func read() -> JSON? {
    var response: JSON?
    while !loop.adapter.isWritten {
      let bytes = loop.adapter.withPendingBytes { Array($0) }
      loop.adapter.didWrite(bytes.count)
      parser.append(bytes)
      _ = step(.outputWritten)
      while case .frame(let body)? = parser.next() {
        // A rendering of many rows is not parsed: that would be the front-end's cost.
        if body.starts(with: Array(#"{"jsonrpc":"2.0","method""#.utf8)) {
          renderedByteCount += body.count
        } else {
          response = try? JSON(parsing: body)
        }
      }
    }
    return response
  }
}

private final class OpenedServices {
  var services: TodoServices?

  func fill(_ todoCount: Int, source: String, isDated: Bool) async throws {
    let list = TodoListKey(profile: "ann", source: source)
    let today = DayClock.live.today
    for number in 0..<todoCount {
      let word = ["milk", "bread", "rent", "paint", "plants"][number % 5]
      var content = TodoContent(title: "Buy \(word) number \(number)", note: "At the corner.")
      // Half a year before and after today.
      if isDated { content.due = today.adding(days: number % 365 - 182).map { DueDate($0) } }
      _ = try await services?.store.add(try NewTodo(content), to: list)
    }
  }
}

private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    throw TodoError(.offline, "A benchmark sends no requests.")
  }
}
