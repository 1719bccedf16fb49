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
    case todo(name: String, today: CivilDay, watched: WatchedChanges? = nil)
  }

  package func makeInitialState() -> State { .welcome }
}

// MARK: Actions

extension RootWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = RootWorkflow

    /// An output of the welcome screen, with the current day.
    case welcome(WelcomeWorkflow.Output, today: CivilDay)
    case todo(TodoWorkflow.Output)
    case watching(WatchedChanges)
    /// A process has added to the log of changes.
    case logGrew
    case dayBegan(CivilDay)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .welcome(.loggedIn(let name, let token), let today):
        state = .todo(name: name, today: today)
        return token.map { .ended([OperationEnd($0, .loggedIn(name: name))]) }
      case .welcome(.registered(let name, let token), let today):
        state = .todo(name: name, today: today)
        return token.map { .ended([OperationEnd($0, .registered(name: name))]) }
      case .welcome(.failed(let token, let error), _):
        return .ended([OperationEnd(token, .failed(error))])
      case .watching(let changes):
        // A second request to watch has no further effect.
        if case .todo(let name, let today, nil) = state {
          state = .todo(name: name, today: today, watched: changes)
        }
        return nil
      // The loop reads the log after every event.
      case .logGrew: return nil
      case .dayBegan(let today):
        if case .todo(let name, _, let watched) = state {
          state = .todo(name: name, today: today, watched: watched)
        }
        return nil
      case .todo(.loggedOut(let ends)):
        state = .welcome
        return .ended(ends)
      // With one list, there is no other screen.
      case .todo(.closed), .todo(.agendaWanted): return nil
      case .todo(.ended(let ends)), .todo(.changedOther(_, let ends)):
        return .ended(ends)
      case .todo(.progressed(let tokens, let progress)):
        return .progressed(tokens, progress)
      }
    }
  }
}

// MARK: Rendering

extension RootWorkflow {
  package func render(state: State, context: RenderContext<RootWorkflow>) -> RootRendering {
    let welcome = WelcomeWorkflow(services: services)
      .mapOutput { [days = services.days] in Action.welcome($0, today: days.today) }
      .rendered(with: context)
    switch state {
    case .welcome:
      return RootRendering(
        backStack: BackStackScreen(items: welcome.items), operations: welcome.operations)
    case .todo(let name, let today, let watched):
      let todo = rendering(of: name, today, context)
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

  private func rendering(
    of name: String, _ today: CivilDay, _ context: RenderContext<RootWorkflow>
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
