import JSONRPC
import Synchronization
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores
import WorkflowRuntime

/// The I/O loop around the server's `Loop` in a replay or a recording. It runs workers in order,
/// and collects the messages and requests of the server as lines.
final class ReplayIOLoop {
  /// The callbacks of a recording. A replay sets only `now`.
  struct Outside {
    /// A closure that returns the current time, for the drafts that this loop records in the draft
    /// log. `nil` if the receiver of `didPerform` records the drafts instead.
    var now: (() -> Timestamp)?
    var didPerform: (Effect) -> Void = { _ in }
    var didWrite: ([UInt8]) -> Void = { _ in }
    var didSendRequest: (_ number: Int, HTTPRequest) -> Void = { _, _ in }
    /// A closure that removes the secrets from a message of the server.
    var message: (JSON) -> JSON = { $0 }
    var text: (String) -> String = { $0 }
  }

  private var loop: Loop<ProtocolAdapter>
  private let transport: ScriptedTransport
  private let executor: ReplayExecutor
  private let outside: Outside
  private let mailbox = ReplayMailbox()
  private let showsPictures: Bool
  private var tasks: [WorkerID: Task<Void, Never>] = [:]
  private var parser = FrameParser()
  private var outputs: [String] = []
  private var isRenderTimerRunning = false

  init(
    _ loop: consuming Loop<ProtocolAdapter>, transport: ScriptedTransport, showsPictures: Bool,
    executor: ReplayExecutor = ReplayExecutor(), outside: Outside = Outside()
  ) {
    self.loop = loop
    self.transport = transport
    self.showsPictures = showsPictures
    self.executor = executor
    self.outside = outside
  }

  /// Whether the loop accepts more input now.
  var wantsInput: Bool { loop.wantsInput }

  /// Closes the store cleanly.
  func close() { loop.close() }

  /// Processes an event and everything that it causes.
  func handle(_ event: Event) {
    step(event)
    runWorkers()
  }

  /// Answers the oldest waiting HTTP request.
  ///
  /// - Returns: `false` if no request is waiting.
  func answer(_ result: Result<HTTPResponse, TodoError>) -> Bool {
    guard transport.answer(result) else { return false }
    runWorkers()
    return true
  }

  /// Continues the workers whose sleep ended when the clock was advanced.
  func resume() { runWorkers() }

  func drainOutputs() -> [String] {
    defer { outputs = [] }
    return outputs
  }

  /// Cancels all pending work.
  func end() {
    for task in tasks.values { task.cancel() }
    executor.runAll()
  }

  /// Runs the workers until each of them has ended or waits for an external event.
  private func runWorkers() {
    while true {
      executor.runAll()
      for (number, request) in transport.drainRequests() {
        outside.didSendRequest(number, request)
        outputs += lines(of: request)
      }
      let events = mailbox.drain()
      if events.isEmpty {
        guard isRenderTimerRunning else { return }
        // The render timer fires when there is nothing else to process.
        isRenderTimerRunning = false
        step(.renderTimerFired)
      }
      for event in events { step(.worker(event)) }
    }
  }

  private func step(_ event: Event) {
    for effect in loop.step(event) {
      outside.didPerform(effect)
      switch effect {
      case .start(let worker):
        tasks[worker.id] = Task.detached(executorPreference: executor) { [mailbox] in
          await worker.run { mailbox.post($0) }
        }
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      case .watch(let processID): outputs.append("<~~ watch \(processID)")
      case .startRenderTimer: isRenderTimerRunning = true
      case .startGracePeriod: outputs.append("<~~ grace")
      // In a replay, all output is read immediately.
      case .startFlushTimeout, .watchReader, .startAdapterTimer: break
      case .recordDraft(let change, let log):
        if let now = outside.now { _ = change.perform(in: log, at: now()) }
      case .log(let level, let text):
        if level >= .warning { outputs.append("<~~ log \(level.rawValue): \(outside.text(text))") }
      case .exit(let code): outputs.append("<~~ exit \(code)")
      }
    }
    guard !loop.adapter.isWritten else { return }
    let bytes = loop.adapter.withPendingBytes { Array($0) }
    loop.adapter.didWrite(bytes.count)
    outside.didWrite(bytes)
    read(bytes)
    step(.outputWritten)
  }

  private func read(_ bytes: [UInt8]) {
    parser.append(bytes)
    while let event = parser.next() {
      switch event {
      case .frame(let body):
        guard let json = try? JSON(parsing: body) else {
          outputs.append("<-- no JSON")
          continue
        }
        outputs += ServerMessage.lines(of: outside.message(json), withPictures: showsPictures)
      case .problem(let error), .fatal(let error): outputs.append("<-- no frame: \(error.message)")
      }
    }
  }

  private func lines(of request: HTTPRequest) -> [String] {
    let arrow = "<~~ \(request.method) \(outside.text(request.url.target))"
    guard let body = request.body else { return [arrow] }
    guard var object = (try? JSON(parsing: body))?.objectValue else { return ["\(arrow) …"] }
    for secret in ["password", "token"] where object[secret] != nil { object[secret] = "<secret>" }
    return TranscriptJSON.lines(outside.message(.object(object)), after: arrow)
  }
}

/// The output of workers that has not been processed yet.
private final class ReplayMailbox: Sendable {
  private let outputs = Mutex<[WorkerOutput]>([])

  func post(_ output: WorkerOutput) { outputs.withLock { $0.append(output) } }

  func drain() -> [WorkerOutput] {
    outputs.withLock { outputs in
      defer { outputs = [] }
      return outputs
    }
  }
}
