import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Brings a list up to date with its source, and shows how far that is.
struct LoadingWorkflow: Workflow {
  var list: TodoListKey
  var services: TodoServices
  var window = ListWindow.whole

  enum Output {
    case progressed(LoadProgress)
    case loaded(TodoRows)
    /// What was delivered until then is kept; `rows` is nil when the store could not be read.
    case failed(TodoError, rows: TodoRows?)
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
      case .worker(.loaded(let rows)): return .loaded(rows)
      case .worker(.failed(let error, let rows)): return .failed(error, rows: rows)
      case .cancelTapped: return .cancelled
      }
    }
  }
}

// MARK: Rendering

extension LoadingWorkflow {
  func render(state: State, context: RenderContext<LoadingWorkflow>) -> LoadingScreen {
    context.awaitResult(for: LoadWorker(list: list, services: services, window: window)) {
      Action.worker($0)
    }
    let sink = context.makeSink(of: Action.self)
    return LoadingScreen(
      source: services.issues?.sourceName, progress: state.progress,
      onCancelTapped: { sink.send(.cancelTapped) })
  }
}
