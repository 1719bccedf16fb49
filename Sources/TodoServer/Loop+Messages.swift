import JSONRPC
import ScreenModel
import TodoModel
import TodoProtocol
import TodoWorkflows
import WorkflowRuntime

// MARK: From messages to calls

extension Loop {
  /// Takes what one frame holds. A cancellation is applied before anything of the same read has
  /// begun.
  func receive(_ incoming: Incoming) {
    switch incoming {
    case .single(let message): receive(message, batch: nil)
    case .batch(let messages):
      let number = (batches.keys.max() ?? 0) + 1
      let answeredCount = messages.count { $0.wantsAnswer }
      if answeredCount > 0 { batches[number] = Batch(unansweredCount: answeredCount) }
      for message in messages { receive(message, batch: number) }
    }
  }

  private func receive(_ message: Message, batch: Int?) {
    switch message {
    case .request(let request):
      // Nor must `shutdown`, behind a login that hangs.
      if request.method == MethodName.shutdown.rawValue, barrier != nil { startGrace() }
    case .response, .invalid: break
    case .notification(let notification):
      switch NotificationName(rawValue: notification.method) {
      case .cancelRequest: return cancel(notification)
      // While something is in flight that hangs, `exit` must not hang with it.
      case .exit: startGrace()
      case .initialized, .setTrace, nil: break
      }
    }
    inbox.add(InboxMessage(message: message, batch: batch))
  }

  func handle(_ inboxMessage: InboxMessage) {
    let batch = inboxMessage.batch
    switch inboxMessage.message {
    case .request(let request): handle(request, batch: batch)
    case .notification(let notification): handle(notification)
    case .invalid(let id, let error): answer(ReplyAddress(id: id, batch: batch), .error(error))
    case .response: log(.debug, "A response was dropped: this server asks nothing.")
    }
  }

  private func handle(_ request: Request, batch: Int?) {
    let reply = ReplyAddress(id: request.id, batch: batch)
    traceRequest(request)
    if inFlight.contains(request.id) {
      // Without a batch the id alone would not say which of the two is meant.
      return answer(reply, .error(.invalidRequest("a request with this id is in flight")))
    }
    do throws(RPCError) {
      try checkPhase(request.method)
      if isBenchmark, request.method == Flood.method {
        return try beginFlood(request, reply)
      }
      perform(try Call(method: request.method, params: request.params), reply)
    } catch {
      answer(reply, .error(error))
    }
  }

  private func handle(_ notification: Notification) {
    guard let name = NotificationName(rawValue: notification.method) else {
      return handleCallWithoutAnswer(notification)
    }
    switch name {
    case .exit: exit()
    case .initialized: if phase == .serving, !drawing.isOn { startRendering() }
    case .setTrace:
      do throws(RPCError) {
        trace = try SetTrace(notification.params).value
      } catch {
        log(.warning, "\(notification.method): \(error.message)")
      }
    // Applied when it was received.
    case .cancelRequest: break
    }
  }

  /// A method that was sent as a notification is carried out, and not answered.
  private func handleCallWithoutAnswer(_ notification: Notification) {
    guard phase == .serving else { return }
    do throws(RPCError) {
      let call = try Call(method: notification.method, params: notification.params)
      perform(call, .notification)
    } catch {
      // `$/` notifications are optional by their nature.
      let level = notification.method.hasPrefix("$/") ? LogLevel.debug : .warning
      log(level, "Notification dropped: \(error.message)")
    }
  }

  private func checkPhase(_ method: String) throws(RPCError) {
    switch phase {
    case .waitingForInitialize:
      if method != MethodName.initialize.rawValue {
        throw .serverNotInitialized("initialize has to come first")
      }
    case .serving: break
    case .shutDown: throw .invalidRequest("the server is shut down and takes only exit")
    }
  }

