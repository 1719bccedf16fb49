import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// The progress or the end of the sync in flight, or the start of a scheduled sync.
  enum LoadAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    /// A pause of the schedule has ended. A sync with this goal starts.
    case due(SyncGoal)
    case loading(LoadingWorkflow.Output, source: String)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .due(let goal):
        state.queue.add(.scheduled(goal), token: nil)
        return .reported(state.startDueLoads())
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
        state.cancelLoad()
        return nil
      }
    }
  }

  /// An action of the user on the screen for a failed load.
  struct FailureAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: FailureWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .loadFailed(let error) = state.step else { return nil }
      state.step = .list
      switch output {
      case .retry: state.startLoad(.pull, inFront: true)
      case .back:
        state.list.notify(.warning, "Not up to date: \(error.message)", about: .sourceFailure)
      }
      return nil
    }
  }
}

extension TodoWorkflow.State {
  /// Starts the queued loads and syncs that can start, because all earlier operations have ended.
  ///
  /// - Parameter keepsMessage: Whether the list keeps its message. `true` directly after the end of
  ///   an operation, because this operation may have set the message.
  /// - Returns: The outcomes of loads and syncs that have nothing to do, to be reported.
  mutating func startDueLoads(keepsMessage: Bool = false) -> [OperationEnd] {
    queue.popDueLoads().flatMap { start($0, keepsMessage: keepsMessage) }
  }

  private mutating func start(_ queued: QueuedLoad, keepsMessage: Bool) -> [OperationEnd] {
    let token = queued.token
    switch queued.request {
    case .load(let refresh):
      if refresh { refreshCount += 1 }
      guard !refresh, case .success(let summary) = load.request else {
        // A load of a local list always reads everything.
        join(refresh && hasSource ? .reload : .pull, .load, token, keepsMessage: keepsMessage)
        return []
      }
      // The number of todos may have changed. It will be known when the rows have been read.
      guard queue.isReadingRows else { return OperationEnd.ends(token, .loaded(summary)) }
      load.waitForRows(token)
    case .sync:
      refreshCount += 1
      guard hasSource else { return OperationEnd.ends(token, .synced(.local)) }
      join(.both, .sync, token, keepsMessage: keepsMessage)
    case .scheduled(let goal):
      if !load.isRunning { load.start(goal, inFront: false) }
    }
    return []
  }

  /// Adds a load or sync to the waiters. If no run is in flight, first starts a run. If the run in
  /// flight does not achieve the goal, the load or sync waits for a later run.
  private mutating func join(
    _ goal: SyncGoal, _ waiter: LoadCoordinator.Waiter.Goal, _ token: OperationToken?,
    keepsMessage: Bool
  ) {
    if !load.isRunning {
      if case .loadFailed = step { step = .list }
      if !keepsMessage { list.clearMessage() }
      load.start(goal, inFront: false, by: token)
    }
    load.wait(for: waiter, needsAll: goal.isWhole, token)
  }

  fileprivate mutating func endLoad(
    _ result: AsyncRequestState<LoadSummary>, _ report: SyncReport, rows: TodoRows?
  ) -> TodoWorkflow.Output? {
    guard let run = load.run else { return nil }
    let waiters = load.end(result)
    let lastKind = failure?.kind
    failure = (result.failure ?? report.sendError).map {
      SyncFailure(kind: $0.kind, message: $0.message)
    }
    schedule.recordEnd(
      report, isWell: failure == nil && (!run.goal.pushes || isProgress(report)))
    syncedAt = report.syncedAt ?? syncedAt
    if let rows { show(rows, isOutdated: run.isOutdated) }
    refreshFront()
    recount()
    if let error = result.failure {
      show(
        error, isInFront: run.isInFront,
        isNotified: !waiters.isEmpty || load.nextGoal != nil || error.kind != lastKind)
    } else {
      if case .loadFailed = step { step = .list }
      list.clearMessage(about: .sourceFailure)
      announce(report)
      if let error = report.sendError, !waiters.isEmpty || error.kind != lastKind {
        list.notify(.warning, "Your edits wait: \(error.message)", about: .sourceFailure)
      }
    }
    if let goal = load.nextGoal { load.start(goal, inFront: false) }
    return .reported(
      waiters.flatMap { OperationEnd.ends($0.token, $0.goal.outcome(of: result, report)) })
  }

