import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that syncs a list with its source, and shows the progress.
struct LoadingWorkflow: Workflow {
  var list: TodoListKey
  var source = TodoSource.local
  var services: TodoServices
  var goal = SyncGoal.pull
  /// Whether this is the first load of the session, before which no rows are shown.
  var isFirst = false
  var window = ListWindow.whole

  enum Output {
    /// The rows were read before the sync. The sync continues. `syncedAt` is the time of the last
    /// sync that has loaded all changes.
    case opened(TodoRows, syncedAt: Timestamp?)
    case progressed(LoadProgress)
    case sent
    case loaded(TodoRows, SyncReport)
    /// The load has failed. Items that were received before the failure are stored. `rows` is `nil`
    /// if the store cannot be read.
    case failed(TodoError, rows: TodoRows?, SyncReport)
    case cancelled
  }
}

// MARK: State

extension LoadingWorkflow {
  struct State: Equatable {
    var progress = LoadProgress(pagesDone: 0)
  }

  func makeInitialState() -> State { State() }
}

// MARK: Actions

extension LoadingWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = LoadingWorkflow

    case worker(LoadWorker.Event)
    case cancelTapped

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .worker(.progressed(let progress)):
        state.progress = progress
        return .progressed(progress)
      case .worker(.opened(let rows, let syncedAt)): return .opened(rows, syncedAt: syncedAt)
      case .worker(.sent): return .sent
      case .worker(.loaded(let rows, let report)): return .loaded(rows, report)
      case .worker(.failed(let error, let rows, let report)):
        return .failed(error, rows: rows, report)
      case .cancelTapped: return .cancelled
      }
    }
  }
}

// MARK: Rendering

extension LoadingWorkflow {
  func render(state: State, context: RenderContext<LoadingWorkflow>) -> LoadingScreen {
    let worker = LoadWorker(
      list: list, source: source, services: services, goal: goal, isFirst: isFirst, window: window)
    context.awaitResult(for: worker) { Action.worker($0) }
    let sink = context.makeSink(of: Action.self)
    return LoadingScreen(
      source: source.name.isEmpty ? nil : source.title, progress: state.progress,
      onCancelTapped: { sink.send(.cancelTapped) })
  }
}
