import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// A load is asked for, or comes further.
  enum LoadAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    case asked(refresh: Bool, OperationToken, source: String)
    case syncAsked(OperationToken?)
    /// The time has come that the schedule named.
    case due(SyncGoal)
    case loading(LoadingWorkflow.Output, source: String)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .asked(let refresh, let token, let source):
        state.list.selected = nil
        return state.ask(refresh: refresh, token: token, source: source)
      case .syncAsked(let token):
        state.list.selected = nil
        return state.askForSync(token)
      case .due(let goal):
        if !state.load.isRunning { state.load.start(goal, inFront: false) }
        return nil
      case .loading(.opened(let rows, let syncedAt), _):
        state.load.moveBehindList()
        state.syncedAt = syncedAt
        state.show(rows, isOutdated: state.load.run?.isOutdated ?? false)
        state.recount()
        return nil
      case .loading(.progressed(let progress), _):
        let tokens = state.load.tokens
        return tokens.isEmpty ? nil : .progressed(tokens, progress)
      case .loading(.sent, _):
        state.readRows()
        state.recount()
        return nil
      case .loading(.loaded(let rows, let report), let source):
        let summary = LoadSummary(total: rows.total, isComplete: true, source: source)
        return state.endLoad(.success(summary), report, rows: rows)
      case .loading(.failed(let error, let rows, let report), _):
        return state.endLoad(.error(error), report, rows: rows)
      case .loading(.cancelled, _):
        state.list.selected = nil
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
      case .back:
        state.list.notify(.warning, "Not up to date: \(error.message)", isOfSource: true)
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
    if !refresh, case .success(let summary) = load.request {
      return .ended([OperationEnd(token, .loaded(summary))])
    }
    if load.isRunning {
      load.wait(for: .load, token)
    } else {
      startLoad(.pull, waiter: .load, token)
    }
    return nil
  }

  /// Sends and takes everything; after the load that runs, which may do less.
  fileprivate mutating func askForSync(_ token: OperationToken?) -> TodoWorkflow.Output? {
    guard hasSource else {
      return token.map { .ended([OperationEnd($0, .synced(.local))]) }
    }
    if !load.isRunning {
      startLoad(.both, waiter: .sync, token)
    } else if let token {
      load.wait(for: .sync, token)
    }
    return nil
  }

  /// Starts a load behind the list, for an operation that waits for it.
  private mutating func startLoad(
    _ goal: SyncGoal, waiter: LoadCoordinator.Waiter.Goal, _ token: OperationToken?
  ) {
    if case .loadFailed = step { step = .list }
    startLoad(goal, inFront: false, by: token)
    if let token { load.wait(for: waiter, token) }
  }

  fileprivate mutating func endLoad(
    _ result: AsyncRequestState<LoadSummary>, _ report: SyncReport, rows: TodoRows?
  ) -> TodoWorkflow.Output? {
    guard let run = load.run else { return nil }
    let waiters = load.end(result)
    schedule.recordEnd(
      report, isWell: result.failure == nil && (!run.goal.pushes || isProgress(report)))
    syncedAt = report.syncedAt ?? syncedAt
    if let rows { show(rows, isOutdated: run.isOutdated) }
    refreshEdit()
    recount()
    if let error = result.failure {
      show(error, isInFront: run.isInFront, isAwaited: !waiters.isEmpty || load.nextGoal != nil)
    } else {
      if case .loadFailed = step { step = .list }
      list.clearMessageOfSource()
      tell(report)
    }
    if let goal = load.nextGoal { load.start(goal, inFront: false) }
    return .reported(waiters.map { OperationEnd($0.token, $0.goal.outcome(of: result, report)) })
  }

  /// Whether something was sent or refused, or there was nothing to send: else another server sends
  /// it.
  private func isProgress(_ report: SyncReport) -> Bool {
    counts.pending == 0 || report.pushed > 0 || !report.failed.isEmpty || report.isComplete
  }

  private mutating func show(_ error: TodoError, isInFront: Bool, isAwaited: Bool) {
    // A user who edits a todo is not interrupted: the list shows the error.
    if step == .list, isInFront {
      step = .loadFailed(error)
    } else if isAwaited || schedule.hasJustFailed {
      let age = syncedAt.map { " The list is as of \($0)." } ?? ""
      list.notify(
        .warning, "Not up to date: \(error.message)\(hasSource ? age : "")", isOfSource: true)
    }
  }

  /// What somebody has to look at.
  private mutating func tell(_ report: SyncReport) {
    if let failed = report.failed.first {
      list.notify(.warning, "“\(failed.title)” was refused: \(failed.failure.message)")
    } else if report.conflicts > 0 {
      let noun = report.conflicts == 1 ? "todo was" : "todos were"
      list.notify(
        .warning, "\(report.conflicts) \(noun) changed both here and at the source. Open to settle."
      )
    }
  }

  /// Stops the run in flight. The operations that wait for it are answered with the rows that are
  /// read now.
  mutating func cancelLoad() {
    load.stop()
    list.notify(
      .warning, "Loading was stopped. The list may not be complete.", isOfSource: true)
    readRows()
  }

  /// Answers the operations whose run was stopped.
  mutating func answerEndedLoad(_ outcome: TodoOutcome) -> [OperationEnd] {
    let stopped = TodoOutcome.failed(TodoError(.interrupted, "The sync was stopped."))
    return load.drainStopped().map { waiter in
      switch waiter.goal {
      case .load: OperationEnd(waiter.token, outcome)
      case .sync: OperationEnd(waiter.token, stopped)
      }
    }
  }
}

extension LoadCoordinator.Waiter.Goal {
  fileprivate func outcome(
    of result: AsyncRequestState<LoadSummary>, _ report: SyncReport
  ) -> TodoOutcome {
    switch (self, result) {
    case (.load, .success(let summary)): .loaded(summary)
    case (.load, .error(let error)): .failed(error)
    case (.load, .none), (.load, .request): .cancelled
    // A rate limit does not fail the sync: the rest is sent when it ends.
    case (.sync, .error(let error)) where error.kind != .rateLimited: .failed(error)
    case (.sync, .none), (.sync, .request), (.sync, .success), (.sync, .error): .synced(report)
    }
  }
}

extension TodoWorkflow.Output {
  /// Tells how operations have ended, unless nobody waits for any.
  static func reported(_ ends: [OperationEnd]) -> TodoWorkflow.Output? {
    ends.isEmpty ? nil : .ended(ends)
  }
}
