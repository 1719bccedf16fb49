import JSONRPC
import Synchronization
import System
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores
import TodoWorkflows
import WorkflowRuntime

/// A server loop that records its session as a transcript. The transcript can be replayed as it is.
///
/// It replaces `Loop` in the program, and processes the session in the deterministic order of a
/// replay. It processes one message at a time, runs workers on the program's thread until they wait
/// for an external event, and delivers the responses of services in the order of their requests.
/// The clock does not advance while an event is processed. The elapsed time is recorded if the
/// processing has read the clock. New ids consist of a random prefix, which is in the transcript,
/// and a number.
package final class RecordedLoop {
  /// The options of a recorded session.
  package struct Session {
    package var options: ServerOptions
    package var limits: ConnectionLimits
    package var logLevel: LogLevel
    package var path: String
    /// The network for requests to services.
    package var transport: any HTTPTransport
    package var token: GitHubToken
    package var dataFolder: String
    package var observers: [any WorkflowObserver]
    /// Called on any thread when the loop must process `renderTimerFired`.
    package var wake: @Sendable () -> Void

    package init(
      options: ServerOptions, limits: ConnectionLimits, logLevel: LogLevel, path: String,
      transport: any HTTPTransport, token: GitHubToken, dataFolder: String,
      observers: [any WorkflowObserver] = [],
      wake: @escaping @Sendable () -> Void
    ) {
      self.options = options
      self.limits = limits
      self.logLevel = logLevel
      self.path = path
      self.transport = transport
      self.token = token
      self.dataFolder = dataFolder
      self.observers = observers
      self.wake = wake
    }
  }

  /// The size of unread output, in bytes, at which the loop stops accepting input.
  private static let unwrittenBytesMax = 64 << 20

  private let ioLoop: ReplayIOLoop
  private let outside: RecordedOutput
  private let clock: ReplayClock
  private let transport: ScriptedTransport
  private var input: RecordedInput
  private let wake: @Sendable () -> Void
  /// The task that wakes the loop at the end of the next sleep.
  private var alarm: (end: Timestamp, task: Task<Void, Never>)?

  /// Creates the transcript file and a loop; throws an error with a message if the file cannot be
  /// created.
  package init(_ session: Session) throws(TranscriptError) {
    let start = Timestamp.now
    let prefix = String(Environment.live.newID().text.prefix(12))
    let utcOffset = DayClock.live.utcOffset(start) / 60_000 * 60_000
    let clock = ReplayClock(start, idPrefix: prefix, utcOffset: utcOffset)
    let transport = ScriptedTransport()
    let outside = RecordedOutput(
      try TranscriptWriter(path: session.path),
      network: RecordedNetwork(session.transport, wake: session.wake))
    outside.register(session.options)
    let setup = LoopSetup(
      options: session.options, logLevel: min(session.logLevel, .warning),
      observers: session.observers
    ) { (options) throws(TodoError) in
      let services = try TodoServices.open(
        options, dataFolder: session.dataFolder, token: session.token, transport: transport,
        environment: clock.environment
      ).replayable.withoutStoredDrafts
      outside.begin(
        RecordedHeaders(
          session.options, start: start, utcOffset: utcOffset, idPrefix: prefix,
          framing: outside.framing,
          notice: services.notice, hasToken: session.hasToken(options)),
        initialTodos: try InitialTodos.lines(of: services.store) { outside.redaction.text($0) })
      return services
    }
    ioLoop = ReplayIOLoop(
      Loop(setup, adapter: ProtocolAdapter(version: Product.version, limits: session.limits)),
      transport: transport, showsPictures: false,
      executor: ReplayExecutor(wake: session.wake), outside: outside.outside)
    (self.clock, self.transport, self.outside) = (clock, transport, outside)
    input = RecordedInput(limits: session.limits.frame)
    wake = session.wake
  }

  // MARK: Interface of `Loop`

  package var wantsInput: Bool {
    ioLoop.wantsInput && outside.unwritten.count < Self.unwrittenBytesMax
  }
  package var isWritten: Bool { outside.unwritten.isEmpty }

  package func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    outside.unwritten.withUnsafeBytes(body)
  }

  package func didWrite(_ count: Int) { outside.unwritten.removeFirst(count) }

  package func close() {
    ioLoop.close()
    outside.finish()
  }

  /// Processes an event. This class handles the render timer and the workers internally. Therefore,
  /// the event `renderTimerFired` means only that an external event has occurred.
  package func step(_ event: Event) -> [Effect] {
    switch event {
    case .input(let bytes):
      input.append(bytes)
      while let pieces = input.next(&outside.redaction) { for piece in pieces { handle(piece) } }
    case .inputEnded:
      while let pieces = input.nextAtEnd(&outside.redaction) {
        for piece in pieces { handle(piece) }
      }
      handle(.inputEnded, as: ["~~> end"])
    case .gracePeriodEnded: handle(.gracePeriodEnded, as: ["~~> grace"])
    case .endRequested(.terminated): handle(event, as: ["~~> signal"])
    case .endRequested(.parentGone): handle(event, as: ["~~> parent"])
    case .notice(let text): handle(event, as: ["~~> notice \(outside.redaction.text(text))"])
    case .flushTimeoutEnded, .readerStalled: outside.effects.append(.exit(code: 1))
    case .renderTimerFired: record([]) { ioLoop.resume() }
    case .worker, .outputWritten, .adapterTimerFired: break
    }
    handleAnswers()
    setAlarm()
    return outside.drainEffects()
  }

  // MARK: Processing

  private func handle(_ piece: RecordedInput.Piece) {
    outside.framing = input.framing
    handle(.input(piece.bytes), as: piece.lines)
    handleAnswers()
  }

  private func handle(_ event: Event, as lines: [String]) { record(lines) { ioLoop.handle(event) } }

  /// Delivers responses in the order of their requests. A response waits until the responses to all
  /// earlier requests were delivered.
  private func handleAnswers() {
    while let number = transport.waitingNumbers.first,
      let answer = outside.network.popAnswer(to: number)
    {
      record(AnswerLines.lines(of: answer, &outside.redaction)) { _ = ioLoop.answer(answer) }
    }
    outside.network.cancel(allBut: Set(transport.waitingNumbers))
  }

  /// Runs `body`, which processes an event. Records the lines of the event, and then the output. If
  /// `body` reads the clock, the elapsed time is recorded before the lines.
  private func record(_ lines: [String], _ body: () -> Void) {
    for (secret, replacement) in outside.redaction.drainFound() {
      outside.writer.replace(secret, with: replacement)
    }
    wakeSleepers()
    let passed = Timestamp.now.milliseconds - clock.now.milliseconds
    let before = clock.now
    if passed > 0 { clock.set(.now) }
    _ = clock.popWasRead()
    body()
    let wasRead = clock.popWasRead()
    if !wasRead { clock.set(before) }
    let time = clock.now.milliseconds - before.milliseconds
    outside.writer.write((time > 0 ? ["~~> time \(time)"] : []) + lines + ioLoop.drainOutputs())
  }

  /// Advances the clock to the end of each sleep that has elapsed, and records the output that
  /// follows.
  private func wakeSleepers() {
    while let end = clock.nextEnd, end <= .now {
      let time = max(0, end.milliseconds - clock.now.milliseconds)
      clock.advance(time)
      ioLoop.resume()
      outside.writer.write(["~~> time \(time)"] + ioLoop.drainOutputs())
    }
  }

  private func setAlarm() {
    guard clock.nextEnd != alarm?.end else { return }
    alarm?.task.cancel()
    alarm = clock.nextEnd.map { end in
      let wake = wake
      let task = Task.detached {
        try? await Task.sleep(
          for: .milliseconds(max(0, end.milliseconds - Timestamp.now.milliseconds)))
        if !Task.isCancelled { wake() }
      }
      return (end, task)
    }
  }
}

