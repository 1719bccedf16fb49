import ScreenModel
import TodoModel
import TodoWorkflows
import WorkflowRuntime

/// The event loop of a server, which runs on one thread: it receives events, and returns effects.
///
/// It runs the workflows, and sends their renderings to the client through an adapter. It handles
/// each event completely, renders once, and then responds. Therefore, the client receives the
/// rendering with the effect of a request before the response.
package struct Loop<AdapterType: Adapter & ~Copyable>: ~Copyable {
  let setup: LoopSetup
  var effects: [Effect] = []

  // The workflows, and the screens that they render:
  var root: RootWorkflow?
  var host: WorkflowHost<RootWorkflow>?
  var display = Display()
  /// The number of the last render pass that was reported to the adapter.
  private var reportedRenderCount = 0
  /// The number of the last render pass after which `settle()` has recorded the unsaved texts, and
  /// has reported the day if it was new.
  private var settledRenderCount = 0
  /// The day that was last reported to the adapter.
  private var reportedDay: CivilDay?
  /// The screens before each action in flight, by the token of the action.
  private var screensBeforeActions: [OperationToken: ScreenStackState] = [:]

  var draftRecording = DraftRecording()
  var watchedLog = WatchedLog()

  // The state of the shutdown:
  var shutdown = ShutdownState()

  package var adapter: AdapterType

  package init(_ setup: LoopSetup, adapter: consuming AdapterType) {
    self.setup = setup
    self.adapter = adapter
  }

  /// Whether the loop accepts more input now.
  package var wantsInput: Bool { !shutdown.hasStarted && adapter.wantsInput }

  /// Handles received bytes, and returns the effects. Equivalent to `step(.input)`, but without
  /// copying the bytes into an event, which would cost time for each request.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Effect] {
    if !shutdown.hasStarted { adapter.receive(bytes) }
    return process()
  }

  /// Handles an event, and returns the effects. The output is not among the effects; it is in the
  /// adapter.
  package mutating func step(_ event: consuming Event) -> [Effect] {
    switch consume event {
    case .input(let bytes): return bytes.withUnsafeBytes { receive($0) }
    case .inputEnded: if !shutdown.hasStarted { adapter.endInput() }
    case .worker(let output): host?.deliver(output)
    case .outputWritten: if !isWaitingForReader { return [] }
    case .renderTimerFired: display.throttle.refill()
    case .adapterTimerFired: adapter.timerFired()
    case .gracePeriodEnded: shutdown.hasGracePeriodEnded = true
    case .flushTimeoutEnded, .readerStalled: exit(code: 1)
    case .endRequested(let reason):
      log(.info, "Shutting down: \(reason.rawValue).")
      endNow()
    case .notice(let text): report(text)
    }
    return process()
  }

  private mutating func process() -> [Effect] {
    settle()
    storeDidChange()
    repeat {
      handleRequests()
      if shutdown.hasGracePeriodEnded { cancelAll() }
      if adapter.isInputEnded { beginEnding() }
      flush()
    } while beginWatching()
    endIfDone()
    defer { effects.removeAll() }
    return effects
  }

  /// Whether the loop has work to do as soon as all encoded output has been written.
  private var isWaitingForReader: Bool {
    adapter.hasPendingOutput || adapter.hasQueuedRequests || display.isDue || watchedLog.hasMore
      || shutdown.hasStarted
  }

  /// Closes the store. No event may follow.
  package func close() {
    root?.services.drafts?.log.close()
    root?.services.store.sharedFile?.close()
  }

  mutating func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
    if level >= setup.logLevel { effects.append(.log(level, text())) }
  }

  // MARK: Requests of the adapter

  mutating func handleRequests() {
    // After a request to watch changes, further requests wait until its response is encoded.
    while !watchedLog.isBehind(host?.rendering.watched), let request = adapter.next() {
      switch consume request {
      case .perform(let operation, let token):
        if let outcome = host?.rendering.operations.begin(operation, token) {
          answer(token, outcome)
        }
      case .screen(let operation, let token): perform(operation, token)
      case .open(let options, let token): open(options, token)
      case .cancel(let token): cancel([token])
      case .show: show()
      case .beginShutdown: startGracePeriod()
      case .startAdapterTimer: effects.append(.startAdapterTimer)
      case .exit(let code): exit(asked: code)
      case .log(let level, let text): log(level, text)
      }
      settle()
    }
  }

  private mutating func perform(_ operation: ScreenOperation, _ token: OperationToken) {
    switch operation {
    case .change(let change):
      if let outcome = self.change(change, token) { answer(token, outcome) }
    case .act(let act):
      describe()
      screensBeforeActions[token] = ScreenStackState(display.screens)
      if let outcome = self.act(act, token) { answer(token, outcome) }
    case .window(let window):
      if let outcome = show(window, token) { answer(token, outcome) }
    case .rendering: answer(token, .rendering)
    }
  }

  private mutating func open(_ options: AdapterOptions, _ token: OperationToken) {
    do throws(AdapterError) {
      let chosen = try options.override(setup.options)
      let services: TodoServices
      do throws(TodoError) {
        services = try setup.openServices(chosen)
      } catch {
        throw .todo(error)
      }
      let window = ListWindow(limit: options.windowLimit, hasPreviews: options.hasPreviews)
      let workflow = RootWorkflow(services: services, window: window)
      (root, host) = (workflow, WorkflowHost(workflow: workflow, observers: setup.observers))
      display.isFrontOnly = options.isFrontOnly
      if let notice = services.notice { report(notice) }
      if let processID = options.processID { effects.append(.watch(processID: processID)) }
      adapter.opened(token, .success(()))
    } catch {
      adapter.opened(token, .failure(error))
    }
  }

  private mutating func report(_ notice: String) {
    display.show(notice: notice)
    log(.warning, notice)
    adapter.report(.warning, notice)
  }

  /// Passes the outcome of an operation to the adapter. A failure is logged if the client expects
  /// no response.
  private mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) {
    var outcome = outcome
    if !screensBeforeActions.isEmpty, let place = screensBeforeActions.removeValue(forKey: token) {
      switch outcome {
      case .shown: outcome = .acted(from: place, saved: nil)
      case .saved(let base): outcome = .acted(from: place, saved: base)
      default: break
      }
    }
    if outcome == .needsDecision { draftRecording.isNeeded = true }
    guard !adapter.answer(token, outcome) else { return }
    if case .failed(let error) = outcome {
      log(.warning, "A notification failed: \(error.message)")
    }
    if case .refused(let refusal) = outcome {
      log(.warning, "A notification failed: \(refusal.message)")
    }
  }

  /// Cancels operations: responds immediately, stops their work, and ignores their later outputs.
  /// The workflows render once for all of them.
  mutating func cancel(_ tokens: [OperationToken]) {
    for token in tokens {
      screensBeforeActions[token] = nil
      _ = adapter.answer(token, .cancelled)
    }
    guard let host else { return }
    let operations = host.rendering.operations
    host.batch {
      for token in tokens { operations.cancel(token) }
    }
  }

  // MARK: Running the workflows

  /// Runs the workflows until they have nothing more to do.
  mutating func settle() {
    while let (outputs, workers) = host?.advance() {
      for output in outputs { handle(output) }
      for worker in workers {
        switch worker {
        case .stop(let id): effects.append(.stop(id))
        case .start(let task): effects.append(.start(task))
        }
      }
    }
    if let host, host.renderCount != settledRenderCount {
      settledRenderCount = host.renderCount
      recordDrafts(of: host.rendering)
      reportDay(host.rendering.today)
    }
    if draftRecording.isNeeded { requireDrafts() }
  }

  private mutating func handle(_ output: RootWorkflow.Output) {
    switch output {
    case .ended(let ends): for end in ends { answer(end.token, end.outcome) }
    case .progressed(let tokens, let progress):
      for token in tokens { adapter.report(progress, to: token) }
    }
  }

  private mutating func storeDidChange() {
    guard let count = host?.renderCount, count != reportedRenderCount else { return }
    reportedRenderCount = count
    adapter.storeDidChange()
  }

  private mutating func reportDay(_ today: CivilDay?) {
    guard let today, today != reportedDay else { return }
    reportedDay = today
    adapter.dayBegan(today)
  }

  // MARK: Rendering

  mutating func describe() {
    guard let host, display.isBehind(host.renderCount) else { return }
    display.describe(host.rendering.backStack, renderCount: host.renderCount)
  }

  /// Starts to send renderings.
  private mutating func show() {
    // The response to `initialize` must come before the first rendering, even if the client has
    // sent both requests together.
    adapter.encode(answersOver: display.screens, revision: display.revision)
    display.isOn = true
    display.isDue = true
  }

  /// Encodes the pending output, unless earlier output must still be written.
  private mutating func flush() {
    describe()
    if display.throttle.needsTimer() { effects.append(.startRenderTimer) }
    guard adapter.isWritten else { return }
    display.cancelUnchangedRendering()
    // The rendering with the effect of a request comes before the response, even if the rate of
    // renderings is exceeded.
    let isAsked = adapter.hasPendingAnswer
    if display.isDue, isAsked || display.throttle.mayRender {
      adapter.encode(rendering: display.screens, revision: display.revision)
      display.didSend()
      if !isAsked, display.throttle.consumeRendering() { effects.append(.startRenderTimer) }
    }
    // The changes that a request has made come before its response.
    guard encodeChanges() else { return }
    adapter.encode(answersOver: display.screens, revision: display.revision)
  }

  // MARK: Changes that the client watches

  /// Encodes the next changes of the watched lists, up to a limit.
  ///
  /// - Returns: Whether the responses can be encoded now; `false` if the log may contain more
  ///   changes, because these must be encoded first.
  private mutating func encodeChanges() -> Bool {
    guard watchedLog.watched != nil, let feed = root?.services.store.changeFeed else { return true }
    do throws(TodoError) {
      let changes = try watchedLog.next(from: feed)
      if !changes.isEmpty { adapter.encode(changes: changes) }
      return !watchedLog.hasMore
    } catch {
      log(.warning, "Changes cannot be reported: \(error.message)")
      return true
    }
  }

  /// Starts to report changes, after the response to `watchTodos` has been encoded.
  ///
  /// - Returns: Whether reporting has started. Requests that have waited for this can then
  ///   continue.
  private mutating func beginWatching() -> Bool {
    guard let host, watchedLog.isBehind(host.rendering.watched), !adapter.hasPendingOutput else {
      return false
    }
    watchedLog.follow(host.rendering.watched)
    return true
  }
}

/// The settings of a loop, and the function that opens its services.
package struct LoopSetup {
  package var options: ServerOptions
  /// The lowest level of messages that are logged. Messages of lower levels are not formatted at
  /// all.
  package var logLevel: LogLevel
  /// The observers of the workflows.
  package var observers: [any WorkflowObserver]
  /// Opens the store and the sources that the options name.
  ///
  /// - Throws: `TodoError`, with a message for the user.
  package var openServices: (ServerOptions) throws(TodoError) -> TodoServices

  package init(
    options: ServerOptions, logLevel: LogLevel = .info, observers: [any WorkflowObserver] = [],
    openServices: @escaping (ServerOptions) throws(TodoError) -> TodoServices
  ) {
    self.options = options
    self.logLevel = logLevel
    self.observers = observers
    self.openServices = openServices
  }
}
