import JSONRPC
import System
import TodoModel
import TodoWorkflows

/// Requests and notifications of the editor.
extension LSPAdapter {
  /// Handles a request or a notification of the client.
  ///
  /// - Returns: A request to the server's `Loop`; `nil` if there is nothing for the loop to do.
  mutating func handle(_ call: IncomingCall) -> AdapterRequest? {
    do throws(RPCError) {
      if call.address.isNotification { return try handleNotification(call) }
      return try handleRequest(call)
    } catch {
      if call.address.isNotification {
        return .log(.warning, "\(RPCError.excerpt(of: call.method)): \(error.message)")
      }
      connection.refuse(call.address, error)
      return nil
    }
  }

  private mutating func handleRequest(_ call: IncomingCall) throws(RPCError) -> AdapterRequest? {
    switch phase {
    case .waitingForInitialize:
      guard call.method == "initialize" else {
        throw .serverNotInitialized("initialize has to come first")
      }
    case .serving:
      guard call.method != "initialize" else {
        throw .invalidRequest("the server is initialized already")
      }
    case .shutDown: throw .invalidRequest("the server is shut down and takes only exit")
    }
    switch call.method {
    case "initialize": return try initialize(try Params(call.params), call.address)
    case "shutdown": shutDown(call.address)
    case "textDocument/willSaveWaitUntil":
      connection.answer(call.address, try editsBeforeSave(try Params(call.params)))
    case "textDocument/hover": return try hover(try Params(call.params), call.address)
    case "workspace/symbol": return try searchSymbols(try Params(call.params), call.address)
    case "workspace/executeCommand": return try execute(try Params(call.params), call.address)
    case _:
      guard let feature = DocumentFeature(rawValue: call.method) else {
        throw .methodNotFound(call.method)
      }
      connection.answer(call.address, try answer(feature, try Params(call.params)))
    }
    return nil
  }

  private mutating func initialize(
    _ params: Params, _ address: ReplyAddress
  ) throws(RPCError) -> AdapterRequest {
    capabilities = try ClientCapabilities(params)
    phase = .serving
    connection.answer(
      address,
      ServerCapabilities.result(capabilities, version: options.version))
    if let id = capabilities.processID, pid_t(exactly: id).flatMap({ WatchedProcess($0) }) == nil {
      // LSP requires that a server without its parent process exits.
      nextRequests.append(.exit(code: 1))
      return .log(.warning, "The editor's process \(id) does not exist.")
    }
    return openStore(processID: capabilities.processID)
  }

  // MARK: Notifications

  private mutating func handleNotification(_ call: IncomingCall) throws(RPCError) -> AdapterRequest?
  {
    if call.method == "exit" {
      if case .shutDown = phase { return .exit(code: 0) }
      return .exit(code: 1)
    }
    guard case .serving = phase else { return nil }
    switch call.method {
    case "textDocument/didOpen": try didOpen(try Params(call.params))
    case "textDocument/didChange": try didChange(try Params(call.params))
    case "textDocument/didSave": try didSave(try Params(call.params))
    case "textDocument/didClose": try didClose(try Params(call.params))
    // Unknown notifications are ignored.
    case _: break
    }
    return nil
  }

  private mutating func didOpen(_ params: Params) throws(RPCError) {
    let document = try params.object("textDocument")
    open(
      try document.string("uri"), try document.string("text"),
      version: try document.optionalInteger("version").map { Int64($0) })
  }

  private mutating func didChange(_ params: Params) throws(RPCError) {
    let identifier = try params.object("textDocument")
    guard let number = documents.number(of: try identifier.string("uri")) else {
      throw .invalidParams("the document is not open")
    }
    var changes: [BufferChange] = []
    for change in try params.objects("contentChanges") {
      let new = try change.string("text")
      if let range = try change.optionalObject("range") {
        changes.append(
          .part(
            from: try TextPosition(try range.object("start")),
            to: try TextPosition(try range.object("end")), new))
      } else {
        changes.append(.all(BufferText(new, lineEnds: capabilities.lineEnds)))
      }
    }
    let version = try identifier.optionalInteger("version").map { Int64($0) }
    documents[number]?.document.change(by: changes, capabilities.encoding, version: version)
  }

  private mutating func didSave(_ params: Params) throws(RPCError) {
    let uri = try params.object("textDocument").string("uri")
    guard let number = documents.number(of: uri) else {
      throw .invalidParams("the document is not open")
    }
    if let text = try params.optionalString("text").map({
      BufferText($0, lineEnds: capabilities.lineEnds)
    }), text != documents[number]?.document.text {
      documents[number]?.document.change(to: text, version: nil)
    }
    documents[number]?.document.save()
  }

