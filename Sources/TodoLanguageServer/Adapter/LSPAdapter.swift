import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The adapter for the Language Server Protocol over stdio, for lists that are open as Markdown
/// documents.
///
/// The store applies the save of a document with the same version checks and conflict handling as
/// an edit on a screen of another front-end.
package struct LSPAdapter: Adapter, ConnectionAdapter, ~Copyable {
  let options: LanguageOptions
  package var connection: JSONRPCConnection<JSON>
  var capabilities = ClientCapabilities()
  var phase = Phase.waitingForInitialize

  var documents = OpenDocuments()
  var marks = MarkPool()
  /// The operations in flight.
  var calls: [OperationToken: InFlightCall] = [:]
  var details = ListDetails()
  private(set) var today: CivilDay
  var progresses = Progresses()
  /// The waiting requests to the I/O loop. `next()` returns these before it handles further input.
  var nextRequests: [AdapterRequest] = []
  private var shutdownReply: ReplyAddress?
  private var loginState = LoginState.closed
  private var ownTokens = AdapterTokens()
  private var isProblemLogged = false
  private var isShutdownUnreported = false
  private var isTimerRunning = false
  /// The reply addresses of completed commands. The responses are sent after the documents' edits,
  /// because some clients do not read an edit that comes after the response to a command.
  var doneCommands: [ReplyAddress] = []

  enum Phase {
    case waitingForInitialize
    case serving
    /// After `shutdown`: only `exit` is accepted.
    case shutDown
  }

  /// The state of the login.
  private enum LoginState {
    case closed, entering, ready
    case refused(TodoError)
  }

  package init(_ options: LanguageOptions, limits: ConnectionLimits = .standard) {
    (self.options, today) = (options, options.today)
    details.hasSource = !options.list.isLocal
    connection = JSONRPCConnection(
      rules: ConnectionRules(controlMethods: ["shutdown", "exit"]), limits: limits,
      framing: .headers)
  }

  // MARK: Input

  package mutating func next() -> AdapterRequest? {
    if !nextRequests.isEmpty { return nextRequests.removeFirst() }
    while let arrival = connection.next() {
      switch arrival {
      case .call(let call): if let request = handle(call) { return request }
      case .cancelled(let address): return .cancel(OperationToken(number: address.number))
      case .response(let response): record(response)
      case .controlCallReceived: isShutdownUnreported = true
      case .unmatchedResponse: return .log(.debug, "A response to no request was dropped.")
      }
    }
    if let problem = connection.inputProblem, !isProblemLogged {
      isProblemLogged = true
      return .log(.error, problem.message)
    }
    if isShutdownUnreported {
      isShutdownUnreported = false
      if !calls.isEmpty || connection.hasQueuedMessages { return .beginShutdown }
    }
    if let request = nextOfDocuments() { return request }
    answerCommands()
    if !isTimerRunning, documents.isAnyAwaitingTime || marks.awaitsTime {
      isTimerRunning = true
      return .startAdapterTimer
    }
    answerShutdown()
    return nil
  }

  /// Answers the completed commands if no document is busy, so that edits of the documents are sent
  /// before the responses.
  private mutating func answerCommands() {
    guard !documents.isAnyBusy else { return }
    for address in doneCommands { connection.answer(address, .null) }
    doneCommands.removeAll()
  }

  // MARK: Documents

  mutating func open(_ uri: String, _ text: String, version: Int64?) {
    if let number = documents.number(of: uri) { documents[number]?.document.close() }
    documents.append(
      DocumentEntry(
        uri: uri,
        document: OpenDocument(
          BufferText(text, lineEnds: capabilities.lineEnds), version: version,
          key: DocumentAddress.key(of: uri), list: options.list, on: today,
          unrequestedEdits: capabilities.unrequestedEdits)))
  }

  /// Whether the client has ended the session, and all its messages are handled.
  private var isEnding: Bool {
    if case .shutDown = phase { return true }
    return isInputEnded && !connection.hasQueuedMessages
  }

  private var isReady: Bool { if case .ready = loginState { true } else { false } }

  private mutating func nextOfDocuments() -> AdapterRequest? {
    guard isReady else { return nil }
    if isEnding { documents.closeAll() }
    // Marks are reserved before the documents' first reads, so that these reads contain the marks.
    if capabilities.getsMarksBeforeSaves, documents.isAnyLeased, let request = marks.next() {
      return perform(.list(.document(request)), .marks)
    }
    if documents.beginTokenRequest() {
      return perform(.list(.document(.changeToken)), .changeToken)
    }
    while let number = documents.nextChanged() {
      let (request, edit) = documents.poll(number)
      if let edit { send(edit, of: number) }
      if let request { return perform(.list(.document(request)), .document(number)) }
      publish(number)
    }
    return details.next().map { perform($0, .refreshing($0)) }
  }

  mutating func perform(_ operation: TodoOperation, _ purpose: InFlightCall.Purpose)
    -> AdapterRequest
  {
    let token = ownTokens.next()
    calls[token] = InFlightCall(purpose: purpose)
    return .perform(operation, token)
  }

  // MARK: Login

  /// The reason why the list cannot be used; `nil` if it can.
  var refusal: TodoError? {
    switch loginState {
    case .refused(let error): error
    case .closed, .entering: TodoError(.notLoggedIn, "The list is not open yet.")
    case .ready: nil
    }
  }

  mutating func openStore(processID: Int?) -> AdapterRequest {
    loginState = .entering
    return .open(AdapterOptions(processID: processID, windowLimit: 1), ownTokens.next())
  }

  package mutating func opened(_ token: OperationToken, _ result: Result<Void, AdapterError>) {
    switch result {
    case .success:
      nextRequests.append(perform(.logIn(name: options.list.profile, password: nil), .login))
    case .failure(.badOption(let message)): refuse(TodoError(.storage, message))
    case .failure(.todo(let error)): refuse(error)
    }
  }

  private mutating func refuse(_ error: TodoError) {
    loginState = .refused(error)
    show(.error, error.message)
  }

  mutating func endLogin(_ outcome: TodoOutcome) {
    switch outcome {
    case .loggedIn: loginState = .ready
    case .failed(let error): refuse(error)
    case _: refuse(TodoError(.interrupted, "The login was ended."))
    }
  }

  // MARK: Output

  package mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool {
    if let call = calls.removeValue(forKey: token) { end(call, outcome) }
    return true
  }

  package mutating func report(_ progress: LoadProgress, to token: OperationToken) {
    if let token = calls[token]?.progress {
      progresses.report(progress, token, in: &connection)
    }
  }

  package mutating func report(_ level: LogLevel, _ text: String) { show(level, text) }

  package mutating func storeDidChange() {
    documents.listDidChange()
    details.storeDidChange()
  }

  package mutating func dayBegan(_ today: CivilDay) {
    self.today = today
    for number in documents.keys { documents[number]?.document.dayBegan(today) }
  }

  package mutating func timerFired() {
    isTimerRunning = false
    marks.timePassed()
    for number in documents.keys { documents[number]?.document.timePassed() }
  }

  package var inFlight: [OperationToken] { calls.keys.sorted { $0.number < $1.number } }

  package var cancellable: [OperationToken] {
    inFlight.filter { calls[$0]?.isCancellable ?? false }
  }

  package var hasQueuedRequests: Bool {
    connection.hasQueuedMessages || !nextRequests.isEmpty
      || shutdownReply != nil || !doneCommands.isEmpty
      || isReady && documents.isAnyBusy
  }

  package mutating func encode(answersOver screens: [Screen], revision: Int64) {
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
  }

  package func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    connection.withPendingBytes(body)
  }

  // MARK: Shutdown

  mutating func shutDown(_ address: ReplyAddress) {
    phase = .shutDown
    shutdownReply = address
  }

  /// Answers `shutdown` after all earlier saves are in the store.
  private mutating func answerShutdown() {
    guard let reply = shutdownReply, calls.isEmpty else { return }
    shutdownReply = nil
    connection.answer(reply, .null)
  }

  package var shutdownPolicy: ShutdownPolicy { .cancel }

  package var endExitCode: Int32 {
    if case .shutDown = phase, connection.inputProblem == nil { 0 } else { 1 }
  }
}

