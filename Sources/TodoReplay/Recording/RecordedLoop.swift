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

/// A server's loop whose session becomes a transcript that replays as it is.
///
/// It stands between the program and the loop, in the place of `Loop`, and gives the session the one
/// order that a replay has: it takes one message at a time, runs workers on the program's thread until
/// they wait for the world, and hands on the answers of services in the order of their requests. The
/// clock stands still while something is taken, and what it was set on by is written down where
/// somebody asked for the time. New ids are a random beginning, which the transcript names, and a number.
package final class RecordedLoop {
  /// What is recorded, and where.
  package struct Session {
    package var options: ServerOptions
    package var limits: ConversationLimits
    package var logLevel: LogLevel
    package var path: String
    /// Asks services for real.
    package var transport: any HTTPTransport
    package var token: GitHubToken
    package var dataFolder: String
    package var observers: [any WorkflowObserver]
    /// Called on any thread: the loop has something to do, and wants `renderTimerFired`.
    package var wake: @Sendable () -> Void

    package init(
      options: ServerOptions, limits: ConversationLimits, logLevel: LogLevel, path: String,
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

  /// How much the front-end may leave unread before nothing new is taken.
  private static let unwrittenBytesMax = 64 << 20

  private let edge: ReplayEdge
  private let outside: OutsideWorld
  private let clock: ReplayClock
  private let transport: ScriptedTransport
  private var input: RecordedInput
  private let wake: @Sendable () -> Void
  /// Wakes the loop when the next one who sleeps is to be woken.
  private var alarm: (end: Timestamp, task: Task<Void, Never>)?

  /// Throws a sentence when the file cannot be made.
  package init(_ session: Session) throws(TranscriptError) {
    let start = Timestamp.now
    let prefix = String(Environment.live.newID().text.prefix(12))
    let utcOffset = DayClock.live.utcOffset(start) / 60_000 * 60_000
    let clock = ReplayClock(start, idPrefix: prefix, utcOffset: utcOffset)
    let transport = ScriptedTransport()
    let outside = OutsideWorld(
      try TranscriptWriter(path: session.path),
      network: RecordedNetwork(session.transport, wake: session.wake))
    outside.note(session.options)
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
        kept: try KeptTodos.lines(of: services.store) { outside.redaction.text($0) })
      return services
    }
    edge = ReplayEdge(
      Loop(setup, face: ProtocolFace(version: Product.version, limits: session.limits)),
      transport: transport, showsPictures: false,
      executor: ReplayExecutor(wake: session.wake), outside: outside.outside)
    (self.clock, self.transport, self.outside) = (clock, transport, outside)
    input = RecordedInput(limits: session.limits.frame)
    wake = session.wake
  }

  // MARK: As `Loop`

  package var wantsInput: Bool {
    edge.wantsInput && outside.unwritten.count < Self.unwrittenBytesMax
  }
  package var isWritten: Bool { outside.unwritten.isEmpty }

  package func withUnwritten<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    outside.unwritten.withUnsafeBytes(body)
  }

  package func wrote(_ count: Int) { outside.unwritten.removeFirst(count) }

  package func close() {
    edge.close()
    outside.finish()
  }

  /// Takes one event. Workers and the render timer are the loop's own business here, so
  /// `renderTimerFired` only says that something has happened in the world.
  package func step(_ event: Event) -> [Effect] {
    switch event {
    case .input(let bytes):
      input.append(bytes)
      while let pieces = input.next(&outside.redaction) { for piece in pieces { take(piece) } }
    case .inputEnded:
      while let pieces = input.nextAtEnd(&outside.redaction) { for piece in pieces { take(piece) } }
      take(.inputEnded, as: ["~~> end"])
    case .graceEnded: take(.graceEnded, as: ["~~> grace"])
    case .endRequested(.terminated): take(event, as: ["~~> signal"])
    case .endRequested(.parentGone): take(event, as: ["~~> parent"])
    case .farewellEnded, .readerStalled: outside.effects.append(.exit(code: 1))
    case .renderTimerFired: record([]) { edge.goOn() }
    case .worker, .outputWritten, .faceTimerFired: break
    }
    takeAnswers()
    setAlarm()
    return outside.takeEffects()
  }

  // MARK: Taking

  private func take(_ piece: RecordedInput.Piece) {
    outside.framing = input.framing
    take(.input(piece.bytes), as: piece.lines)
    takeAnswers()
  }

  private func take(_ event: Event, as lines: [String]) { record(lines) { edge.take(event) } }

  /// Hands on the answers whose turn has come.
  private func takeAnswers() {
    while let number = transport.waitingNumbers.first,
      let answer = outside.network.takeAnswer(to: number)
    {
      record(AnswerLines.lines(of: answer, &outside.redaction)) { _ = edge.answer(answer) }
    }
    outside.network.cancel(allBut: Set(transport.waitingNumbers))
  }

  /// Writes down what happens, and before it how much time has passed if that was of concern.
  private func record(_ lines: [String], _ body: () -> Void) {
    for (secret, replacement) in outside.redaction.takeFound() {
      outside.writer.replace(secret, with: replacement)
    }
    wakeSleepers()
    let passed = Timestamp.now.milliseconds - clock.now.milliseconds
    let before = clock.now
    if passed > 0 { clock.set(.now) }
    _ = clock.takeWasAsked()
    body()
    let wasAsked = clock.takeWasAsked()
    if !wasAsked { clock.set(before) }
    let time = clock.now.milliseconds - before.milliseconds
    outside.writer.write((time > 0 ? ["~~> time \(time)"] : []) + lines + edge.takeOutputs())
  }

  /// Lets time pass up to now for those who sleep, if somebody is to be woken.
  private func wakeSleepers() {
    while let end = clock.nextEnd, end <= .now {
      let time = max(0, end.milliseconds - clock.now.milliseconds)
      clock.advance(time)
      edge.goOn()
      outside.writer.write(["~~> time \(time)"] + edge.takeOutputs())
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
  /// Whether requests have a token, which a replay then has as well.
  fileprivate func hasToken(_ options: ServerOptions) -> Bool {
    options.sources.contains { source in
      switch source {
      // A replay has no password: what was sent is not in the transcript.
      case .local, .caldav: false
      case .github:
        token.token(
          for: options.githubURL ?? GitHubAddress.defaultURL, isGitHubItself: true) != nil
      case .remote(let address): token.token(for: address.baseURL) != nil
      }
    }
  }
}

/// What a recording does outside of the loop.
private final class OutsideWorld {
  let writer: TranscriptWriter
  let network: RecordedNetwork
  var redaction = Redaction()
  var framing: Framing?
  /// What the front-end has not read yet.
  var unwritten: [UInt8] = []
  var effects: [Effect] = []
  private var exit: Effect?
  private var isBreakTold = false

  init(_ writer: TranscriptWriter, network: RecordedNetwork) {
    self.writer = writer
    self.network = network
  }

  func note(_ options: ServerOptions) {
    for url in [options.githubURL, options.registerURL] {
      if let url { redaction.note(url: url) }
    }
  }

  func begin(_ headers: RecordedHeaders, kept: [String]) {
    guard writer.needsHeaders else { return }
    writer.begin(headers: headers.lines.map(redaction.text))
    writer.write(kept)
  }

  func finish() {
    if writer.needsHeaders { writer.begin(headers: ["A session that did not begin."]) }
  }

  /// What is to be done in the world. The program ends when everything has been read.
  func takeEffects() -> [Effect] {
    if let exit, unwritten.isEmpty { effects.append(exit) }
    if writer.isBroken, !isBreakTold {
      isBreakTold = true
      effects.append(.log(.error, "The session is no longer recorded: the file takes no more."))
    }
    defer { effects = [] }
    return effects
  }

  var outside: ReplayEdge.Outside {
    ReplayEdge.Outside(
      took: { [unowned self] effect in take(effect) },
      wrote: { [unowned self] bytes in unwritten += bytes },
      asked: { [unowned self] number, request in ask(number, request) },
      message: { [unowned self] json in redaction.serverMessage(json).withoutServerVersion },
      text: { [unowned self] text in redaction.text(text) })
  }

  private func take(_ effect: Effect) {
    switch effect {
    case .watch, .startGrace, .startFarewell, .watchReader, .log: effects.append(effect)
    case .recordDraft: effects.append(effect)
    case .exit: exit = effect
    case .start, .stop, .startRenderTimer, .startFaceTimer: break
    }
  }

  private func ask(_ number: Int, _ request: HTTPRequest) {
    for header in request.headers where header.name == "Authorization" {
      redaction.note(String(header.value.drop { $0 != " " }.dropFirst()))
    }
    network.send(number, request)
  }
}

extension JSON {
  /// A transcript holds for more than one version.
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

/// What a transcript begins with, so that a replay has the same world.
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
  /// The services without the drafts of ended processes, which could not be replayed. They are left
  /// for a session that is not recorded.
  fileprivate var withoutStoredDrafts: TodoServices {
    with(drafts: drafts.map { DraftServices(log: $0.log, store: NoStoredDrafts()) })
  }
}
