import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// The root workflow of the app. The welcome screen is always at the bottom of the stack of
/// screens. After the login, the screens of the user's todos are above it.
package struct RootWorkflow: Workflow {
  package var services: TodoServices
  /// The initial window of each list: the part that the front-end shows.
  package var window: ListWindow

  /// The name of the list screen. Clients can set the window of this screen before it exists.
  package static let listScreenName = TodoListScreen.name

  package init(services: TodoServices, window: ListWindow = .whole) {
    self.services = services
    self.window = window
  }

  package enum Output {
    /// Operations for which clients wait have ended.
    case ended([OperationEnd])
    /// A load for which clients wait has made progress.
    case progressed([OperationToken], LoadProgress)
  }
}

// MARK: State

extension RootWorkflow {
  package enum State: Equatable {
    case welcome
    /// The user has logged in, and the lists of the user are being discovered.
    case discovering(PendingLogin)
    /// A user is logged in. `services` contains the discovered lists; it is `nil` if there are no
    /// hosts whose lists must be discovered.
    case todo(
      name: String, today: CivilDay, watched: WatchedChanges? = nil, services: TodoServices? = nil)
  }

  package struct PendingLogin: Equatable {
    package var name: String
    package var today: CivilDay
    /// The outcome of the login, to be reported after the discovery; `nil` if no client waits for
    /// it.
    package var end: OperationEnd?
  }

  package func makeInitialState() -> State { .welcome }
}

// MARK: Actions

extension RootWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = RootWorkflow

    /// An output of the welcome screen, with the current day.
    case welcome(WelcomeWorkflow.Output, today: CivilDay, needsDiscovery: Bool = false)
    case discovered(TodoServices)
    /// Services with the lists that a discovery during the session has found.
    case rediscovered(TodoServices)
    case cancel(OperationToken)
    case todo(TodoWorkflow.Output)
    case watching(WatchedChanges)
    /// A process has added changes to the store's log of changes.
    case logGrew
    case dayBegan(CivilDay)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .welcome(.loggedIn(let name, let token), let today, let needsDiscovery):
        let end = token.map { OperationEnd($0, .loggedIn(name: name)) }
        return state.begin(
          PendingLogin(name: name, today: today, end: end), needsDiscovery: needsDiscovery)
      case .welcome(.registered(let name, let token), let today, let needsDiscovery):
        let end = token.map { OperationEnd($0, .registered(name: name)) }
        return state.begin(
          PendingLogin(name: name, today: today, end: end), needsDiscovery: needsDiscovery)
      case .discovered(let services):
        guard case .discovering(let login) = state else { return nil }
        state = .todo(name: login.name, today: login.today, services: services)
        return login.end.map { .ended([$0]) }
      case .rediscovered(let found):
        state.add(found)
        return nil
      case .cancel(let token):
        if case .discovering(let login) = state, login.end?.token == token { state = .welcome }
        return nil
      case .welcome(.failed(let token, let error), _, _):
        return .ended([OperationEnd(token, .failed(error))])
      case .watching(let changes):
        // A second request to watch does not move the position at which watching began.
        if case .todo(let name, let today, nil, let services) = state {
          state = .todo(name: name, today: today, watched: changes, services: services)
        }
        return nil
      // The loop reads the log after each event.
      case .logGrew: return nil
      case .dayBegan(let today):
        if case .todo(let name, _, let watched, let services) = state {
          state = .todo(name: name, today: today, watched: watched, services: services)
        }
        return nil
      case .todo(.loggedOut(let ends)):
        state = .welcome
        return .ended(ends)
      // A user with one list has no other screen to return to.
      case .todo(.closed), .todo(.agendaWanted): return nil
      case .todo(.ended(let ends)), .todo(.changedOtherList(_, let ends)):
        return .ended(ends)
      case .todo(.progressed(let tokens, let progress)):
        return .progressed(tokens, progress)
      }
    }
  }
}

extension RootWorkflow.State {
  fileprivate mutating func begin(
    _ login: RootWorkflow.PendingLogin, needsDiscovery: Bool
  ) -> RootWorkflow.Output? {
    if needsDiscovery {
      self = .discovering(login)
      return nil
    }
    self = .todo(name: login.name, today: login.today)
    return login.end.map { .ended([$0]) }
  }