extension RecordedLoop.Session {
  /// Returns whether the session's requests to a service, such as GitHub, contain an access token.
  /// If so, the requests of a replay contain one, too.
  fileprivate func hasToken(_ options: ServerOptions) -> Bool {
    options.sources.contains { source in
      switch source {
      // A replay has no password, because the password is not in the transcript.
      case .local, .caldav: false
      case .github:
        token.token(
          for: options.githubURL ?? GitHubAddress.defaultURL, replacesGitHubCom: true) != nil
      case .remote(let address): token.token(for: address.baseURL) != nil
      }
    }
  }
}

/// A collector of the output and the external effects of a recording.
private final class RecordedOutput {
  let writer: TranscriptWriter
  let network: RecordedNetwork
  var redaction = Redaction()
  var framing: Framing?
  /// The output that the front-end has not read yet.
  var unwritten: [UInt8] = []
  var effects: [Effect] = []
  private var exit: Effect?
  private var isFailureReported = false

  init(_ writer: TranscriptWriter, network: RecordedNetwork) {
    self.writer = writer
    self.network = network
  }

  func register(_ options: ServerOptions) {
    for url in [options.githubURL, options.registerURL] {
      if let url { redaction.register(url: url) }
    }
  }

  func begin(_ headers: RecordedHeaders, initialTodos: [String]) {
    guard writer.needsHeaders else { return }
    writer.begin(headers: headers.lines.map(redaction.text))
    writer.write(initialTodos)
  }

