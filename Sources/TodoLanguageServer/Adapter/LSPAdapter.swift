import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The adapter for the Language Server Protocol over stdio, for lists that are open as Markdown
/// documents.
///
/// A save uses the same operations, version checks and conflict handling as an action on a screen.
package struct LSPAdapter: Adapter, ConnectionAdapter, ~Copyable {
  let options: LanguageOptions
  package var connection: JSONRPCConnection<JSON>
  var capabilities = ClientCapabilities()
  var phase = Phase.waitingForInitialize

  /// The documents, by number; later documents have higher numbers. A closed document remains until
  /// its saves are in the store and its lease is released.
  var documents: [Int: DocumentEntry] = [:]
  private var documentCount = 0
  /// The operations in flight.
  var calls: [OperationToken: InFlightCall] = [:]
  var details = ListDetails()
  private(set) var today: CivilDay
  var progresses = Progresses()
  /// Requests to the loop that `next()` returns before it handles any input.
  var nextRequests: [AdapterRequest] = []
  private var shutdownReply: ReplyAddress?
  private var entry = Entry.closed
  private var ownTokens = AdapterTokens()
  private var isProblemLogged = false
  private var isEndNoticed = false
  private var isTimerRunning = false
  /// The reply addresses of completed commands that must be answered after their edits are sent.
  var doneCommands: [ReplyAddress] = []

  enum Phase {
    case waitingForInitialize
    case serving
    /// After `shutdown`: only `exit` is accepted.
    case shutDown
  }

  /// The state of the login.
  private enum Entry {
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
      case .noticed: isEndNoticed = true
      case .strayResponse: return .log(.debug, "A response to no request was dropped.")
      }
    }
    if let problem = connection.inputProblem, !isProblemLogged {
      isProblemLogged = true
      return .log(.error, problem.message)
    }
    if isEndNoticed {
      isEndNoticed = false
      if !calls.isEmpty || connection.hasWaitingCalls { return .beginShutdown }
    }
    if let request = nextOfDocuments() { return request }
    answerCommands()
    if !isTimerRunning, documents.values.contains(where: \.document.awaitsTime) {
      isTimerRunning = true
      return .startAdapterTimer
    }
    answerShutdown()
    return nil
  }

  /// Answers the completed commands if no document is busy, so that their edits are sent first.
  private mutating func answerCommands() {
    guard !documents.values.contains(where: \.document.isBusy) else { return }
    for address in doneCommands { connection.answer(address, .null) }
    doneCommands.removeAll()
  }

  // MARK: Documents

  /// Returns the number of an open document; `nil` if the URI is not open.
  func number(of uri: String) -> Int? {
    documents.first { !$0.value.document.isClosed && $0.value.uri == uri }?.key
  }

  mutating func open(_ uri: String, _ text: String, version: Int64?) {
    if let number = number(of: uri) { documents[number]?.document.close() }
    documentCount += 1
    documents[documentCount] = DocumentEntry(
      uri: uri,
      document: OpenDocument(
        BufferText(text, lineEnds: capabilities.lineEnds), version: version,
        key: DocumentAddress.key(of: uri), list: options.list, on: today,
        unrequestedEdits: capabilities.unrequestedEdits))
  }

  private var isReady: Bool { if case .ready = entry { true } else { false } }

  private mutating func nextOfDocuments() -> AdapterRequest? {
    guard isReady else { return nil }
    for number in documents.keys.sorted() {
      if let request = nextOfDocument(number) { return request }
    }
    return details.next().map { perform($0, .refreshing($0)) }
  }

  private mutating func nextOfDocument(_ number: Int) -> AdapterRequest? {
    guard var entry = documents[number] else { return nil }
    // Another buffer of the same file still needs the lease.
    if entry.document.isClosed,
      documents.contains(where: {
        $0.key != number && $0.value.document.key == entry.document.key
          && !$0.value.document.isClosed
      })
    {
      entry.document.forgetLease()
    }
    // A reopened buffer continues the lines of its last save, which is applied first.
    if documents.contains(where: {
      $0.key < number && $0.value.document.key == entry.document.key
        && $0.value.document.isClosed && $0.value.document.isBusy
    }) {
      return nil
    }
    let request = entry.document.next()
    let edit = entry.document.nextEdit()
    documents[number] = entry.document.isEnded ? nil : entry
    if let edit { send(edit, of: number) }
    if let request { return perform(.list(.document(request)), .document(number)) }
    publish(number)
    return nil
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
    switch entry {
    case .refused(let error): error
    case .closed, .entering: TodoError(.notLoggedIn, "The list is not open yet.")
    case .ready: nil
    }
  }

  mutating func openStore(processID: Int?) -> AdapterRequest {
    entry = .entering
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
    entry = .refused(error)
    show(.error, error.message)
  }

  mutating func endLogin(_ outcome: TodoOutcome) {
    switch outcome {
    case .loggedIn: entry = .ready
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
    for number in documents.keys { documents[number]?.document.listDidChange() }
    details.storeDidChange()
  }

  package mutating func dayBegan(_ today: CivilDay) {
    self.today = today
    for number in documents.keys { documents[number]?.document.dayBegan(today) }
  }

  package mutating func timerFired() {
    isTimerRunning = false
    for number in documents.keys { documents[number]?.document.timePassed() }
  }

  package var inFlight: [OperationToken] { calls.keys.sorted { $0.number < $1.number } }

  package var cancellable: [OperationToken] {
    inFlight.filter { calls[$0]?.waitsForNobodyHere ?? false }
  }

  package var hasWaiting: Bool {
    connection.hasWaitingCalls || !nextRequests.isEmpty
      || shutdownReply != nil || !doneCommands.isEmpty
      || isReady && documents.values.contains { $0.document.isBusy }
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
  /// The current day at the start of the adapter; `dayBegan` reports later days.
  package var today: CivilDay

  package init(list: TodoListKey, version: String, today: CivilDay) {
    (self.list, self.version, self.today) = (list, version, today)
  }
}

/// A document that is open under a URI.
struct DocumentEntry: Sendable {
  var uri: String
  var document: OpenDocument
  /// The ID of the last `workspace/applyEdit` request.
  var editRequest: RequestID?
  /// The diagnostics published last.
  var published: JSON?
  /// The state for which diagnostics were last determined.
  var publishedState: PublishedState?
  /// The problem last shown to the user.
  var reportedProblem: String?
}

/// The state of a document and its list that published diagnostics describe.
struct PublishedState: Sendable, Equatable {
  var document: Int
  var list: Int
  var day: CivilDay
}

/// An operation in flight.
struct InFlightCall: Sendable {
  var address: ReplyAddress?
  var purpose: Purpose
  /// The token of the operation's progress; `nil` if the client does not display it.
  var progress: RequestID?

  enum Purpose: Sendable {
    case login
    case document(Int)
    case refreshing(TodoOperation)
    case hover(TextRange)
    case symbols
    case command(LanguageCommand)
  }

  init(_ address: ReplyAddress? = nil, purpose: Purpose, progress: RequestID? = nil) {
    (self.address, self.purpose, self.progress) = (address, purpose, progress)
  }

  /// Whether the operation can be cancelled: it waits for the network or a password check, and not
  /// for the store.
  var waitsForNobodyHere: Bool {
    switch purpose {
    case .login: true
    case .command(let command): command.name == .sync
    case .document, .refreshing, .hover, .symbols: false
    }
  }
}