  /// Adds the lists that the session does not have yet.
  fileprivate mutating func add(_ found: TodoServices) {
    guard case .todo(let name, let today, var watched, let services?) = self,
      let extended = services.extended(with: found)
    else { return }
    watched?.lists = extended.sources.map { TodoListKey(profile: name, source: $0.name) }
    self = .todo(name: name, today: today, watched: watched, services: extended)
  }
}

// MARK: Rendering

extension RootWorkflow {
  package func render(state: State, context: RenderContext<RootWorkflow>) -> RootRendering {
    let welcome = WelcomeWorkflow(services: services)
      .mapOutput { [days = services.days, needsDiscovery = services.needsDiscovery] in
        Action.welcome($0, today: days.today, needsDiscovery: needsDiscovery)
      }
      .rendered(with: context)
    switch state {
    case .welcome:
      return RootRendering(
        backStack: BackStackScreen(items: welcome.items), operations: welcome.operations)
    case .discovering(let login):
      context.awaitResult(for: DiscoveryWorker(profile: login.name, services: services)) {
        Action.discovered($0)
      }
      return RootRendering(
        backStack: BackStackScreen(items: welcome.items), operations: operations(of: login, context)
      )
    case .todo(let name, let today, let watched, let found):
      let todo = rendering(of: name, found ?? services, today, context)
      if services.needsDiscovery, let sync = services.sync {
        let worker = DiscoveryRefreshWorker(
          profile: name, services: services, sync: sync,
          refreshCount: todo.lists.reduce(0) { $0 + $1.refreshCount })
        context.awaitResult(for: worker) { Action.rediscovered($0) }
      }
      context.awaitResult(for: DayWorker(days: services.days, today: today)) { Action.dayBegan($0) }
      if let watched, let feed = services.store.changeFeed {
        context.awaitResult(for: LogWatchWorker(feed: feed, position: watched.position)) { _ in
          Action.logGrew
        }
      }
      return RootRendering(
        backStack: BackStackScreen(items: welcome.items + todo.items),
        operations: operations(todo.operations, context), user: name, today: today,
        unsavedTexts: todo.unsavedTexts, watched: watched)
    }
  }
}

extension RootWorkflow {
  /// Returns a copy of `operations` whose operation `watch` also records the changes that the
  /// client watches.
  private func operations(
    _ operations: Operations, _ context: RenderContext<RootWorkflow>
  ) -> Operations {
    let sink = context.makeSink(of: Action.self)
    var noting = operations
    noting.begin = { operation, token in
      let outcome = operations.begin(operation, token)
      if case .watching(let changes)? = outcome { sink.send(.watching(changes)) }
      return outcome
    }
    return noting
  }

  /// Returns operations that all fail, because the lists of the user are still being discovered.
  private func operations(
    of login: PendingLogin, _ context: RenderContext<RootWorkflow>
  ) -> Operations {
    let sink = context.makeSink(of: Action.self)
    return Operations(
      begin: { _, _ in .failed(TodoError(.busy, "A login is in progress.")) },
      cancel: { sink.send(.cancel($0)) },
      isWaiting: { $0 == login.end?.token })
  }

  private func rendering(
    of name: String, _ services: TodoServices, _ today: CivilDay,
    _ context: RenderContext<RootWorkflow>
  ) -> TodoWorkflow.Rendering {
    AgendaWorkflow(
      directory: ListDirectory(name: name, services: services), today: today, window: window
    )
    .mapOutput { Action.todo($0) }
    .rendered(with: context)
  }
}

/// The rendering of the app: the screens, and the operations that are possible now.
package struct RootRendering {
  package var backStack: BackStackScreen
  package var operations: Operations
  /// The name of the user; `nil` before the login.
  package var user: String?
  /// The current day of the user; `nil` before the login.
  package var today: CivilDay?
  /// The unsaved texts of the open forms.
  package var unsavedTexts: [UnsavedText] = []
  /// The changes that the client watches; `nil` if it watches none.
  package var watched: WatchedChanges?
}
