import JSONRPC
import ScreenModel
import TodoModel
import TodoWorkflows

/// The requests of clients.
extension MCPAdapter {
  /// The methods that need the user's todo list. Calls of these methods wait for the login.
  static let storeMethods: Set<String> = [
    "tools/call", "resources/read", "resources/subscribe", "subscriptions/listen",
    "completion/complete",
  ]

  /// Handles a call.
  ///
  /// - Returns: A request to the loop; `nil` if the call is already answered, or needs no response.
  mutating func handle(_ call: IncomingCall) -> AdapterRequest? {
    if call.address.isNotification {
      let isKnown = call.method.hasPrefix("notifications/")
      return isKnown
        ? nil : .log(.debug, "Notification dropped: \(RPCError.excerpt(of: call.method))")
    }
    do throws(RPCError) {
      let params = try Params(call.params)
      switch call.method {
      case "initialize": try initialize(params, call.address)
      case "ping" where session != nil || params.isEmpty:
        reply(call.address, [:], session?.revision ?? .latestWithSession)
      case _:
        return try handle(call, params, try RequestContext(params, session: session))
      }
    } catch {
      connection.refuse(call.address, error)
    }
    return nil
  }

  private mutating func initialize(
    _ params: Params, _ address: ReplyAddress
  ) throws(RPCError) {
    guard session == nil else { throw .invalidRequest("the session is initialized already") }
    let session = try NegotiatedSession(params)
    self.session = session
    let result = Handshake.initialized(session.revision, version: options.version)
    reply(address, result, session.revision)
  }

  private mutating func handle(
    _ call: IncomingCall, _ params: Params, _ context: RequestContext
  ) throws(RPCError) -> AdapterRequest? {
    let revision = context.revision
    switch (call.method, revision.isStateless) {
    case ("tools/list", _):
      try checkFirstPage(params)
      let tools = ToolRegistry.all.filter { options.offers($0) }
        .map { ToolDescription(tool: $0, options: options).json(revision) }
      replyFixed(call.address, ["tools": .array(tools)], revision)
    case ("resources/list", _):
      try checkFirstPage(params)
      replyFixed(call.address, ResourceAddress.resources(revision), revision)
    case ("resources/templates/list", _):
      try checkFirstPage(params)
      replyFixed(call.address, ResourceAddress.templates(revision), revision)
    case ("tools/call", _): return try callTool(params, call.address, context)
    case ("resources/read", _), ("resources/subscribe", false):
      return try handleResource(call.method, params, call.address, context)
    case ("resources/unsubscribe", false):
      subscriptions.unsubscribe(try params.string("uri"))
      reply(call.address, [:], revision)
    case ("prompts/list", _):
      try checkFirstPage(params)
      let prompts = offeredPrompts.map { $0.description(revision) }
      replyFixed(call.address, ["prompts": .array(prompts)], revision)
    case ("prompts/get", _): reply(call.address, try prompt(params).result, revision)
    case ("completion/complete", _) where revision.hasCompletions:
      return try complete(params, call.address, context)
    case ("server/discover", true): replyFixed(call.address, Handshake.discovered, revision)
    case ("subscriptions/listen", true): try listen(params, call.address)
    case _:
      throw .methodNotFound(call.method)
    }
    return nil
  }

  /// Checks that a request has no cursor. Every list fits into one page, so the server never
  /// returns a cursor.
  private func checkFirstPage(_ params: Params) throws(RPCError) {
    if try params.optionalString("cursor") != nil {
      throw params.invalid("cursor", "unknown: there is one page only")
    }
  }

  // MARK: Prompts and completion

  private var offeredPrompts: [Prompt] {
    Prompt.allCases.filter { options.hasSource || !$0.needsSource }
  }

  private func prompt(_ params: Params) throws(RPCError) -> Prompt {
    let name = try params.string("name")
    guard let prompt = offeredPrompts.first(where: { $0.rawValue == name }) else {
      let known = offeredPrompts.map(\.rawValue).joined(separator: ", ")
      throw params.invalid("name", "no prompt is called \(RPCError.excerpt(of: name)): \(known)")
    }
    return prompt
  }

  private mutating func complete(
    _ params: Params, _ address: ReplyAddress, _ context: RequestContext
  ) throws(RPCError) -> AdapterRequest? {
    guard let completion = try IDCompletion(params) else {
      reply(address, IDCompletion.result([]), context.revision)
      return nil
    }
    if let refusal { throw .internalError(refusal.message) }
    return begin(.list(completion.operation), address, context, .completing(completion))
  }

  private mutating func replyCompletion(
    _ call: InFlightCall, _ completion: IDCompletion, _ outcome: TodoOutcome
  ) {
    if case .failed(let error) = outcome {
      return connection.refuse(call.address, .internalError(error.message))
    }
    guard let result = completion.result(of: outcome) else {
      return connection.refuse(call.address, .internalError())
    }
    reply(call.address, .members(result), call.context.revision, lifetime: 0)
  }

  // MARK: Resources

  private mutating func handleResource(
    _ method: String, _ params: Params, _ address: ReplyAddress, _ context: RequestContext
  ) throws(RPCError) -> AdapterRequest? {
    let uri = try params.string("uri")
    guard let resource = ResourceAddress(uri) else {
      throw ResourceAddress.missing(uri, context.revision)
    }
    if let refusal { throw .internalError(refusal.message) }
    let isRead = method == "resources/read"
    if !isRead { try checkRoom([uri]) }
    let purpose =
      isRead
      ? InFlightCall.Purpose.reading(uri: uri, resource) : .subscribing(uri: uri, resource)
    let operation =
      isRead ? resource.operation : resource.watchOperation(isAtSource: options.isAtSource)
    return begin(.list(operation), address, context, purpose)
  }