  func finish() {
    if writer.needsHeaders { writer.begin(headers: ["A session that did not begin."]) }
  }

  /// Returns and clears the effects for the program. The effect that ends the program is added when
  /// all output has been read.
  func drainEffects() -> [Effect] {
    if let exit, unwritten.isEmpty { effects.append(exit) }
    if writer.isBroken, !isFailureReported {
      isFailureReported = true
      effects.append(.log(.error, "The session is no longer recorded: the file takes no more."))
    }
    defer { effects = [] }
    return effects
  }

  var outside: ReplayIOLoop.Outside {
    ReplayIOLoop.Outside(
      didPerform: { [unowned self] effect in handle(effect) },
      didWrite: { [unowned self] bytes in unwritten += bytes },
      didSendRequest: { [unowned self] number, request in ask(number, request) },
      message: { [unowned self] json in redaction.serverMessage(json).withoutServerVersion },
      text: { [unowned self] text in redaction.text(text) })
  }

  private func handle(_ effect: Effect) {
    switch effect {
    case .watch, .startGracePeriod, .startFlushTimeout, .watchReader, .log: effects.append(effect)
    case .recordDraft: effects.append(effect)
    case .exit: exit = effect
    case .start, .stop, .startRenderTimer, .startAdapterTimer: break
    }
  }

  private func ask(_ number: Int, _ request: HTTPRequest) {
    for header in request.headers where header.name == "Authorization" {
      redaction.register(String(header.value.drop { $0 != " " }.dropFirst()))
    }
    network.send(number, request)
  }
}

extension JSON {
  /// The message without the server's version, so that later versions produce the same transcript.
  fileprivate var withoutServerVersion: JSON {
    guard case .object(var object) = self, case .object(var result)? = object["result"],
      case .object(var info)? = result["serverInfo"]
    else { return self }
    info["version"] = "<any>"
    result["serverInfo"] = .object(info)
    object["result"] = .object(result)
    return .object(object)
  }
}

/// The headers of a transcript. A replay restores the environment from them.
private struct RecordedHeaders {
  let lines: [String]

  init(
    _ options: ServerOptions, start: Timestamp, utcOffset: Int64, idPrefix: String,
    framing: Framing?,
    notice: String?, hasToken: Bool
  ) {
    var lines = [
      "A session that was recorded by \(Product.name) \(Product.version). Its secrets were replaced.",
      "clock: \(start)", "timezone: \(TranscriptZone.text(ofOffset: utcOffset))",
      "ids: \(idPrefix)",
      "source: \(options.sources.map(\.text).joined(separator: " "))",
      "sync: \(options.sync.rawValue)",
    ]
    if options.store == .source { lines.append("store: source") }
    if framing == .lines { lines.append("framing: lines") }
    if let url = options.githubURL { lines.append("github: \(url)") }
    if let url = options.registerURL { lines.append("register: \(url)") }
    if hasToken { lines.append("token: yes") }
    if let notice { lines.append("notice: \(notice)") }
    self.lines = lines
  }
}

extension TodoServices {
  /// The services without the drafts (unsaved text) of ended processes, because these drafts cannot
  /// be replayed. The drafts are not deleted: a later session that is not recorded can use them.
  fileprivate var withoutStoredDrafts: TodoServices {
    with(drafts: drafts.map { DraftServices(log: $0.log, store: NoStoredDrafts()) })
  }
}
