import JSONRPC
import ScreenModel
import TodoModel
import TodoProtocol
import TodoWorkflows
import WorkflowRuntime

// MARK: One line a call

extension Loop {
  func perform(_ call: Call, _ reply: ReplyAddress) {
    switch call {
    case .initialize(let params): initialize(params, reply)
    case .shutdown: shutDown(reply)
    case .workflowRendering: answerRendering(reply)
    case .screenChange(let params): change(params, reply)
    case .screenAct(let params): act(params, reply)
    case .screenWindow(let params): show(params, reply)
    case .login(let params): logIn(params, reply)
    case .logout: logOut(reply)
    case .register(let params): register(params, reply)
    case .loadTodos(let params): load(params, reply)
    case .listTodos(let params): ask(.page(params.query), .listTodos(params), reply)
    case .getTodo(let params): ask(.todo(params.id), .getTodo, reply)
    case .addTodo(let params): add(params, reply)
    case .editTodo(let params): edit(params, reply)
    case .removeTodo(let params):
      perform(.remove(params.id, expectedVersion: params.version), .remove, reply)
    case .undo: perform(.undo, .change, reply)
    case .redo: perform(.redo, .change, reply)
    }
  }
}

// MARK: Lifecycle

extension Loop {
  private func initialize(_ params: Initialize, _ reply: ReplyAddress) {
    guard phase == .waitingForInitialize else {
      return answer(reply, .error(.invalidRequest("the server is initialized already")))
    }
    do {
      let options = try setup.options.overridden(by: params.options)
      do throws(TodoError) {
        let services = try setup.openServices(options)
        let window = ListWindow(limit: params.rendering.windowLimit)
        let workflow = RootWorkflow(services: services, window: window)
        (root, host) = (workflow, WorkflowHost(workflow: workflow))
        if let notice = services.notice { tell(.warning, notice) }
      } catch {
        throw RPCError(error)
      }
    } catch let error as RPCError {
      return answer(reply, .error(error))
    } catch {
      return answer(reply, .error(.internalError("initialize failed")))
    }
    phase = .serving
    trace = params.trace
    drawing.isPatching = params.rendering.isPatching
    if let processID = params.processID { effects.append(.watch(processID: processID)) }
    answer(reply, .json(Initialize.result(version: setup.version)))
  }

  private func shutDown(_ reply: ReplyAddress) {
    phase = .shutDown
    shutdownReply = reply
    answerShutdown()
    if shutdownReply != nil { startGrace() }
  }
}

extension ServerOptions {
  fileprivate func overridden(
    by options: InitializationOptions
  ) throws(RPCError) -> ServerOptions {
    var merged = self
    merged.store = try read("store", options.store, StoreKind.init) ?? store
    merged.source = try read("source", options.source, SourceKind.init) ?? source
    merged.githubURL = options.githubURL ?? githubURL
    merged.registerURL = options.registerURL ?? registerURL
    return merged
  }

  private func read<Value>(
    _ name: String, _ text: String?, _ value: (String) throws(OptionError) -> Value
  ) throws(RPCError) -> Value? {
    guard let text else { return nil }
    do throws(OptionError) {
      return try value(text)
    } catch {
      throw .invalidParams(
        "params.initializationOptions.\(name): \(error.message), got another string")
    }
  }
}

// MARK: Screens

extension Loop {
  private func answerRendering(_ reply: ReplyAddress) {
    describe()
    let screens = screens
    answer(
      reply, .result { ScreenWire.writeRendering(screens, revision: $1, to: &$0) })
  }

  private func change(_ params: ScreenChange, _ reply: ReplyAddress) {
    guard let (screen, front) = front(params.screen, reply) else { return }
    do throws(ScreenOffer.Refusal) {
      try ScreenOffer.checkFields(params.values, in: screen)
      try ScreenOffer.checkTakesText(front)
      front.change(params.values, seenVersion: seenVersion(params.revision))
      answer(reply, .withRevision())
    } catch {
      refuse(error, reply)
    }
  }

  private func act(_ params: ScreenAct, _ reply: ReplyAddress) {
    guard let (screen, front) = front(params.screen, reply) else { return }
    do throws(ScreenOffer.Refusal) {
      try ScreenOffer.checkExists(params.action, in: screen)
      let values = try ScreenOffer.sort(params.values, action: params.action, in: screen)
      if !values.form.isEmpty {
        try ScreenOffer.checkTakesText(front)
        front.change(values.form, seenVersion: seenVersion(params.revision))
      }
      // The values may have changed what is offered.
      guard let (screen, front) = self.front(params.screen, reply) else { return }
      try ScreenOffer.checkAction(params.action, item: params.item, in: screen)
      perform(reply) { token in
        front.act(
          ActionCall(action: params.action, item: params.item, input: values.input, token: token))
      }
    } catch {
      refuse(error, reply)
    }
  }

  /// Which version of the text was in front at a revision.
  private func seenVersion(_ revision: Int?) -> Int64? {
    revision.flatMap { drawing.seenTexts.version(at: Int64($0)) }
  }

  /// Which part of a list is shown. A list need not be in front for that, and the one that comes
  /// after the login need not be there yet.
  private func show(_ params: ScreenWindow, _ reply: ReplyAddress) {
    describe()
    let index = screens.lastIndex { $0.name == params.screen && $0.isList }
    guard index != nil || params.screen == RootWorkflow.listScreenName, var root else {
      return answer(reply, notShown(params.screen))
    }
    perform(reply) { token in
      if let index { host?.rendering.backStack.items[index].show(params.window, token) }
      // Also for the next one who logs in.
      root.window = params.window
      self.root = root
      host?.update(workflow: root)
    }
  }

