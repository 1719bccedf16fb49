import JSONRPC
import ScreenModel
import TodoModel
import TodoProtocol
import TodoWorkflows
import WorkflowRuntime

/// The one thread that decides: events in, effects out.
///
/// All state of the server is in here, as ordinary values. An event is taken whole, then the
/// screens are drawn once, then what was asked is answered; so everything that a request changed
/// is rendered before its answer is written.
package final class Loop {
  package struct Setup {
    package var version: String
    package var options: ServerOptions
    package var limits: ServerLimits
    /// What is less is not even put into words.
    package var logLevel: LogLevel
    /// Opens what the options name. Throws what the user is to be told.
    package var openServices: (ServerOptions) throws(TodoError) -> TodoServices

    package init(
      version: String, options: ServerOptions, limits: ServerLimits = ServerLimits(),
      logLevel: LogLevel = .info,
      openServices: @escaping (ServerOptions) throws(TodoError) -> TodoServices
    ) {
      self.version = version
      self.options = options
      self.limits = limits
      self.logLevel = logLevel
      self.openServices = openServices
    }
  }

  enum Phase {
    case waitingForInitialize
    case serving
    /// After `shutdown`: only `exit` is taken.
    case shutDown
  }

  let setup: Setup
  package var outbox = Outbox()
  var effects: [Effect] = []

  // What has come in.
  private(set) var parser: FrameParser
  var inbox = Inbox()
  private var isInputEnded = false
  private var isGraceStarted = false
  private var isGraceOver = false

  // Where the conversation stands.
  var phase = Phase.waitingForInitialize
  var trace = TraceValue.off
  var inFlight = InFlightTable()
  var batches: [Int: Batch] = [:]
  private var tokenCount: UInt64 = 0
  /// A change of session that what comes after it has to wait for.
  var barrier: SessionBarrier?
  /// `shutdown` is answered when everything before it has been.
  var shutdownReply: ReplyAddress?
  private var exitCode: Int32?
  private var isEnded = false

  /// Whether `bench/flood` is answered.
  package var isBenchmark = false
  var flood: Flood?

  // What the user sees.
  var root: RootWorkflow?
  var host: WorkflowHost<RootWorkflow>?
  var drawing = Drawing()
  var screens: [Screen] { drawing.screens }

  package init(_ setup: Setup) {
    self.setup = setup
    parser = FrameParser(limits: setup.limits.frame)
  }

  /// Whether more input can be taken at this moment.
  package var wantsInput: Bool { !isInputEnded && !isFull }

  /// Takes one event, and says what is to be done. What is to be written is in the outbox.
  package func step(_ event: Event) -> [Effect] {
    switch event {
    case .input(let bytes):
      parser.append(bytes)
      readFrames { $0.next() }
    case .inputEnded:
      readFrames { $0.finish() }
      endInput()
    case .worker(let output): host?.deliver(output)
    case .outputWritten: if !waitsForWriting { return [] }
    case .renderTimerFired: drawing.pace.refill()
    case .graceEnded: isGraceOver = true
    case .endRequested(let reason):
      log(.info, "Ending: \(reason.rawValue).")
      cancelInbox()
      endInput()
      cancelWaiting()
    }
    settle()
    handleInbox()
    if isGraceOver { cancelAll() }
    answerShutdown()
    flush()
    endIfDone()
    defer { effects.removeAll() }
    return effects
  }

  /// Leaves the store in good order, when no more events will come.
  package func tidyUp() { root?.services.store.tidyUp() }

  func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
    if level >= setup.logLevel { effects.append(.log(level, text())) }
  }

  /// Logs what the user should know, and tells the front-end.
  func tell(_ level: LogLevel, _ text: String) {
    log(level, text)
    notify(.logMessage, LogMessageWire.params(level: level.rawValue, text: text))
  }

  func makeToken() -> OperationToken {
    tokenCount += 1
    return OperationToken(number: tokenCount)
  }

  // MARK: Reading

  private func readFrames(_ next: (inout FrameParser) -> FrameEvent?) {
    while !isInputEnded, let event = next(&parser) {
      switch event {
      case .frame(let body): receive(decode(body, limits: setup.limits.message))
      case .problem(let error): receive(.single(.invalid(id: nil, error)))
      case .fatal(let error):
        receive(.single(.invalid(id: nil, error)))
        log(.error, error.message)
        exitCode = 1
        endInput()
      }
    }
  }

  private var isFull: Bool {
    inFlight.count + inbox.count + outbox.waitingCount >= setup.limits.requestsInFlightMax
  }

  /// Whether there is something to do once everything has been written.
  private var waitsForWriting: Bool {
    outbox.hasWaiting || drawing.isDue || flood != nil || isInputEnded
  }

  /// Takes messages in the order in which they came, but for those that wait for the barrier.
  func handleInbox() {
    while let message = inbox.next(behind: barrier) {
      handle(message)
      settle()
    }
  }

  // MARK: Running the workflows

  /// Carries out what the workflows want until they want nothing more.
  func settle() {
    guard let host else { return }
    while true {
      let outputs = host.takeOutputs()
      let workers = host.takeWorkerEffects()
      if outputs.isEmpty, workers.isEmpty { return }
      for output in outputs { take(output) }
      for worker in workers {
        switch worker {
        case .stop(let id): effects.append(.stop(id))
        case .start(let task):
          // What can be had without waiting needs no other thread.
          if let output = task.immediate() {
            host.deliver(output)
          } else {
            effects.append(.start(task))
          }
        }
      }
    }
  }

  // MARK: Ending

  /// Takes no more input. What is in flight has a while to end.
  func endInput() {
    guard !isInputEnded else { return }
    isInputEnded = true
    startGrace()
  }

  /// From now on what is in flight has only a while left.
  func startGrace() {
    guard !isGraceStarted else { return }
    isGraceStarted = true
    effects.append(.startGrace)
  }

  /// `exit`: ends as soon as what is in flight has ended.
  func exit() {
    if exitCode == nil { exitCode = phase == .shutDown ? 0 : 1 }
    cancelInbox()
    endInput()
  }

  /// Answers `shutdown` once everything before it has been.
  func answerShutdown() {
    guard inFlight.isEmpty, let reply = shutdownReply else { return }
    shutdownReply = nil
    answer(reply, .json(.null))
  }

  private func endIfDone() {
    guard isInputEnded, inFlight.isEmpty, inbox.isEmpty, outbox.isEmpty, !outbox.hasWaiting else {
      return
    }
    guard !isEnded else { return }
    isEnded = true
    let isOrderly = phase == .shutDown || parser.framing == .lines
    effects.append(.exit(code: exitCode ?? (isOrderly ? 0 : 1)))
  }
}
