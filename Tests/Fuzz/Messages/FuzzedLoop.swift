import FuzzDriver
import JSONRPC
import Synchronization
import TodoAccounts
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import WorkflowRuntime

/// A loop with a store in memory, and a record of the expected and the actual responses.
final class FuzzedLoop {
  private var loop: Loop<ProtocolAdapter>
  private let readsRenderings: Bool
  private var waiting: [WorkerTask] = []
  private var reference = FrameParser()
  private var outputParser = FrameParser()

  /// The responses required for the input so far.
  private(set) var expected = Answers()
  private(set) var given = Answers()
  private(set) var exitCount = 0

  /// - Parameter readsRenderings: whether notifications are parsed too, not only responses.
  init(readsRenderings: Bool) {
    self.readsRenderings = readsRenderings
    loop = Loop(
      LoopSetup(options: ServerOptions(), logLevel: .debug) { (options) throws(TodoError) in
        try Self.open(options)
      }, adapter: ProtocolAdapter(version: "0"))
  }

  private static func open(_ options: ServerOptions) throws(TodoError) -> TodoServices {
    var sources: [TodoSource] = []
    for kind in options.sources {
      guard let address = address(of: kind, options) else {
        sources.append(.local)
        continue
      }
      let remote = try GitHubRemote.checked(
        address, token: { nil }, transport: NoNetwork(), now: { Timestamp(milliseconds: 0) })
      sources.append(TodoSource(name: kind.listName, remote: remote))
    }
    return TodoServices(
      store: try FreshLists(), sources: sources, register: OpenDoor(), accounts: OpenDoor(),
      credentials: MemoryCredentials())
  }

  private static func address(of kind: SourceKind, _ options: ServerOptions) -> GitHubAddress? {
    switch kind {
    case .local, .caldav: nil
    case .remote(let address): address
    case .github(let issues):
      GitHubAddress(baseURL: options.githubURL ?? GitHubAddress.defaultURL, issues: issues)
    }
  }

  /// Whether the loop still accepts input. Its queue is never full, because inputs have only a few
  /// kilobytes.
  var isListening: Bool { loop.wantsInput }

  var framing: Framing? { reference.framing }

  /// Passes bytes to the loop in one read, if it accepts input.
  func handle(_ bytes: some Collection<UInt8>) {
    guard isListening else { return }
    reference.append(Array(bytes))
    while let event = reference.next() { expected.expect(event) }
    step(.input(Array(bytes)))
  }

  /// Runs one worker to its end and delivers its outputs; returns `false` if there is none.
  func runWorker() -> Bool {
    guard !waiting.isEmpty else { return false }
    for output in Self.outputs(of: waiting.removeFirst()) { step(.worker(output)) }
    return true
  }

  /// Ends the input, if the loop still accepts it, and runs the remaining workers.
  func end() {
    if isListening {
      while let event = reference.finish() { expected.expect(event) }
      step(.inputEnded)
    }
    while runWorker() {}
    step(.gracePeriodEnded)
    while runWorker() {}
  }

  private func step(_ event: Event) {
    perform(loop.step(event))
    while !loop.adapter.isWritten {
      let bytes = loop.adapter.withPendingBytes { Array($0) }
      loop.adapter.didWrite(bytes.count)
      hear(bytes)
      perform(loop.step(.outputWritten))
    }
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      // This worker waits until midnight.
      case .start(let worker) where worker.name == "DayWorker": break
      case .start(let worker): waiting.append(worker)
      case .stop(let id): waiting.removeAll { $0.id == id }
      case .exit: exitCount += 1
      case .watch, .startGracePeriod, .startFlushTimeout, .watchReader, .startRenderTimer,
        .startAdapterTimer,
        .recordDraft, .log:
        break
      }
    }
  }

  private func hear(_ bytes: [UInt8]) {
    check(!bytes.contains(0), "a NUL is written")
    outputParser.append(bytes)
    while let event = outputParser.next() {
      guard case .frame(let body) = event else {
        check(false, "no frame is written: \(event)")
        continue
      }
      if readsRenderings || !body.starts(with: Self.notification) { given.give(body) }
    }
  }

  private static func outputs(of worker: WorkerTask) -> [WorkerOutput] {
    let said = Said()
    Task.detached(executorPreference: executor) {
      await worker.run { output in said.outputs.withLock { $0.append(output) } }
      said.isDone.withLock { $0 = true }
    }
    executor.runAll()
    check(said.isDone.withLock { $0 }, "\(worker.name) waits for another thread")
    return said.outputs.withLock { $0 }
  }

  private static let executor = OwnThread()
  private static let notification = Array(#"{"jsonrpc":"2.0","method":"#.utf8)

  private final class Said: Sendable {
    let outputs = Mutex<[WorkerOutput]>([])
    let isDone = Mutex(false)
  }
}

/// A transport without a network.
private struct NoNetwork: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    throw TodoError(.offline, "There is no network here.")
  }
}

/// Accounts without password hashes. Computing a hash would take longer than the checks of a
/// thousand inputs.
private struct OpenDoor: AccountService, RegisterService {
  func authenticate(name: String, password: Secret?) async throws(TodoError) {}

  func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    Secret("token")
  }
}
