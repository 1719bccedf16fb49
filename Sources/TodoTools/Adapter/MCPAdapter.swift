import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The adapter for the Model Context Protocol over stdio: tools and resources for assistants, in
/// every revision.
///
/// An assistant's requests use the same operations, versions and conflicts as an editor's requests.
package struct MCPAdapter: Adapter, ConnectionAdapter, ~Copyable {
  let options: ToolsOptions
  package var connection: JSONRPCConnection<ToolsAnswer>
  /// The session that `initialize` has negotiated. It is `nil` before `initialize`, and for a
  /// client whose requests each contain their own context.
  var session: NegotiatedSession?

  /// The calls in flight.
  var calls: [OperationToken: InFlightCall] = [:]
  /// The calls that wait for the user's answer, by the ID of the request that asks the client.
  var questions: [RequestID: OperationToken] = [:]
  /// The requests that `next()` passes to the loop before it handles new input.
  var nextRequests: [AdapterRequest] = []
  var subscriptions: Subscriptions
  var notes = ReceivedNotes()
  /// The messages for the user that the next response contains.
  private var notices: [String] = []

  private var entry = Entry.closed
  /// Whether the store is open, with or without a logged-in user.
  private var isStoreOpen = false
  /// Whether a call that needs the list has been received since the last login.
  private var isStoreWanted = false
  private var ownTokens = AdapterTokens()
  private var readings: [OperationToken: String] = [:]
  private var entering: (step: EntryStep, token: OperationToken)?
  /// The call that opened the list, and its outcome; `nil` if no such call waits for its response.
  /// The response is sent when the list is ready.
  private var opening: (call: InFlightCall, tool: any Tool, outcome: TodoOutcome)?
  private var isProblemLogged = false

  /// The state of the login.
  private enum Entry {
    case closed, entering, ready
    case refused(TodoError)
  }

  /// The steps before the list can be used.
  private enum EntryStep {
    case login
    /// If the user has several lists, `lists` requests them, and `open` opens the first one.
    case lists, open
    /// `count` counts the stored todos of the list. If there are none, `load` loads the list from
    /// its source, so that the list does not look empty.
    case count, load
  }

  package init(_ options: ToolsOptions, limits: ConnectionLimits = .standard) {
    self.options = options
    subscriptions = Subscriptions(isAtSource: options.isAtSource)
    connection = JSONRPCConnection(
      rules: ConnectionRules(
        cancelMethod: "notifications/cancelled", cancelledIDMember: "requestId",
        tokenPaths: [["_meta", "progressToken"]], answersCancelled: false),
      limits: limits, framing: .lines)
  }

  // MARK: Input

  package mutating func next() -> AdapterRequest? {
    if !nextRequests.isEmpty { return nextRequests.removeFirst() }
    while let arrival = nextArrival() {
      if let request = handle(arrival) { return request }
    }
    if let problem = connection.inputProblem, !isProblemLogged {
      isProblemLogged = true
      return .log(.error, problem.message)
    }
    if let request = enter() { return request }
    if connection.isInputEnded { endClientInteractions() }
    return nextReading()
  }

  /// Returns the next input. Calls that need the list wait until the login has ended.
  private mutating func nextArrival() -> Arrival? {
    let isDecided =
      switch entry {
      case .ready, .refused: true
      case .closed, .entering: false
      }
    var isHeld = false
    defer { isStoreWanted = isStoreWanted || isHeld }
    return connection.next { method in
      guard !isDecided, Self.storeMethods.contains(method) else { return false }
      isHeld = true
      return true
    }
  }

  private mutating func handle(_ arrival: Arrival) -> AdapterRequest? {
    switch arrival {
    case .call(let call): return handle(call)
    case .cancelled(let address): return cancel(address)
    case .response(let response): return handle(response)
    case .unmatchedResponse: return .log(.debug, "A response to no request was dropped.")
    case .controlCallReceived: return nil
    }
  }

  private mutating func cancel(_ address: ReplyAddress) -> AdapterRequest? {
    if let stream = subscriptions.close(address.number) {
      connection.drop(stream)
      return nil
    }
    let token = OperationToken(number: address.number)
    calls[token]?.isCancelledByClient = true
    return .cancel(token)
  }

  /// Declines all open questions and ends all streams, because the client's input has ended.
  private mutating func endClientInteractions() {
    for id in questions.keys { decline(id) }
    for stream in subscriptions.closeAll() { endStream(stream) }
  }

  private mutating func nextReading() -> AdapterRequest? {
    guard case .ready = entry, let reading = subscriptions.nextReading() else { return nil }
    let token = ownTokens.next()
    readings[token] = reading.uri
    return .perform(.list(reading.operation), token)
  }

  // MARK: Login

  /// The reason why the list cannot be used; `nil` if there is none.
  var refusal: TodoError? {
    if case .refused(let error) = entry { error } else { nil }
  }

  private mutating func enter() -> AdapterRequest? {
    if case .refused(let error) = entry, error.kind != .invalidCredentials {
      // Try the login again, unless the password was wrong.
      entry = .closed
    }
    guard isStoreWanted, case .closed = entry else { return nil }
    entry = .entering
    if isStoreOpen { return login() }
    return .open(AdapterOptions(windowLimit: 1), ownTokens.next())
  }

  private mutating func perform(_ operation: TodoOperation, to step: EntryStep) -> AdapterRequest {
    let token = ownTokens.next()
    entering = (step, token)
    return .perform(operation, token)
  }

  private mutating func login() -> AdapterRequest {
    perform(.logIn(name: options.name, password: nil), to: .login)
  }

  package mutating func opened(_ token: OperationToken, _ result: Result<Void, AdapterError>) {
    switch result {
    case .success:
      isStoreOpen = true
      nextRequests.append(login())
    case .failure(.badOption(let message)): endEntering(TodoError(.storage, message))
    case .failure(.todo(let error)): endEntering(error)
    }
  }

  /// Handles the outcome of a step of the login, and starts the next one.
  private mutating func resume(after step: EntryStep, _ outcome: TodoOutcome) {
    switch (step, outcome) {
    case (.login, .loggedIn) where options.hasSeveralLists:
      nextRequests.append(perform(.lists, to: .lists))
    case (.lists, .lists(let lists)):
      nextRequests.append(perform(.openList(source: lists.first?.source ?? ""), to: .open))
    case (.login, .loggedIn), (.open, .listOpened): loadFirst()
    case (.count, .page(let page, _)) where page.total == 0:
      nextRequests.append(perform(.load(refresh: false), to: .load))
    case (.load, .failed(let error)):
      notices.append("The list could not be loaded from its source: \(error.message)")
      endEntering(nil)
    case (.login, .failed(let error)), (.open, .failed(let error)): endEntering(error)
    case (.login, .cancelled): endEntering(TodoError(.interrupted, "The login was ended."))
    case (_, _): endEntering(nil)
    }
  }

  /// Starts the step `count` if an empty list must be loaded before its first use (see
  /// `ToolsOptions.loadsFirst`); otherwise the list is ready.
  private mutating func loadFirst() {
    guard options.loadsFirst else { return endEntering(nil) }
    nextRequests.append(perform(.list(.page(TodoQuery(limit: 0))), to: .count))
  }

  /// Prepares the list that a call has opened. Other calls wait until the list is ready.
  mutating func enterList(openedBy call: InFlightCall, _ tool: any Tool, _ outcome: TodoOutcome) {
    (notes, entry, opening) = (ReceivedNotes(), .entering, (call, tool, outcome))
    subscriptions.storeDidChange()
    loadFirst()
  }

  private mutating func endEntering(_ error: TodoError?) {
    entry = error.map { .refused($0) } ?? .ready
    isStoreWanted = false
    if let (call, tool, outcome) = opening {
      opening = nil
      replyTool(call, tool, outcome)
    }
    connection.releaseHeld()
  }

  // MARK: Output

  package mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool {
    if let (step, expected) = entering, expected == token {
      entering = nil
      resume(after: step, outcome)
    } else if let uri = readings.removeValue(forKey: token) {
      subscriptions.record(outcome, of: uri)
    } else if let call = calls.removeValue(forKey: token) {
      end(call, token, outcome)
    }
    return true
  }

  /// Records progress. Only the newest progress is sent, so that a slow client does not receive one
  /// notification for each page.
  package mutating func report(_ progress: LoadProgress, to token: OperationToken) {
    calls[token]?.progress.record(progress)
  }

  package mutating func report(_ level: LogLevel, _ text: String) { notices.append(text) }
  package mutating func storeDidChange() { subscriptions.storeDidChange() }

  mutating func drainNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  package mutating func refuseQueued() { connection.refuseQueued(Self.ending) }

  /// The error for calls that are unanswered at a shutdown.
  static let ending = RPCError.internalError("the server ended before this was done")

  package var inFlight: [OperationToken] {
    calls.keys.sorted { $0.number < $1.number } + (entering.map { [$0.token] } ?? [])
  }

  package var cancellable: [OperationToken] {
    inFlight.filter { $0 == entering?.token || calls[$0]?.isCancellable == true }
  }

  package var hasQueuedRequests: Bool { connection.hasQueuedMessages }

  package var hasPendingOutput: Bool { connection.hasPendingOutput || hasChanges }
  private var hasChanges: Bool {
    subscriptions.hasChanges || calls.values.contains { $0.progress.hasChange }
  }

  package mutating func encode(answersOver screens: [Screen], revision: Int64) {
    for token in calls.keys { notifyProgress(token) }
    for (uri, stream) in subscriptions.drainChanges() {
      connection.notify(ToolsNotification.updated, ToolsNotification.updated(uri, stream))
    }
    connection.encode { answer, id, writer in answer.write(id, to: &writer) }
  }

  package func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    connection.withPendingBytes(body)
  }

  // MARK: Shutdown

  package var shutdownPolicy: ShutdownPolicy { .drain }
  package var endExitCode: Int32 { connection.inputProblem == nil ? 0 : 1 }
}