  private func checkRoom(_ uris: [String]) throws(RPCError) {
    guard subscriptions.hasRoom(for: uris) else {
      throw .invalidParams("at most \(Subscriptions.resourcesMax) resources can be watched at once")
    }
  }

  /// Opens a stream of changes, and acknowledges it immediately. The response follows when the
  /// stream ends.
  private mutating func listen(
    _ params: Params, _ address: ReplyAddress
  ) throws(RPCError) {
    let kinds = try params.object("notifications")
    let uris = try kinds.optionalStrings("resourceSubscriptions") ?? []
    if let refusal { throw .internalError(refusal.message) }
    let known = uris.compactMap { uri in ResourceAddress(uri).map { (uri, $0) } }
    try checkRoom(known.map(\.0))
    guard subscriptions.streamCount < Subscriptions.streamsMax else {
      throw .invalidParams("at most \(Subscriptions.streamsMax) subscriptions can be open at once")
    }
    // Only the URIs are retained, not the params.
    let address = connection.setRetainedByteCount(
      address, byteCount: known.reduce(0) { $0 + $1.0.utf8.count })
    subscriptions.open(address, known)
    connection.notify(
      ToolsNotification.acknowledged, ToolsNotification.acknowledged(known.map(\.0), address))
  }

  /// Sends the response that ends a stream, because the client's input has ended.
  mutating func endStream(_ stream: ReplyAddress) {
    var result = JSONObject()
    result["_meta"] = ToolsNotification.subscriptionMeta(stream)
    reply(stream, result, .july2026)
  }

  // MARK: Responses

  mutating func begin(
    _ operation: TodoOperation, _ address: ReplyAddress, _ context: RequestContext,
    _ purpose: InFlightCall.Purpose
  ) -> AdapterRequest {
    let token = OperationToken(number: address.number)
    let request = AdapterRequest.perform(operation, token)
    // A request without text does not retain the params, so their bytes do not count towards the
    // limits of the connection.
    let address = request.hasText ? address : connection.setRetainedByteCount(address, byteCount: 0)
    calls[token] = InFlightCall(address, context, purpose)
    return request
  }

  mutating func reply(_ address: ReplyAddress, _ members: JSONObject, _ revision: Revision) {
    reply(address, .members(members), revision)
  }

  /// Responds with a result that stays the same while the program runs.
  private mutating func replyFixed(
    _ address: ReplyAddress, _ members: JSONObject, _ revision: Revision
  ) {
    reply(address, .members(members), revision, lifetime: ToolsAnswer.fixedLifetimeMilliseconds)
  }

  mutating func reply(
    _ address: ReplyAddress, _ body: ToolsAnswer.Body, _ revision: Revision, lifetime: Int? = nil
  ) {
    let answer = ToolsAnswer(
      body: body, revision: revision, lifetimeMilliseconds: lifetime, version: options.version)
    connection.answer(address, answer, estimatedByteCount: answer.estimatedByteCount)
  }

  mutating func notifyProgress(_ token: OperationToken) {
    guard let call = calls[token], let progressToken = call.context.progressToken,
      let progress = calls[token]?.progress.next()
    else { return }
    connection.notify(
      ToolsNotification.progress,
      ToolsNotification.progress(progress, progressToken, call.context.revision))
  }

  /// Answers a call whose operation has ended.
  mutating func end(_ call: InFlightCall, _ token: OperationToken, _ outcome: TodoOutcome) {
    if case .cancelled = outcome { return endCancelled(call, token) }
    switch call.purpose {
    case .tool(let tool):
      if case .listOpened = outcome { return enterList(openedBy: call, tool, outcome) }
      replyTool(call, tool, outcome)
    case .adding(let batch): resume(with: batch, call, outcome)
    case .checkingNote(let edit): replaceNote(call, edit, outcome)
    case .completing(let completion): replyCompletion(call, completion, outcome)
    case .confirming(let tool): ask(call, token, tool, outcome)
    // The response follows when the user has answered.
    case .asking: calls[token] = call
    case .reading(let uri, let resource): replyResource(call, uri, resource, outcome)
    case .subscribing(let uri, let resource):
      if let error = failure(of: outcome, uri, call.context.revision) {
        connection.refuse(call.address, error)
      } else {
        subscriptions.subscribe(uri, resource, outcome)
        reply(call.address, [:], call.context.revision)
      }
    }
  }

  private mutating func endCancelled(_ call: InFlightCall, _ token: OperationToken) {
    for (id, asked) in questions where asked == token { questions[id] = nil }
    if call.isCancelledByClient {
      connection.drop(call.address)
    } else if case .adding(let batch) = call.purpose {
      resume(with: batch, call, .cancelled)
    } else {
      connection.refuse(call.address, Self.ending)
    }
  }

  private mutating func replyResource(
    _ call: InFlightCall, _ uri: String, _ resource: ResourceAddress, _ outcome: TodoOutcome
  ) {
    if let error = failure(of: outcome, uri, call.context.revision) {
      return connection.refuse(call.address, error)
    }
    guard let result = resource.result(of: outcome) else {
      return connection.refuse(call.address, .internalError())
    }
    for shown in result.shownNotes { notes.record(shown) }
    // The resource may change at any moment.
    reply(call.address, .resource(uri: uri, result), call.context.revision, lifetime: 0)
  }

  private func failure(
    of outcome: TodoOutcome, _ uri: String, _ revision: Revision
  ) -> RPCError? {
    guard case .failed(let error) = outcome else { return nil }
    return error.kind == .notFound
      ? ResourceAddress.missing(uri, revision) : .internalError(error.message)
  }
}
