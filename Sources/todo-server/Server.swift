import System
import TodoModel
import TodoServer
import WorkflowRuntime

/// The I/O loop: one thread that polls descriptors, passes events to a `ServerLoop`, and writes the
/// output of the `ServerLoop`. In a server, only this type starts tasks.
struct Server<LoopType: ServerLoop & ~Copyable>: ~Copyable {
  private var loop: LoopType
  private let mailbox: Mailbox
  private let output: NonblockingOutput
  private var log: Log
  private var polls: PollSet
  private var deadlines = Deadlines()
  private let threads = WorkerThreads()
  private var tasks: [WorkerID: Task<Void, Never>] = [:]
  /// A process to poll, because the system does not report its end.
  private var polledProcess: WatchedProcess?
  private var exitCode: Int32?
  private let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  /// Opens the log, and installs the signal handlers. Redirects stdout to stderr, except for the
  /// output of the `ServerLoop`.
  ///
  /// - Parameter mailbox: The queue of events from other threads.
  ///
  /// - Throws: `StartError` if the log cannot be opened, or if stdout cannot be duplicated.
  init(
    _ settings: ServeSettings, _ mailbox: Mailbox, loop: consuming LoopType
  ) throws(StartError) {
    let log = try Log(level: settings.logLevel, file: settings.logFile)
    FreedMemory.keep()
    SignalHandlers.install(wakeDescriptor: mailbox.wakeDescriptor)
    guard let output = NonblockingOutput(sharing: STDOUT_FILENO) else {
      throw StartError(message: "the system gives no descriptor")
    }
    // Output printed by accident goes to stderr, not between frames.
    dup2(STDERR_FILENO, STDOUT_FILENO)
    (self.mailbox, self.log, self.output) = (mailbox, log, output)
    polls = PollSet(mailbox: mailbox.readDescriptor, output: output.descriptor)
    self.loop = loop
  }

  deinit { readBuffer.deallocate() }

  /// Serves until the front-end, a signal or the end of the input stops the server.
  ///
  /// - Returns: The exit code.
  mutating func run() -> Int32 {
    while exitCode == nil {
      wait()
      write()
    }
    loop.close()
    output.restore()
    return exitCode ?? 1
  }

  // MARK: Events

  /// Waits for events, and passes them to the loop.
  private mutating func wait() {
    let ready = polls.wait(
      wantsInput: loop.wantsInput, hasPendingBytes: !loop.isWritten,
      timeoutMilliseconds: deadlines.timeoutMilliseconds)
    if ready.contains(.mailbox) { for event in mailbox.drain() { step(event) } }
    if ready.contains(.readerIsGone) { readerIsGone() }
    if ready.contains(.input) { readInput() }
    if Signals.nextSignal() != nil { step(.endRequested(.terminated)) }
    if ready.contains(.processHasEnded) { parentIsGone() }
    handleDeadline()
  }

  /// Passes input to the loop, and overwrites it afterwards: it may contain a password.
  private mutating func readInput() {
    var count: Int
    repeat {
      count = systemRead(STDIN_FILENO, readBuffer.baseAddress, readBuffer.count)
    } while count < 0 && errno == EINTR
    guard count > 0 else {
      // Another process that shares stdin may have read the input first.
      if count < 0, errno == EAGAIN { return }
      return step(.inputEnded)
    }
    let bytes = UnsafeMutableRawBufferPointer(rebasing: readBuffer[..<count])
    perform(loop.receive(UnsafeRawBufferPointer(bytes)))
    wipe(bytes)
  }

  private mutating func handleDeadline() {
    switch deadlines.popExpired() {
    case .renderTimer: step(.renderTimerFired)
    case .adapterTimer: step(.adapterTimerFired)
    case .gracePeriod: step(.gracePeriodEnded)
    case .flushTimeout: step(.flushTimeoutEnded)
    case .writeTimeout: step(.readerStalled)
    case .poll: if polledProcess?.hasEnded == true { parentIsGone() }
    case nil: break
    }
  }

  /// Exits, because no output can be delivered any more.
  private mutating func readerIsGone() { exitCode = exitCode ?? 1 }

  private mutating func parentIsGone() {
    polls.watch(nil)
    deadlines.stopPolling()
    step(.endRequested(.parentGone))
  }

  // MARK: Effects

  private mutating func step(_ event: Event) {
    if case .worker(let output) = event, output.isLast { tasks[output.workerID] = nil }
    perform(loop.step(event))
  }

  private mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .start(let task): start(task)
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      case .watch(let processID): watch(processID)
      case .startRenderTimer: deadlines.startRenderTimer()
      case .startAdapterTimer: deadlines.startAdapterTimer()
      case .startGracePeriod: deadlines.startGracePeriod()
      case .startFlushTimeout: deadlines.startFlushTimeout()
      case .watchReader: deadlines.startWriteTimeout()
      case .recordDraft(let change, let log): record(change, in: log)
      case .log(let level, let text): log.write(level, text)
      case .exit(let code): exitCode = code
      }
    }
  }

  private mutating func record(_ change: DraftChange, in drafts: any DraftLog) {
    if let warning = change.perform(in: drafts, at: .now) { step(.notice(warning)) }
  }

  private mutating func start(_ worker: WorkerTask) {
    let mailbox = mailbox
    tasks[worker.id] = Task.detached(name: worker.name, executorPreference: threads) {
      await worker.run { mailbox.post(.worker($0)) }
    }
  }

  /// Watches a process, so that the server exits when the process ends. A process that is not
  /// visible, such as one in another container, is not watched, because it would seem to have
  /// ended.
  private mutating func watch(_ processID: Int) {
    guard let id = pid_t(exactly: processID), let process = WatchedProcess(id) else { return }
    polls.watch(process.descriptor)
    guard process.descriptor == nil else { return }
    polledProcess = process
    deadlines.startPolling()
  }

  // MARK: Writing

  /// Writes until everything is written or the descriptor would block.
  private mutating func write() {
    while !loop.isWritten {
      switch loop.withPendingBytes(output.write) {
      case .written(let count):
        loop.didWrite(count)
        deadlines.recordWrite(didWrite: count > 0, hasPendingBytes: !loop.isWritten)
        if loop.isWritten { step(.outputWritten) }
      case .full: return deadlines.recordWrite(didWrite: false, hasPendingBytes: true)
      case .readerIsGone: return readerIsGone()
      }
    }
  }
}

/// The reason why the server cannot start.
struct StartError: Error {
  var message: String
}

// `Server.read` would hide the system's `read`.
private let systemRead = read