  private func traceRequest(_ request: Request) {
    guard trace != .off else { return }
    let method = RPCError.excerpt(of: request.method)
    var params: JSONObject = [
      "message": .string("Received request '\(method)' with id \(request.id).")
    ]
    if trace == .verbose {
      // Never the values: they may be secrets.
      let names = request.params?.objectValue.map { Array($0.keys) } ?? []
      params["verbose"] = .string("Members: \(names.sorted().joined(separator: ", "))")
    }
    notify(.logTrace, .object(params))
  }
}

extension Message {
  fileprivate var wantsAnswer: Bool {
    switch self {
    case .request, .invalid: true
    case .notification, .response: false
    }
  }
}

// MARK: Answers

extension Loop {
  func notify(_ name: ServerNotification, _ params: JSON) {
    outbox.wait(.notification(method: name.rawValue, params: params))
  }

  /// Answers a request, once; a batch when its last request is answered.
  func answer(_ reply: ReplyAddress, _ outcome: Answer.Outcome) {
    if reply.isNotification { return logOutcome(outcome) }
    let answer = Answer(id: reply.id, outcome: outcome)
    guard let number = reply.batch, var batch = batches[number] else {
      return outbox.wait(.response(answer))
    }
    batch.answers.append(answer)
    batch.unansweredCount -= 1
    if batch.unansweredCount == 0 {
      batches[number] = nil
      outbox.wait(.batch(batch.answers))
    } else {
      batches[number] = batch
    }
  }

  /// What a notification asked for may fail, and nobody hears of it otherwise.
  private func logOutcome(_ outcome: Answer.Outcome) {
    switch outcome {
    case .result: break
    case .error(let error): log(.warning, "A notification failed: \(error.message)")
    case .notOffered(let sentence): log(.warning, "A notification failed: \(sentence)")
    }
  }

  /// Answers the request of an operation that has ended, if anybody still waits for it.
  func answer(_ token: OperationToken, _ outcome: Answer.Outcome) {
    if barrier?.token == token { barrier = nil }
    guard let entry = inFlight.remove(token) else { return }
    if case .loadTodos(let progressToken?) = entry.kind {
      let params = ProgressWire.params(token: progressToken, value: ProgressWire.end())
      notify(.progress, params)
    }
    answer(entry.reply, outcome)
  }
}

// MARK: Cancelling

extension Loop {
  private func cancel(_ notification: Notification) {
    do throws(RPCError) {
      let id = try CancelRequest(notification.params).id
      if let waiting = inbox.remove(id: id) {
        answer(ReplyAddress(id: id, batch: waiting.batch), .error(.requestCancelled()))
      } else if let token = inFlight.token(for: id) {
        cancel(token)
      }
    } catch {
      log(.warning, "\(notification.method): \(error.message)")
    }
  }

  /// Answers at once; the work stops, and what it still says is dropped.
  func cancel(_ token: OperationToken) {
    answer(token, .error(.requestCancelled()))
    guard let host else { return }
    switch host.rendering.session {
    case .loggedOut(let operations): operations.cancel(token)
    case .loggedIn(let operations): operations.cancel(token)
    }
  }

  /// Ends everything that has begun, and what can begin only after it, until nothing is left.
  func cancelAll() {
    while !inFlight.isEmpty {
      for token in inFlight.allTokens { cancel(token) }
      settle()
      handleInbox()
    }
  }

  /// Answers what has come in and will not be begun; what is no message, with what is wrong with it.
  func cancelInbox() {
    for waiting in inbox.removeAll() {
      let batch = waiting.batch
      switch waiting.message {
      case .request(let request):
        answer(ReplyAddress(id: request.id, batch: batch), .error(.requestCancelled()))
      case .invalid(let id, let error): answer(ReplyAddress(id: id, batch: batch), .error(error))
      case .notification, .response: break
      }
    }
  }

  /// Cancels what waits for the network or for a hash, but no change on its way to the store.
  func cancelWaiting() {
    for token in inFlight.allTokens {
      switch inFlight[token]?.kind {
      case .login, .register, .loadTodos: cancel(token)
      case .act, .logout, .listTodos, .getTodo, .change, .remove, nil: break
      }
    }
  }
}