/// The options of the adapter.
package struct LanguageOptions: Sendable {
  package var list: TodoListKey
  package var version: String
  /// The day on which the adapter starts. Later days are reported with `dayBegan`.
  package var today: CivilDay

  package init(list: TodoListKey, version: String, today: CivilDay) {
    (self.list, self.version, self.today) = (list, version, today)
  }
}

/// An operation in flight.
struct InFlightCall: Sendable {
  var address: ReplyAddress?
  var purpose: Purpose
  /// The token of the operation's progress; `nil` if no progress is reported.
  var progress: RequestID?

  enum Purpose: Sendable {
    case login
    case document(Int)
    case changeToken
    case marks
    case refreshing(TodoOperation)
    case hover(TextRange)
    case symbols
    case command(LanguageCommand)
  }

  init(_ address: ReplyAddress? = nil, purpose: Purpose, progress: RequestID? = nil) {
    (self.address, self.purpose, self.progress) = (address, purpose, progress)
  }

  /// Whether the operation can be cancelled. `true` for operations that wait for the network or for
  /// a password check, and `false` for operations that wait only for the store.
  var isCancellable: Bool {
    switch purpose {
    case .login: true
    case .command(let command): command.name == .sync
    case .document, .changeToken, .marks, .refreshing, .hover, .symbols: false
    }
  }
}
