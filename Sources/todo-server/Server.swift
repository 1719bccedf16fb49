import System
import TodoModel
import TodoProtocol
import TodoServer
import TodoStores
import WorkflowRuntime

/// The edge: one thread that polls stdin, stdout and the mailbox, steps the loop, and writes in
/// place. The only place that starts a task.
final class Server {
  private let settings: ServeSettings
  private var loop: Loop<ProtocolFace>
  private var tasks: [WorkerID: Task<Void, Never>] = [:]
  private var watchedProcess: (id: pid_t, nextLook: ContinuousClock.Instant)?
  private var graceEnd: ContinuousClock.Instant?
  private var farewellEnd: ContinuousClock.Instant?
  private var isReaderWatched = false
  /// When the reader counts as gone, while something is to be written.
  private var stallEnd: ContinuousClock.Instant?
  private var renderTimerEnd: ContinuousClock.Instant?
  private var exitCode: Int32?

  private static let renderInterval = Duration.milliseconds(50)
  /// How long what is in flight may take when the input has ended.
  private static let grace = Duration.milliseconds(1_500)
  /// How long the front-end has after that to read what is left.
  private static let farewell = Duration.milliseconds(300)
  /// How long a reader may take no byte once the input has ended.
  private static let stall = Duration.seconds(60)
  /// How often the process that we belong to is looked for.
  private static let watchInterval = Duration.seconds(1)
  private var polls = [pollfd](repeating: pollfd(), count: 3)
  private var readBuffer = [UInt8](repeating: 0, count: 1 << 16)

  init(_ settings: ServeSettings) {
    self.settings = settings
    let folder = settings.dataFolder
    let environment = settings.environment
    let token = GitHubToken { environment["GITHUB_TOKEN"] ?? environment["GH_TOKEN"] }
    loop = Loop(
      LoopSetup(
        options: settings.options, logLevel: settings.logLevel,
        openServices: { (options) throws(TodoError) in
          try TodoServices.open(
            options, dataFolder: folder, token: token,
            transport: CurlTransport(), environment: .live)
        }),
      face: ProtocolFace(
        version: Product.version, limits: settings.limits, isBenchmark: settings.isBenchmark))
  }

  /// Serves until the front-end, a signal or the input's end says otherwise; the exit code.
  func run() -> Int32 {
    guard let mailbox = Mailbox() else {
      writeLine("todo-server: the system gives no pipe", to: STDERR_FILENO)
      return 1
    }
    guard var log = Log(level: settings.logLevel, file: settings.logFile) else {
      writeLine("todo-server: --log-file cannot be opened for writing", to: STDERR_FILENO)
      return 1
    }
    FreedMemory.keep()
    Signals.install(wakeDescriptor: mailbox.signalDescriptor)
    guard let output = Output() else {
      writeLine("todo-server: stdout is closed", to: STDERR_FILENO)
      return 1
    }
    while exitCode == nil {
      for event in wait(mailbox, output) { step(event, mailbox, &log) }
      write(to: output, mailbox, &log)
    }
    loop.tidyUp()
    return exitCode ?? 1
  }

