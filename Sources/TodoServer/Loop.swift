import ScreenModel
import TodoModel
import TodoWorkflows
import WorkflowRuntime

/// The one thread that decides: events in, effects out.
///
/// It hosts the workflows and shows what they render, in the words of one face. An event is taken
/// whole, then the screens are drawn once, then what was asked is answered; so everything that a
/// request changed is rendered before its answer is written.
package struct Loop<AdapterType: Adapter & ~Copyable>: ~Copyable {
  let setup: LoopSetup
  var effects: [Effect] = []

  // What the user sees.
  var root: RootWorkflow?
  var host: WorkflowHost<RootWorkflow>?
  var display = Display()
  /// The last rendering of the workflows that the face has heard of.
  private var notedRenderCount = 0
  private var dayRenderCount = 0
  /// The day that was reported to the adapter last.
  private var reportedDay: CivilDay?
  /// What was in front when each action that is still under way was begun.
  private var placesOfActions: [OperationToken: ScreenPlace] = [:]

  var draftRecording = DraftRecording()
  var watchedLog = WatchedLog()

  // How it ends.
  var ending = Ending()

  package var adapter: AdapterType

  package init(_ setup: LoopSetup, adapter: consuming AdapterType) {
    self.setup = setup
    self.adapter = adapter
  }

  /// Whether more input can be taken at this moment.
  package var wantsInput: Bool { !ending.hasStarted && adapter.wantsInput }

  /// Takes bytes where they lie, as `step` does with any other event. Every request comes this way.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Effect] {
    if !ending.hasStarted { adapter.receive(bytes) }
    return carryOn()
  }

  /// Takes one event, and says what is to be done. What is to be written is in the face.
  package mutating func step(_ event: consuming Event) -> [Effect] {
    switch consume event {
    case .input(let bytes): return bytes.withUnsafeBytes { receive($0) }
    case .inputEnded: if !ending.hasStarted { adapter.endInput() }
    case .worker(let output): host?.deliver(output)
    case .outputWritten: if !isWaitingForReader { return [] }
    case .renderTimerFired: display.throttle.refill()
    case .adapterTimerFired: adapter.timerFired()
    case .gracePeriodEnded: ending.isGracePeriodOver = true
    case .flushTimeoutEnded, .readerStalled: exit(code: 1)
    case .endRequested(let reason):
      log(.info, "Ending: \(reason.rawValue).")
      endNow()
    }
    return carryOn()
  }

  private mutating func carryOn() -> [Effect] {
    settle()
    storeDidChange()
    repeat {
      handleRequests()
      if ending.isGracePeriodOver { cancelAll() }
      if adapter.isInputEnded { beginEnding() }
      flush()
    } while beginWatching()
    endIfDone()
    defer { effects.removeAll() }
    return effects
  }

  /// Whether there is something to do once everything has been written.
  private var isWaitingForReader: Bool {
    adapter.hasPendingOutput || adapter.hasWaiting || display.isDue || watchedLog.hasMore
      || ending.hasStarted
  }

  /// Leaves the store in good order, when no more events will come.
  package func close() {
    root?.services.drafts?.log.close()
    root?.services.store.sharedFile?.close()
  }

  mutating func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
    if level >= setup.logLevel { effects.append(.log(level, text())) }
  }

  // MARK: What the face asks for

  mutating func handleRequests() {
    // What comes after a request to watch is carried out when that is answered.
    while !watchedLog.isBehind(host?.rendering.watched), let request = adapter.next() {
      switch consume request {
      case .perform(let operation, let token):
        if let outcome = host?.rendering.operations.begin(operation, token) {
          answer(token, outcome)
        }
      case .screen(let operation, let token): perform(operation, token)
      case .open(let options, let token): open(options, token)
      case .cancel(let token): cancel(token)
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
      placesOfActions[token] = ScreenPlace(display.screens)
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
      if let notice = services.notice {
        display.notice = notice
        log(.warning, notice)
        adapter.report(.warning, notice)
      }
      if let processID = options.processID { effects.append(.watch(processID: processID)) }
      adapter.opened(token, .success(()))
    } catch {
      adapter.opened(token, .failure(error))
    }
  }

  /// Reports how an operation ended. The failure of one without a response is logged.
  private mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) {
    var outcome = outcome
    if !placesOfActions.isEmpty, let place = placesOfActions.removeValue(forKey: token),
      outcome == .shown
    {
      outcome = .acted(from: place)
    }
    guard !adapter.answer(token, outcome) else { return }
    if case .failed(let error) = outcome {
      log(.warning, "A notification failed: \(error.message)")
    }
    if case .refused(let refusal) = outcome {
      log(.warning, "A notification failed: \(refusal.message)")
    }
  }

  /// Answers at once; the work stops, and what it still says is dropped.
  mutating func cancel(_ token: OperationToken) {
    placesOfActions[token] = nil
    _ = adapter.answer(token, .cancelled)
    host?.rendering.operations.cancel(token)
  }

  // MARK: Running the workflows

  /// Carries out what the workflows want until they want nothing more.
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
    recordDrafts()
    reportDay()
  }

  private mutating func handle(_ output: RootWorkflow.Output) {
    switch output {
    case .ended(let ends): for end in ends { answer(end.token, end.outcome) }
    case .progressed(let tokens, let progress):
      for token in tokens { adapter.report(progress, to: token) }
    }
  }

  private mutating func storeDidChange() {
    guard let count = host?.renderCount, count != notedRenderCount else { return }
    notedRenderCount = count
    adapter.storeDidChange()
  }

  private mutating func reportDay() {
    guard let host, host.renderCount != dayRenderCount else { return }
    dayRenderCount = host.renderCount
    guard let today = host.rendering.today, today != reportedDay else { return }
    reportedDay = today
    adapter.dayBegan(today)
  }

  // MARK: Drawing

  mutating func describe() {
    guard let host, display.isBehind(host.renderCount) else { return }
    display.describe(host.rendering.backStack, renderCount: host.renderCount)
  }

  /// From now on the front-end sees what happens.
  private mutating func show() {
    // The answer to what began the session comes before the first rendering, also when both were
    // asked for in one read.
    adapter.encode(answersOver: display.screens, revision: display.revision)
    display.isOn = true
    display.isDue = true
  }

  /// Encodes what waits, once everything before it has been written.
  private mutating func flush() {
    describe()
    if display.throttle.needsTimer() { effects.append(.startRenderTimer) }
    guard adapter.isWritten else { return }
    display.dropOldNotices()
    // What a request changed is drawn before its answer, however fast the answers come.
    let isAsked = adapter.hasPendingAnswer
    if display.isDue, isAsked || display.throttle.mayRender {
      adapter.encode(rendering: display.screens, revision: display.revision)
      display.didSend()
      if !isAsked, display.throttle.consumeRendering() { effects.append(.startRenderTimer) }
    }
    // The changes that a request made come before its answer.
    guard encodeChanges() else { return }
    adapter.encode(answersOver: display.screens, revision: display.revision)
  }

  // MARK: Changes that the client watches

  /// Encodes some of the changes that were not reported yet.
  ///
  /// - Returns: False if there are more, for which the answers wait.
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

  /// From now on reports what the workflows render as watched, once the client has its response.
  ///
  /// - Returns: Whether requests may have waited for that.
  private mutating func beginWatching() -> Bool {
    guard let host, watchedLog.isBehind(host.rendering.watched), !adapter.hasPendingOutput else {
      return false
    }
    watchedLog.follow(host.rendering.watched)
    return true
  }
}

/// What a loop is made with.
package struct LoopSetup {
  package var options: ServerOptions
  /// What is less is not even put into words.
  package var logLevel: LogLevel
  /// Are told of what the workflows do.
  package var observers: [any WorkflowObserver]
  /// Opens what the options name. Throws what the user is to be told.
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
