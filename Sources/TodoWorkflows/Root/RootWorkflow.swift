import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// The root of the app: the welcome screen at the bottom of the back stack, and the user's todos on
/// top of it.
package struct RootWorkflow: Workflow {
  package var services: TodoServices
  /// The window of the list to show after a login.
  package var window: ListWindow

  /// The name of the list screen, whose window can be set before the screen exists.
  package static let listScreenName = TodoListScreen.name

  package init(services: TodoServices, window: ListWindow = .whole) {
    self.services = services
    self.window = window
  }

  package enum Output {
    /// Operations whose clients wait have ended.
    case ended([OperationEnd])
    /// A load whose client waits has progressed.
    case progressed([OperationToken], LoadProgress)
  }
}

// MARK: State

extension RootWorkflow {
  package enum State: Equatable {
    case welcome
    /// Discovery of the user's lists, before the login ends.
    case discovering(PendingLogin)
    /// A user is logged in. `services` contains the discovered lists; `nil` if no source needs a
    /// discovery.
    case todo(
      name: String, today: CivilDay, watched: WatchedChanges? = nil, services: TodoServices? = nil)
  }

  package struct PendingLogin: Equatable {
    package var name: String
    package var today: CivilDay
    /// The outcome to report to the operation that waits for the login; `nil` if none waits.
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
    case cancel(OperationToken)
    case todo(TodoWorkflow.Output)
    case watching(WatchedChanges)
    /// A process has added to the log of changes.
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
      case .cancel(let token):
        if case .discovering(let login) = state, login.end?.token == token { state = .welcome }
        return nil
      case .welcome(.failed(let token, let error), _, _):
        return .ended([OperationEnd(token, .failed(error))])
      case .watching(let changes):
        // A second request joins the first.
        if case .todo(let name, let today, nil, let services) = state {
          state = .todo(name: name, today: today, watched: changes, services: services)
        }
        return nil
      // The loop reads the log after every event.
      case .logGrew: return nil
      case .dayBegan(let today):
        if case .todo(let name, _, let watched, let services) = state {
          state = .todo(name: name, today: today, watched: watched, services: services)
        }
        return nil
      case .todo(.loggedOut(let ends)):
        state = .welcome
        return .ended(ends)
      // With one list, there is no other screen.
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
        let worker = DiscoveryRefreshWorker(profile: name, services: services, sync: sync)
        context.awaitResult(for: worker) { (_: Never) -> Action in }
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
  /// Returns the operations of the lists. In addition, they store which changes the client watches,
  /// until it logs out.
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

  /// Returns the operations during the discovery of lists: all are refused until the login ends.
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

/// The screens of the app, and the operations that are possible now.
package struct RootRendering {
  package var backStack: BackStackScreen
  package var operations: Operations
  /// The name of the user who is logged in.
  package var user: String?
  /// The user's current day.
  package var today: CivilDay?
  /// The unsaved texts of the open forms.
  package var unsavedTexts: [UnsavedText] = []
  /// The changes that the client watches.
  package var watched: WatchedChanges?
}
