import JSONRPC
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores
import WorkflowRuntime

/// A driver of a `Loop` for tests. In place of the I/O loop, the test sends input, decides when
/// output is read, and runs workers explicitly.
final class LoopDriver {
  var loop: Loop<ProtocolAdapter>
  private(set) var effects: [Effect] = []
  private var parser = FrameParser()
  private var framing: Framing

  /// - Parameter prepare: Called with the services before the loop uses them.
  init(
    framing: Framing = .headers, notice: String? = nil,
    store: StoreKind = .memory, observers: [any WorkflowObserver] = [],
    limits: ConnectionLimits = .standard,
    prepare: @escaping (TodoServices) throws(TodoError) -> Void = { _ in }
  ) {
    self.framing = framing
    loop = Loop(
      LoopSetup(options: ServerOptions(), observers: observers) { (options) throws(TodoError) in
        var options = options
        options.store = store
        let services = try TodoServices.open(
          options, dataFolder: nil, token: nil, transport: NoTransport(), environment: .live
        ).with(notice: notice)
        try prepare(services)
        return services
      }, adapter: ProtocolAdapter(version: "0", limits: limits))
  }

  /// Sends messages, which the loop receives in one read.
  func send(_ texts: String...) { send(texts) }

  func send(_ texts: [String]) {
    var bytes: [UInt8] = []
    for text in texts { FrameWriter(framing: framing).append(Array(text.utf8), to: &bytes) }
    handle(.input(bytes))
  }

  func handle(_ event: Event) { effects += loop.step(event) }

  /// Returns all messages that can be read now.
  func read() -> [JSON] {
    while !loop.adapter.isWritten {
      let bytes = loop.adapter.withPendingBytes { Array($0) }
      parser.append(bytes)
      loop.adapter.didWrite(bytes.count)
      handle(.outputWritten)
    }
    var messages: [JSON] = []
    while case .frame(let body)? = parser.next() {
      if let json = try? JSON(parsing: body) { messages.append(json) }
    }
    return messages
  }

  /// The workers that were started and not stopped.
  var workers: [WorkerTask] {
    effects.reduce(into: []) { workers, effect in
      switch effect {
      case .start(let worker): workers.append(worker)
      case .stop(let id): workers.removeAll { $0.id == id }
      default: break
      }
    }
  }

  /// Runs a worker to its end, and delivers its outputs.
  func run(_ worker: WorkerTask) async {
    for output in await Self.outputs(of: worker) { handle(.worker(output)) }
  }

  /// Returns the outputs of a worker without delivering them.
  static func outputs(of worker: WorkerTask) async -> [WorkerOutput] {
    let (stream, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
    await worker.run { continuation.yield($0) }
    continuation.finish()
    var outputs: [WorkerOutput] = []
    for await output in stream { outputs.append(output) }
    return outputs
  }

  /// Runs all workers, and those that they start, except those that watch a file or wait for the
  /// next day.
  func runWorkers() async {
    var doneCount = 0
    while true {
      let started = effects.compactMap { effect in
        if case .start(let worker) = effect, !["WatchWorker", "DayWorker"].contains(worker.name) {
          worker
        } else {
          nil
        }
      }
      guard doneCount < started.count else { return }
      for worker in started[doneCount...] { await run(worker) }
      doneCount = started.count
    }
  }

  /// The number of operations in flight.
  var inFlightCount: Int { loop.adapter.inFlight.count }  // words: ok

  var exitCode: Int32? {
    effects.lazy.compactMap { if case .exit(let code) = $0 { code } else { nil } }.first
  }

  /// Returns a driver after `initialize` and `initialized`.
  static func ready(
    framing: Framing = .headers, notice: String? = nil, observers: [any WorkflowObserver] = [],
    limits: ConnectionLimits = .standard
  ) -> LoopDriver {
    let driver = LoopDriver(
      framing: framing, notice: notice, observers: observers, limits: limits)
    driver.send(
      #"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"processId":null}}"#,
      #"{"jsonrpc":"2.0","method":"initialized"}"#)
    _ = driver.read()
    return driver
  }

  /// Returns a driver with a user logged in and the list loaded.
  static func loggedIn(
    observers: [any WorkflowObserver] = [], limits: ConnectionLimits = .standard
  ) async -> LoopDriver {
    let driver = ready(observers: observers, limits: limits)
    driver.send(#"{"jsonrpc":"2.0","id":"l","method":"login","params":{"name":"ann"}}"#)
    await driver.runWorkers()
    _ = driver.read()
    return driver
  }
}

/// A transport that fails the test: loop tests must not use the network.
struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    throw TodoError(.offline, "There is no network in this test.")
  }
}

/// Returns a request as text.
func request(_ id: Int, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}
