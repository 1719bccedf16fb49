import System
import TodoMirrorFile
import TodoModel
import TodoServer
import TodoWorkflows
import WorkflowRuntime

/// `mirror`: keeps a list and a file equal until a signal arrives.
struct MirrorCommand {
  private let settings: ServeSettings
  private let path: String
  private let runsOnce: Bool

  init(_ settings: ServeSettings, path: String, runsOnce: Bool) {
    (self.settings, self.path, self.runsOnce) = (settings, path, runsOnce)
  }

  /// Runs the mirror.
  ///
  /// - Returns: The exit code: 0 if the mirror has ended cleanly and, with `--once`, the file is
  ///   identical to the list; otherwise 1.
  func run() -> Int32 {
    guard let mailbox = Mailbox() else { return fail(SystemLimit.noPipe) }
    FreedMemory.keep()
    signal(SIGPIPE, SIG_IGN)
    // The system sends SIGIO when another process opens a file on which the mirror holds a lease.
    signal(SIGIO, SIG_IGN)
    _ = Signals.catch([SIGTERM, SIGHUP, SIGINT], waking: mailbox.wakeDescriptor)
    do throws(TodoError) {
      let isUpToDate = try run(MirrorSession(settings, mailbox: mailbox))
      guard runsOnce else {
        report("\(path) is not kept any more")
        return 0
      }
      return isUpToDate ? 0 : fail("\(path) differs from the list; see above")
    } catch {
      return fail(error.message)
    }
  }

  /// Runs the mirror in a session.
  ///
  /// - Returns: Whether the file is identical to the list at the end.
  private func run(_ session: MirrorSession) throws(TodoError) -> Bool {
    defer { session.close() }
    let list = try session.logIn()
    let mirror = try Mirror(path: path, list: list, ask: session.ask, report: report) {
      session.today
    }
    if runsOnce { try session.loadOnce() } else { runUntilSignal(mirror, session) }
    try mirror.end { session.wait(for: $0, also: nil) }
    return mirror.isUpToDate
  }

  /// Runs until a signal arrives. After an error of the store, the mirror retries: the user's edits
  /// stay in the file until they are applied.
  private func runUntilSignal(_ mirror: Mirror, _ session: MirrorSession) {
    var lastProblem: String?
    while !Signals.isAnyCaught {
      var pause = Self.retryInterval
      do throws(TodoError) {
        let now = ContinuousClock.now
        try mirror.tick(at: now)
        if lastProblem != nil { report("\(path) is kept again") }
        lastProblem = nil
        pause = now.duration(to: mirror.nextPoll(after: now))
      } catch {
        if lastProblem != error.message, error != MirrorSession.interrupted {
          report(error.message)
        }
        lastProblem = error.message
      }
      session.wait(for: pause, also: lastProblem == nil ? mirror.watch.descriptor : nil)
      if session.didListChange() { mirror.isListChanged = true }
    }
  }

  private static let retryInterval = Duration.seconds(1)
}

/// The session of a mirror, which runs the workflows. Each request blocks until it has ended.
final class MirrorSession {
  private let settings: ServeSettings
  private let mailbox: Mailbox
  private let threads = WorkerThreads()
  private var loop: HeadlessLoop
  private var tasks: [WorkerID: Task<Void, Never>] = [:]
  /// The time at which requests time out after a signal; `nil` until a signal has arrived.
  private var timeoutEnd: ContinuousClock.Instant?
  /// Whether the list may have changed since the last call of `didListChange`.
  private var isChanged = true

  /// Opens the store.
  ///
  /// - Throws: `TodoError` if it cannot be opened.
  init(_ settings: ServeSettings, mailbox: Mailbox) throws(TodoError) {
    (self.settings, self.mailbox) = (settings, mailbox)
    loop = try HeadlessLoop(ServeCommand.setup(settings))
    if let notice = loop.notice { report(notice) }
  }

  func logIn() throws(TodoError) -> TodoListKey {
    let name = settings.profileName
    let password = try settings.password()
    do throws(TodoError) {
      _ = try perform(.logIn(name: name, password: password))
    } catch {
      guard error.kind == .invalidCredentials else { throw error }
      let how = password == nil ? "Give its password with --password-command." : error.message
      throw TodoError(.invalidCredentials, "The name \(name) has an account. \(how)")
    }
    let source = settings.options.sources.first ?? .local
    return TodoListKey(profile: name, source: source.listName)
  }

  var today: CivilDay { loop.today }

  /// Loads the list from its source. Does nothing for the local list.
  func loadOnce() throws(TodoError) {
    guard settings.options.sources != [.local] else { return }
    _ = try perform(.load(refresh: false))
  }

  func ask(_ request: DocumentRequest) throws(TodoError) -> DocumentAnswer {
    guard case .document(let answer) = try perform(.list(.document(request))) else {
      throw .storage("The list does not answer.")
    }
    return answer
  }

  /// Returns whether the list may have changed since the last call.
  func didListChange() -> Bool {
    defer { isChanged = false }
    return isChanged
  }

  func close() {
    for task in tasks.values { task.cancel() }
    loop.close()
  }

  /// Waits for a time, or until an event arrives or another descriptor is readable.
  func wait(for time: Duration, also descriptor: Int32?) {
    var polls = [
      pollfd(fd: mailbox.readDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    poll(&polls, nfds_t(polls.count), Int32(clamping: Int64(max(0, time / .milliseconds(1))) + 1))
    handleEvents()
  }

  private func perform(_ operation: TodoOperation) throws(TodoError) -> TodoOutcome {
    let token = loop.begin(operation)
    settle()
    while true {
      if let outcome = loop.removeOutcome(of: token) {
        if case .failed(let error) = outcome { throw error }
        return outcome
      }
      guard let time = timeout() else { throw Self.interrupted }
      var waiting = pollfd(fd: mailbox.readDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, time)
      handleEvents()
    }
  }

  /// Returns the time until a request times out, in milliseconds: negative if there is no timeout,
  /// `nil` if the timeout has expired.
  ///
  /// Without a signal, there is no timeout, because saving a million lines takes minutes. After a
  /// signal, requests have only a few seconds left, so that a locked store does not delay the end.
  private func timeout() -> Int32? {
    guard Signals.isAnyCaught else { return -1 }
    let now = ContinuousClock.now
    let end = timeoutEnd ?? now + Self.endTime
    timeoutEnd = end
    return end > now ? Int32(clamping: Int64(now.duration(to: end) / .milliseconds(1)) + 1) : nil
  }

  private static let endTime = Duration.seconds(5)

  static let interrupted = TodoError.storage(
    "Shutdown timed out. Edits not stored yet are still in the file, and will be imported at the "
      + "next start.")

  private func handleEvents() {
    for case .worker(let output) in mailbox.drain() {  // words: ok
      isChanged = true
      loop.deliver(output)
      settle()
      if output.isLast { tasks[output.workerID] = nil }
    }
  }

  private func settle() {
    for effect in loop.settle() {
      switch effect {
      case .start(let task): start(task)
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      }
    }
  }

  private func start(_ worker: WorkerTask) {
    let mailbox = mailbox
    tasks[worker.id] = Task.detached(name: worker.name, executorPreference: threads) {
      await worker.run { mailbox.post(.worker($0)) }
    }
  }
}
