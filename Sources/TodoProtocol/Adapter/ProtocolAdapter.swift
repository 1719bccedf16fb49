import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The adapter for the protocol in `Protocol.md`: JSON-RPC requests, and renderings of the screens.
package struct ProtocolAdapter: Adapter, ConnectionAdapter, ~Copyable {
  private enum Phase {
    case waitingForInitialize
    case serving
    /// `shutdown` was received. Only `exit` may follow.
    case shutDown
  }

  private let version: String
  package var connection: JSONRPCConnection<ProtocolAnswer>
  private var phase = Phase.waitingForInitialize
  private var trace = TraceValue.off
  private var rendering = RenderingEncoder()

  /// The calls in flight.
  private var calls = InFlightCalls()
  private var barrier: SessionBarrier?
  /// The call that opens a form again; `nil` if there is none. Later calls can concern the form, so
  /// they wait until it is open.
  private var reopening: OperationToken?
  /// The address for the response to `shutdown`, which is sent when all earlier requests have
  /// ended. `nil` before `shutdown` and after the response.
  private var shutdownReply: ReplyAddress?
  /// Whether `shutdown` or `exit` was received, but not yet reported by `next`. The message itself
  /// may still be queued behind a call that does not end.
  private var isShutdownUnreported = false
  private var isProblemLogged = false

  package init(version: String, limits: ConnectionLimits = .standard) {
    self.version = version
    connection = JSONRPCConnection(
      rules: ConnectionRules(
        controlMethods: [Shutdown.name, NotificationName.exit.rawValue]), limits: limits)
  }

  /// The names of all methods that a front-end can call, and of all notifications that it can send.
  package static var methodNames: Set<String> {
    Set(Methods.names).union(NotificationName.allCases.map(\.rawValue))
  }

  // MARK: Input

  package mutating func next() -> AdapterRequest? {
    while let arrival = nextArrival() {
      switch consume arrival {
      case .call(let call): if let request = handle(call) { return request }
      case .cancelled(let address): return .cancel(OperationToken(number: address.number))
      case .controlCallReceived: isShutdownUnreported = true
      case .response, .unmatchedResponse:
        return .log(.debug, "A response was dropped: this server asks nothing.")
      }
    }
    if let problem = connection.inputProblem, !isProblemLogged {
      isProblemLogged = true
      return .log(.error, problem.message)
    }
    if isShutdownUnreported {
      isShutdownUnreported = false
      // A shutdown does not wait for a call that hangs.
      if !calls.isEmpty || connection.hasQueuedMessages { return .beginShutdown }
    }
    answerShutdown()
    return nil
  }

  private mutating func nextArrival() -> Arrival? {
    if reopening != nil { return connection.next { $0 != Shutdown.name } }
    guard var barrier else { return connection.next() }
    let arrival = connection.next { barrier.holds($0) }
    self.barrier = barrier
    return arrival
  }

  /// Handles a call.
  ///
  /// - Returns: The request that the loop must handle; `nil` if the call was answered, or needs no
  ///   response.
  private mutating func handle(_ call: IncomingCall) -> AdapterRequest? {
    if call.address.isNotification { return handleNotification(call) }
    traceRequest(call)
    do throws(RPCError) {
      try checkPhase(call.method)
      return try begin(call)
    } catch {
      connection.refuse(call.address, error)
      return nil
    }
  }

  private func checkPhase(_ method: String) throws(RPCError) {
    switch phase {
    case .waitingForInitialize:
      if method != Initialize.name {
        throw .serverNotInitialized("initialize has to come first")
      }
    case .serving: break
    case .shutDown: throw .invalidRequest("the server is shut down and takes only exit")
    }
  }

  private mutating func begin(_ call: IncomingCall) throws(RPCError) -> AdapterRequest? {
    if call.method == Initialize.name, let params = try? Params(call.params),
      (try? params.optionalString("protocolVersion")) ?? nil != nil
    {
      throw .invalidRequest(
        "this is the initialize of MCP, and an editor's protocol is spoken here: "
          + "start todo-server mcp instead")
    }
    guard let method = Methods.entry(named: call.method) else { throw .methodNotFound(call.method) }
    defer { if method.rules.hasSecrets { call.wipeParams() } }
    let token = OperationToken(number: call.address.number)
    var inFlight = InFlightCall(address: call.address, method: method)
    let request: AdapterRequest
    switch try method.read(try Params(call.params)) {
    case .operation(let operation): request = .perform(operation, token)
    case .screen(let operation):
      request = .screen(operation, token)
      if case .change(let change) = operation, change.opens { reopening = token }
    case .reported(let operation, let progressToken):
      request = .perform(operation, token)
      inFlight.progressToken = progressToken
      if let progressToken {
        let value = ProgressParams.Value.begin(title: "Loading todos")
        connection.notify(.progress, ProgressParams(token: progressToken, value: value))
      }
    case .initialize(let params): return try initialize(params, token, inFlight)
    case .shutdown:
      phase = .shutDown
      shutdownReply = call.address
      answerShutdown()
      return nil
    }
    // If the operation contains no strings of the message, the message is no longer needed.
    let hasText = request.hasText
    if !hasText || call.address.isNotification {
      inFlight.address = connection.setRetainedByteCount(
        call.address, byteCount: hasText ? call.params?.bytes.count ?? 0 : 0)
    }
    calls.insert(inFlight)
    if method.rules.changesSession, barrier == nil {
      barrier = SessionBarrier(token: token, refusesLogin: method.rules.isRefusedDuringLogin)
    }
    return request
  }

  private mutating func initialize(
    _ params: Initialize, _ token: OperationToken, _ inFlight: InFlightCall
  ) throws(RPCError) -> AdapterRequest {
    guard phase == .waitingForInitialize else {
      throw .invalidRequest("the server is initialized already")
    }
    calls.insert(inFlight)
    trace = params.trace
    rendering.isPatching = params.capabilities.render.isPatching
    rendering.isFrontOnly = params.capabilities.render.isFrontOnly
    let options = params.options
    return .open(
      AdapterOptions(
        processID: params.processID, windowLimit: params.capabilities.render.windowLimit,
        hasPreviews: params.capabilities.render.hasPreviews,
        isFrontOnly: params.capabilities.render.isFrontOnly,
        override: { (given) throws(AdapterError) in try options.applied(to: given) }), token)
  }

  /// Handles a notification. A request without an ID is performed like any other, but gets no
  /// response.
  private mutating func handleNotification(_ call: IncomingCall) -> AdapterRequest? {
    switch NotificationName(rawValue: call.method) {
    case .exit: return .exit(code: phase == .shutDown ? 0 : 1)
    case .initialized:
      guard phase == .serving, !rendering.isShown else { return nil }
      rendering.isShown = true
      return .show
    case .setTrace:
      do throws(RPCError) {
        trace = try SetTrace(try Params(call.params)).value
        return nil
      } catch {
        return .log(.warning, "\(call.method): \(error.message)")
      }
    // The connection has already handled this notification.
    case .cancelRequest: return nil
    case nil: break
    }
    guard phase == .serving else { return nil }
    do throws(RPCError) {
      return try begin(call)
    } catch {
      // As in LSP, a server can ignore notifications whose names begin with `$/`.
      let level = call.method.hasPrefix("$/") ? LogLevel.debug : .warning
      return .log(level, "Notification dropped: \(error.message)")
    }
  }

  private mutating func traceRequest(_ call: IncomingCall) {
    guard trace != .off, let id = call.address.id else { return }
    let method = RPCError.excerpt(of: call.method)
    var params = LogTraceParams(message: "Received request '\(method)' with id \(id).")
    if trace == .verbose {
      // The values can be secrets, so only the names are reported.
      let names = (try? Params(call.params))?.names ?? []
      params.verbose = "Members: \(names.sorted().joined(separator: ", "))"
    }
    connection.notify(.logTrace, params)
  }

  // MARK: Output

  package mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool {
    guard let call = end(token) else { return true }
    if case .cancelled = outcome {
      connection.refuse(call.address, .requestCancelled())
    } else {
      let answer = ProtocolAnswer.outcome(outcome, of: call.method)
      connection.answer(call.address, answer, estimatedByteCount: answer.estimatedByteCount)
    }
    return !call.address.isNotification
  }

  package mutating func opened(_ token: OperationToken, _ result: Result<Void, AdapterError>) {
    guard let call = end(token) else { return }
    switch result {
    case .success:
      phase = .serving
      connection.answer(call.address, .initialized(version: version))
    case .failure(.badOption(let message)):
      connection.refuse(call.address, .invalidParams(message))
    case .failure(.todo(let error)): connection.refuse(call.address, RPCError(error))
    }
  }

  package mutating func report(_ progress: LoadProgress, to token: OperationToken) {
    guard let progressToken = calls[token]?.progressToken else { return }
    connection.notify(.progress, ProgressParams(token: progressToken, value: .report(progress)))
  }

  package mutating func report(_ level: LogLevel, _ text: String) {
    connection.notify(.logMessage, LogMessageParams(level: level, text: text))
  }

  /// Removes a call that has ended, and starts the calls that were waiting for its end.
  private mutating func end(_ token: OperationToken) -> InFlightCall? {
    guard let call = calls.remove(token) else { return nil }
    if barrier?.token == token {
      barrier = nil
      connection.releaseHeld()
    }
    if reopening == token {
      reopening = nil
      connection.releaseHeld()
    }
    if let progressToken = call.progressToken {
      connection.notify(.progress, ProgressParams(token: progressToken, value: .end))
    }
    return call
  }

  private mutating func answerShutdown() {
    guard let reply = shutdownReply, calls.isEmpty else { return }
    shutdownReply = nil
    connection.answer(reply, .nothing)
  }

  package var inFlight: [OperationToken] { calls.tokens }

  package var cancellable: [OperationToken] {
    inFlight.filter { calls[$0]?.method.rules.endsWithSignal ?? false }
  }

  package var hasQueuedRequests: Bool { connection.hasQueuedMessages || shutdownReply != nil }

  package mutating func encode(rendering screens: [Screen], revision: Int64) {
    connection.encode(notification: ServerNotification.render.rawValue) { writer in
      rendering.write(screens, revision: revision, to: &writer)
    }
  }

  package mutating func encode(changes: [LoggedChange]) {
    for change in changes {
      connection.encode(notification: ServerNotification.todoChanged.rawValue) { writer in
        TodoChangedParams(change: change).write(to: &writer)
      }
    }
  }

  package mutating func encode(answersOver screens: [Screen], revision: Int64) {
    let context = ResponseContext(
      screens: screens, revision: revision, isFrontOnly: rendering.isFrontOnly)
    connection.encode { answer, id, writer in answer.write(id, context, to: &writer) }
  }

  package func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    connection.withPendingBytes(body)
  }

  // MARK: Shutdown

  package var shutdownPolicy: ShutdownPolicy { connection.framing == .lines ? .drain : .cancel }

  package var endExitCode: Int32 {
    if connection.inputProblem != nil { return 1 }
    return phase == .shutDown || connection.framing == .lines ? 0 : 1
  }
}

/// A call in flight that changes the session or its open list. Later requests concern the new
/// session or list, so they wait until this call has ended. Actions on screens do not wait.
private struct SessionBarrier {
  var token: OperationToken
  /// Whether the call is a login or a registration. While it is in flight, another login or
  /// registration is not queued, but fails immediately.
  var refusesLogin: Bool
  /// Whether a logout is queued. If so, a later login is also queued instead of refused, because it
  /// can succeed after the logout.
  private var isLogoutAhead = false

  init(token: OperationToken, refusesLogin: Bool) {
    self.token = token
    self.refusesLogin = refusesLogin
  }

  mutating func holds(_ method: String) -> Bool {
    guard let rules = Methods.entry(named: method)?.rules else {
      return method == NotificationName.exit.rawValue
    }
    if rules.isRefusedDuringLogin { return !refusesLogin || isLogoutAhead }
    isLogoutAhead = isLogoutAhead || method == Logout.name
    return rules.waitsForSession
  }
}

extension JSONRPCConnection {
  fileprivate mutating func notify(_ name: ServerNotification, _ params: some WrittenObject) {
    notify(name.rawValue, JSON(written: params))
  }
}
