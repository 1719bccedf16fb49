import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// A load is asked for, or comes further.
  enum LoadAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    case asked(refresh: Bool, OperationToken, source: String)
    case loading(LoadingWorkflow.Output, source: String)

    func apply(toState state: inout State) -> Output? {
      state.selected = nil
      switch self {
      case .asked(let refresh, let token, let source):
        return state.ask(refresh: refresh, token: token, source: source)
      case .loading(.progressed(let progress), _):
        return state.load.waiting.isEmpty ? nil : .progressed(state.load.waiting, progress)
      case .loading(.loaded(let rows), let source):
        let summary = LoadSummary(total: rows.total, isComplete: true, source: source)
        return state.endLoad(.success(summary), rows: rows)
      case .loading(.failed(let error, let rows), _):
        return state.endLoad(.error(error), rows: rows)
      case .loading(.cancelled, _):
        state.cancelLoad()
        return nil
      }
    }
  }

  /// The load has failed, and its screen was answered.
  struct FailureAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: FailureWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .loadFailed(let error) = state.step else { return nil }
      state.step = .list
      switch output {
      case .retry: state.startLoad(inFront: true)
      case .back: state.say(.warning, "Not up to date: \(error.message)")
      }
      return nil
    }
  }
}

extension TodoWorkflow.State {
  /// Joins the load that runs, answers from the one that has ended, or starts one.
  fileprivate mutating func ask(
    refresh: Bool, token: OperationToken, source: String
  ) -> TodoWorkflow.Output? {
    switch load.request {
    case .request:
      load.waiting.append(token)
      return nil
    case .success(let summary) where !refresh:
      return .ended([OperationEnd(token, .loaded(summary))])
    case .none, .success, .error:
      if case .loadFailed = step { step = .list }
      startLoad(inFront: false, token: token)
      return nil
    }
  }

  fileprivate mutating func endLoad(
    _ request: AsyncRequestState<LoadSummary>, rows: TodoRows?
  ) -> TodoWorkflow.Output? {
    load.request = request
    if let rows { show(rows) }
    refreshEdit()
    switch request {
    case .success(let summary): return .told(answerLoad(.loaded(summary)))
    case .error(let error):
      // Somebody at work on a todo is not interrupted: the list says it instead.
      if step == .list, load.isInFront {
        step = .loadFailed(error)
      } else {
        say(.warning, "Not up to date: \(error.message)")
      }
      return .told(answerLoad(.failed(error)))
    case .none, .request: return nil
    }
  }

  /// Ends a load before its end. Who waits for it hears from the rows that are read now.
  mutating func cancelLoad() {
    load.request = .none
    say(.warning, "Loading was stopped. The list may not be complete.")
    readRows()
  }

  /// Answers everybody who waits for the load.
  mutating func answerLoad(_ outcome: TodoOutcome) -> [OperationEnd] {
    defer { (load.waiting, load.startedBy) = ([], nil) }
    return load.waiting.map { OperationEnd($0, outcome) }
  }

  /// Answers everybody who waits for a load that was ended before its end.
  mutating func answerEndedLoad(
    _ outcome: TodoOutcome
  ) -> [OperationEnd] {
    if case .none = load.request { answerLoad(outcome) } else { [] }
  }
}

extension TodoWorkflow.Output {
  /// Tells how operations have ended, unless nobody waits for any.
  static func told(_ ends: [OperationEnd]) -> TodoWorkflow.Output? {
    ends.isEmpty ? nil : .ended(ends)
  }
}