  /// Returns whether a sync that sends changes has made progress. If it has not, another server
  /// process is sending the changes.
  private func isProgress(_ report: SyncReport) -> Bool {
    counts.pending == 0 || report.pushed > 0 || report.held > 0 || !report.failed.isEmpty
      || report.isComplete
  }

  /// Shows the error of a sync: on a screen of its own, or as a message of the list.
  ///
  /// - Parameter isNotified: Whether to show the message of the list. `true` if the user waits for
  ///   the sync, or if the previous sync did not fail in the same way.
  private mutating func show(_ error: TodoError, isInFront: Bool, isNotified: Bool) {
    // A user who is editing a todo is not interrupted. The list shows the error instead.
    if step == .list, isInFront {
      step = .loadFailed(error)
    } else if isNotified {
      let age = syncedAt.map { " The list is as of \($0)." } ?? ""
      list.notify(
        .warning, "Not up to date: \(error.message)\(hasSource ? age : "")", about: .sourceFailure)
    }
  }

  /// Shows a message if the source has refused a todo, or if todos are in conflict.
  private mutating func announce(_ report: SyncReport) {
    if let failed = report.failed.first {
      list.notify(.warning, "“\(failed.title)” was refused: \(failed.failure.message)")
    } else if report.conflicts > 0 {
      let noun = report.conflicts == 1 ? "todo was" : "todos were"
      list.notify(
        .warning, "\(report.conflicts) \(noun) changed both here and at the source. Open to settle."
      )
    }
  }

  /// Stops the sync in flight, and reads the stored rows. Each load that waits for this sync ends
  /// with the result of this read.
  mutating func cancelLoad() {
    load.stop()
    list.notify(
      .warning, "Loading was stopped. The list may not be complete.", about: .sourceFailure)
    readRows()
  }

  /// Ends the operations that wait until the rows of the list have been read. Loads end with the
  /// result of the read. Syncs end with an error, because their run was stopped.
  ///
  /// - Returns: The outcomes to report.
  mutating func answerReaders(_ rows: Result<LoadSummary, TodoError>) -> [OperationEnd] {
    load.drainReaders().flatMap { OperationEnd.ends($0.token, $0.outcome(after: rows)) }
  }
}

extension LoadCoordinator.Waiter {
  /// Returns the outcome of a load or sync that has waited for the rows of the list. A sync fails,
  /// because it was stopped.
  fileprivate func outcome(after rows: Result<LoadSummary, TodoError>) -> TodoOutcome {
    switch (stage, goal, rows) {
    case (_, .sync, _): return .failed(TodoError(.interrupted, "The sync was stopped."))
    case (_, .load, .failure(let error)): return .failed(error)
    case (.rows(let isComplete), .load, .success(var summary)):
      summary.isComplete = isComplete
      return .loaded(summary)
    case (.run, .load, .success(let summary)): return .loaded(summary)
    }
  }
}

extension OperationEnd {
  /// Returns the outcome to report to the client; empty if no client waits.
  fileprivate static func ends(_ token: OperationToken?, _ outcome: TodoOutcome) -> [OperationEnd] {
    token.map { [OperationEnd($0, outcome)] } ?? []
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
    // A sync succeeds in spite of a rate limit. The remaining changes are sent after the limit has
    // ended.
    case (.sync, .error(let error)) where error.kind != .rateLimited: .failed(error)
    case (.sync, .none), (.sync, .request), (.sync, .success), (.sync, .error):
      report.sendError.map { .failed($0) } ?? .synced(report)
    }
  }
}

extension TodoWorkflow.Output {
  /// Returns the output that reports outcomes; `nil` if there are none.
  static func reported(_ ends: [OperationEnd]) -> TodoWorkflow.Output? {
    ends.isEmpty ? nil : .ended(ends)
  }
}