  private mutating func didClose(_ params: Params) throws(RPCError) {
    let uri = try params.object("textDocument").string("uri")
    guard let number = documents.number(of: uri) else { return }
    if documents[number]?.published?.arrayValue?.isEmpty == false { publish([], uri, version: nil) }
    documents[number]?.document.close()
  }

  // MARK: Outcomes

  /// Handles the outcome of an operation.
  mutating func end(_ call: InFlightCall, _ outcome: TodoOutcome) {
    if case .cancelled = outcome, let address = call.address {
      if let token = call.progress { progresses.end(token, "Stopped", in: &connection) }
      return connection.refuse(address, .requestCancelled())
    }
    switch call.purpose {
    case .login: endLogin(outcome)
    case .document(let number): endOfDocument(number, outcome)
    case .changeToken: endTokenRequest(outcome)
    case .marks: documents.add(marks.handle(outcome.documentAnswer))
    case .refreshing(let operation):
      details.record(outcome, of: operation)
      documents.markAllChanged()
    case .hover(let range): endHover(call, range, outcome)
    case .symbols: endSymbols(call, outcome)
    case .command(let command): end(command, call, outcome)
    }
  }

  private mutating func endOfDocument(_ number: Int, _ outcome: TodoOutcome) {
    let answer = outcome.documentAnswer
    if case .success(.saved(let report)) = answer,
      let message = report.heldRemovals(in: options.list)
    {
      show(.warning, message)
    }
    documents[number]?.document.handle(answer)
    reportProblem(of: number)
  }

  private mutating func endTokenRequest(_ outcome: TodoOutcome) {
    switch outcome.documentAnswer {
    case .success(.changeToken(let token)): documents.endTokenRequest(.success(token))
    case .success: documents.endTokenRequest(.failure(.noAnswer))
    case .failure(let error): documents.endTokenRequest(.failure(error))
    }
  }

  /// Shows the user an error if the store has failed to apply a save, and a message when a later
  /// attempt has succeeded.
  private mutating func reportProblem(of number: Int) {
    let reported = documents[number]?.reportedProblem
    if let problem = documents[number]?.document.problem?.message {
      if problem != reported { show(.error, "The save is not in the list yet: \(problem)") }
      documents[number]?.reportedProblem = problem
    } else if reported != nil, documents[number]?.document.isBusy == false {
      show(.info, "The save is in the list now.")
      documents[number]?.reportedProblem = nil
    }
  }

  // MARK: Edits and messages

  /// Sends an edit to the client. Even if the response says that the edit was applied, only the
  /// next `didChange` notification shows whether the buffer contains it.
  mutating func send(_ edit: ServerEdit, of number: Int) {
    guard let uri = documents[number]?.uri else { return }
    documents[number]?.editRequest = connection.request(
      "workspace/applyEdit",
      [
        "label": "todo-server",
        "edit": capabilities.workspaceEdit(
          uri, version: edit.version, edit.json(capabilities.encoding)),
      ])
  }

  mutating func record(_ response: Response) {
    progresses.record(response, in: &connection)
    guard let id = response.id,
      let number = documents.keys.first(where: { documents[$0]?.editRequest == id })
    else { return }
    var isApplied = false
    if case .success(let result) = response.outcome {
      isApplied = result["applied"]?.boolValue ?? false
    }
    documents[number]?.document.recordEditResponse(isApplied: isApplied)
  }

  /// Shows a message to the user.
  mutating func show(_ level: LogLevel, _ text: String) {
    let type: Int64 =
      switch level {
      case .error: 1
      case .warning: 2
      case .info: 3
      case .debug, .off: 4
      }
    connection.notify(
      "window/showMessage",
      ["type": .integer(type), "message": .string(PrintableText.lines(text))])
  }
}

extension TodoOutcome {
  /// The store's answer to a `DocumentRequest`; a failure if the outcome contains no such answer.
  fileprivate var documentAnswer: Result<DocumentAnswer, TodoError> {
    switch self {
    case .document(let answer): .success(answer)
    case .failed(let error): .failure(error)
    case _: .failure(.noAnswer)
    }
  }
}

extension TodoError {
  fileprivate static let noAnswer = TodoError(.interrupted, "The list does not answer.")
}

extension ServerEdit {
  /// The `TextEdit` values of the edit.
  func json(_ encoding: PositionEncoding) -> JSON {
    .array(
      edits.map { edit in
        TextRange(edit.range, in: source, encoding).edit(String(decoding: edit.text, as: UTF8.self))
      })
  }
}