  /// Waits until something can be done, and says what has happened.
  private func wait(_ mailbox: Mailbox, _ output: Output) -> [Event] {
    polls[0] = pollfd(fd: mailbox.readDescriptor, events: Int16(POLLIN), revents: 0)
    polls[1] = pollfd(
      fd: loop.wantsInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
    // Nothing to write: only the reader's end is noticed.
    polls[2] = pollfd(
      fd: output.descriptor, events: loop.face.isWritten ? 0 : Int16(POLLOUT), revents: 0)
    let count = poll(&polls, nfds_t(polls.count), timeoutMilliseconds())
    var events: [Event] = []
    if count > 0 {
      if polls[0].revents != 0 { events += mailbox.takeAll() }
      if polls[2].revents & Int16(POLLERR | POLLNVAL) != 0 { readerIsGone() }
      if polls[1].revents != 0 { events.append(read()) }
    }
    if Signals.takeEndRequest() { events.append(.endRequested(.terminated)) }
    return events + timeEvents()
  }

  private func read() -> Event {
    var count: Int
    repeat {
      count = systemRead(STDIN_FILENO, &readBuffer, readBuffer.count)
    } while count < 0 && errno == EINTR
    // Most messages are short: what is handed on is as long as what has come.
    return count > 0 ? .input(Array(readBuffer[..<count])) : .inputEnded
  }

  // MARK: Effects

  private func step(_ event: Event, _ mailbox: Mailbox, _ log: inout Log) {
    for effect in loop.step(event) {
      switch effect {
      case .start(let task): start(task, mailbox)
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      case .watch(let processID): watch(processID)
      case .startRenderTimer: renderTimerEnd = .now + Self.renderInterval
      case .startGrace: if graceEnd == nil { graceEnd = .now + Self.grace }
      case .startFarewell: farewellEnd = .now + Self.farewell
      case .watchReader: isReaderWatched = true
      case .log(let level, let text): log.write(level, text)
      case .exit(let code): exitCode = code
      }
    }
    if case .worker(let output) = event, output.isLast { tasks[output.workerID] = nil }
  }

  private func start(_ worker: WorkerTask, _ mailbox: Mailbox) {
    tasks[worker.id] = Task.detached(name: worker.name) {
      await worker.run { mailbox.post(.worker($0)) }
    }
  }

  // MARK: Writing

  /// Writes what can be written now.
  private func write(to output: Output, _ mailbox: Mailbox, _ log: inout Log) {
    while !loop.face.isWritten {
      switch loop.face.withUnwritten(output.write) {
      case .wrote(let count):
        loop.face.wrote(count)
        stallEnd = nil
        if loop.face.isWritten { step(.outputWritten, mailbox, &log) }
      case .full:
        if isReaderWatched, stallEnd == nil { stallEnd = .now + Self.stall }
        return
      case .readerIsGone: return readerIsGone()
      }
    }
  }

  /// Nobody can be told anything any more.
  private func readerIsGone() { exitCode = exitCode ?? 1 }

  // MARK: Time

  private func timeoutMilliseconds() -> Int32 {
    var end = renderTimerEnd
    func consider(_ other: ContinuousClock.Instant) { end = end.map { min($0, other) } ?? other }
    for time in [graceEnd, farewellEnd, stallEnd] { if let time { consider(time) } }
    if let watchedProcess { consider(watchedProcess.nextLook) }
    guard let end else { return -1 }
    let left = ContinuousClock.Instant.now.duration(to: end)
    let milliseconds =
      left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
    return Int32(clamping: max(0, milliseconds + 1))
  }

  private func timeEvents() -> [Event] {
    var events: [Event] = []
    if Self.takeIfOver(&renderTimerEnd) { events.append(.renderTimerFired) }
    if Self.takeIfOver(&graceEnd) { events.append(.graceEnded) }
    if Self.takeIfOver(&farewellEnd) { events.append(.farewellEnded) }
    if Self.takeIfOver(&stallEnd) { events.append(.readerStalled) }
    if let process = watchedProcess, .now >= process.nextLook {
      let isAlive = isAlive(process.id)
      watchedProcess = isAlive ? (process.id, .now + Self.watchInterval) : nil
      if !isAlive { events.append(.endRequested(.parentGone)) }
    }
    return events
  }

  /// Whether a time has come; then it is forgotten.
  private static func takeIfOver(_ time: inout ContinuousClock.Instant?) -> Bool {
    guard let end = time, .now >= end else { return false }
    time = nil
    return true
  }

  /// A process that is not visible now (another container's) would look dead for ever, so it is
  /// not watched.
  private func watch(_ processID: Int) {
    guard let process = pid_t(exactly: processID), process > 0, isAlive(process) else { return }
    watchedProcess = (process, .now + Self.watchInterval)
  }

  private func isAlive(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}

// Inside a type with a `read` of its own, the system's needs another name.
private let systemRead = read