  /// Does something on a screen, and answers when a store operation that it began has ended.
  private func perform(_ reply: ReplyAddress, _ body: (OperationToken) -> Void) {
    let token = makeToken()
    inFlight.add(InFlight(reply: reply, kind: .act), token: token)
    body(token)
    settle()
    if !isWaiting(token) { answer(token, .withRevision()) }
  }

  private func notShown(_ name: String) -> Answer.Outcome {
    .notOffered("The screen \"\(RPCError.excerpt(of: name))\" is not in front now.")
  }

  /// The screen in front, if it is the one that is meant; otherwise answers that it is not.
  private func front(
    _ name: String, _ reply: ReplyAddress
  ) -> (Screen, any DescribableScreen)? {
    describe()
    guard let screen = screens.last, screen.name == name,
      let front = host?.rendering.backStack.items.last
    else {
      answer(reply, notShown(name))
      return nil
    }
    return (screen, front)
  }

  /// Whether a store operation was begun that will end the token.
  private func isWaiting(_ token: OperationToken) -> Bool {
    guard case .loggedIn(let operations) = host?.rendering.session else { return false }
    return operations.waiting.contains(token)
  }

  private func refuse(_ refusal: ScreenOffer.Refusal, _ reply: ReplyAddress) {
    switch refusal {
    case .notOffered(let sentence): answer(reply, .notOffered(sentence))
    case .unknownField(let field, let known):
      let name = RPCError.excerpt(of: field)
      let expected = known.isEmpty ? "no field" : "one of \(known.joined(separator: ", "))"
      answer(reply, .error(.invalidParams("params.values.\(name): expected \(expected)")))
    }
  }
}

// MARK: Session

extension Loop {
  private func logIn(_ params: Login, _ reply: ReplyAddress) {
    guard let operations = welcomeOperations(reply) else { return }
    let token = begin(.login, reply)
    if barrier == nil { barrier = SessionBarrier(token: token, refusesLogin: true) }
    operations.logIn(params.name, params.password, token)
  }

  private func register(_ params: Register, _ reply: ReplyAddress) {
    guard let operations = welcomeOperations(reply) else { return }
    let token = begin(.register, reply)
    if barrier == nil { barrier = SessionBarrier(token: token, refusesLogin: true) }
    operations.register(params.username, params.password, token)
  }

  private func logOut(_ reply: ReplyAddress) {
    guard let operations = todoOperations(reply) else { return }
    let token = begin(.logout, reply)
    barrier = SessionBarrier(token: token, refusesLogin: false)
    operations.perform(.logOut, token)
  }

  private func begin(_ kind: InFlight.Kind, _ reply: ReplyAddress) -> OperationToken {
    let token = makeToken()
    inFlight.add(InFlight(reply: reply, kind: kind), token: token)
    return token
  }

  private func welcomeOperations(_ reply: ReplyAddress) -> WelcomeOperations? {
    if case .loggedOut(let operations) = host?.rendering.session { return operations }
    let error = TodoError(.alreadyLoggedIn, "Somebody is logged in already. Log out first.")
    answer(reply, .error(RPCError(error)))
    return nil
  }

  private func todoOperations(_ reply: ReplyAddress) -> TodoOperations? {
    if case .loggedIn(let operations) = host?.rendering.session { return operations }
    answer(reply, .error(RPCError(.notLoggedIn)))
    return nil
  }
}

// MARK: Todos

extension Loop {
  private func perform(
    _ operation: TodoOperation, _ kind: InFlight.Kind, _ reply: ReplyAddress
  ) {
    guard let operations = todoOperations(reply) else { return }
    operations.perform(operation, begin(kind, reply))
  }

  private func ask(
    _ question: TodoQuestion, _ kind: InFlight.Kind, _ reply: ReplyAddress
  ) {
    guard let operations = todoOperations(reply) else { return }
    switch operations.answer(question) {
    case .success(let success): answer(reply, outcome(success, of: kind))
    case .failure(let error): answer(reply, .error(RPCError(error)))
    case nil: operations.perform(question.operation, begin(kind, reply))
    }
  }

  private func load(_ params: LoadTodos, _ reply: ReplyAddress) {
    guard let operations = todoOperations(reply) else { return }
    let token = begin(.loadTodos(progressToken: params.progressToken), reply)
    if let progressToken = params.progressToken {
      let value = ProgressWire.begin(title: "Loading todos")
      notify(.progress, ProgressWire.params(token: progressToken, value: value))
    }
    operations.load(params.refresh, token)
  }

  private func add(_ params: AddTodo, _ reply: ReplyAddress) {
    do throws(TodoError) {
      perform(.add(try TodoDraft(title: params.title, note: params.note)), .change, reply)
    } catch {
      refuse(error, reply)
    }
  }

  private func edit(_ params: EditTodo, _ reply: ReplyAddress) {
    do throws(TodoError) {
      let edit = try TodoEdit(
        title: params.title, note: params.note, isDone: params.isDone,
        expectedVersion: params.version)
      perform(.edit(params.id, edit), .change, reply)
    } catch {
      refuse(error, reply)
    }
  }

  /// Somebody who is not logged in is told that first.
  private func refuse(_ error: TodoError, _ reply: ReplyAddress) {
    guard todoOperations(reply) != nil else { return }
    answer(reply, .error(RPCError(error)))
  }
}
