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
        if !state.load.isUnderWay { state.beginLoad(goal, inFront: false) }
        return nil
      case .loading(.opened(let rows, let syncedAt), _):
        (state.load.isInFront, state.syncedAt) = (false, syncedAt)
        state.show(rows)
        state.recount()
        return nil
      case .loading(.progressed(let progress), _):
        let waiting = state.load.waiting + state.load.syncsWaiting
        return waiting.isEmpty ? nil : .progressed(waiting, progress)
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
        state.list.say(.warning, "Not up to date: \(error.message)", isOfSource: true)
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
      if hasSource, !load.goal.pulls { load.next.append(token) }
      return nil
    case .success(let summary) where !refresh:
      return .ended([OperationEnd(token, .loaded(summary))])
    case .none, .success, .error:
      if load.isUnderWay {
        load.waiting.append(token)
        load.next.append(token)
        return nil
      }
      if case .loadFailed = step { step = .list }
      startLoad(inFront: false, token: token)
      return nil
    }
  }

  /// Sends and takes everything; after the load that runs, which may do less.
  fileprivate mutating func askForSync(_ token: OperationToken?) -> TodoWorkflow.Output? {
    guard hasSource else {
      return token.map { .ended([OperationEnd($0, .synced(.local))]) }
    }
    if let token { load.syncsWaiting.append(token) }
    if !load.isUnderWay {
      if case .loadFailed = step { step = .list }
      startLoad(.both, inFront: false)
      load.startedBy = token
    } else if let token, load.goal != .both {
      load.next.append(token)
    }
    return nil
  }

  fileprivate mutating func endLoad(
    _ result: AsyncRequestState<LoadSummary>, _ report: SyncReport, rows: TodoRows?
  ) -> TodoWorkflow.Output? {
    let goal = load.goal
    if load.request.isUnderWay {
      // What was not asked for is not known.
      load.request = goal.pulls || !hasSource || result.failure != nil ? result : .none
    }
    load.isPushing = false
    schedule.noteEnd(report, isWell: result.failure == nil && (!goal.pushes || isProgress(report)))
    syncedAt = report.syncedAt ?? syncedAt
    if let rows { show(rows) }
    refreshEdit()
    recount()
    if let error = result.failure {
      show(error)
    } else {
      if case .loadFailed = step { step = .list }
      list.clearMessageOfSource()
      tell(report)
    }
    let ends = answerLoad(result, report)
    if !load.next.isEmpty {
      beginLoad(load.syncsWaiting.isEmpty ? .pull : .both, inFront: false)
    }
    return .told(ends)
  }

  /// Whether something was sent or refused, or there was nothing to send: else another server sends
  /// it.
  private func isProgress(_ report: SyncReport) -> Bool {
    counts.pending == 0 || report.pushed > 0 || !report.failed.isEmpty || report.isComplete
  }

  private mutating func show(_ error: TodoError) {
    // Somebody at work on a todo is not interrupted: the list says it instead.
    if step == .list, load.isInFront {
      step = .loadFailed(error)
    } else if !load.waiting.isEmpty || !load.syncsWaiting.isEmpty || schedule.hasJustFailed {
      let age = syncedAt.map { " The list is as of \($0)." } ?? ""
      list.say(
        .warning, "Not up to date: \(error.message)\(hasSource ? age : "")", isOfSource: true)
    }
  }

  /// What somebody has to look at.
  private mutating func tell(_ report: SyncReport) {
    if let failed = report.failed.first {
      list.say(.warning, "“\(failed.title)” was refused: \(failed.failure.message)")
    } else if report.conflicts > 0 {
      let noun = report.conflicts == 1 ? "todo was" : "todos were"
      list.say(
        .warning, "\(report.conflicts) \(noun) changed both here and at the source. Open to settle."
      )
    }
  }

  /// Ends a load before its end. Who waits for it hears from the rows that are read now.
  mutating func cancelLoad() {
    if load.request.isUnderWay { load.request = .none }
    load.isPushing = false
    list.say(
      .warning, "Loading was stopped. The list may not be complete.", isOfSource: true)
    readRows()
  }

  /// Answers everybody who waits for the load, but for who has asked for more than it did.
  private mutating func answerLoad(
    _ result: AsyncRequestState<LoadSummary>, _ report: SyncReport
  ) -> [OperationEnd] {
    let later = load.next
    let (loads, syncs) = (
      load.waiting.filter { !later.contains($0) }, load.syncsWaiting.filter { !later.contains($0) }
    )
    load.waiting.removeAll { !later.contains($0) }
    load.syncsWaiting.removeAll { !later.contains($0) }
    load.startedBy = nil
    return loads.map { OperationEnd($0, Self.outcome(of: result)) }
      + syncs.map { OperationEnd($0, Self.outcome(of: result, report)) }
  }

  private static func outcome(of result: AsyncRequestState<LoadSummary>) -> TodoOutcome {
    switch result {
    case .success(let summary): .loaded(summary)
    case .error(let error): .failed(error)
    case .none, .request: .cancelled
    }
  }

  /// A limit is no failure: what is left is sent when it is over.
  private static func outcome(
    of result: AsyncRequestState<LoadSummary>, _ report: SyncReport
  ) -> TodoOutcome {
    if let error = result.failure, error.kind != .rateLimited { return .failed(error) }
    return .synced(report)
  }

  /// Answers everybody who waits for a load that was ended before its end.
  mutating func answerEndedLoad(_ outcome: TodoOutcome) -> [OperationEnd] {
    guard case .none = load.request, !load.isPushing else { return [] }
    defer { (load.waiting, load.syncsWaiting, load.next, load.startedBy) = ([], [], [], nil) }
    let stopped = TodoOutcome.failed(TodoError(.interrupted, "The sync was stopped."))
    return load.waiting.map { OperationEnd($0, outcome) }
      + load.syncsWaiting.map { OperationEnd($0, stopped) }
  }
}

extension TodoWorkflow.Output {
  /// Tells how operations have ended, unless nobody waits for any.
  static func told(_ ends: [OperationEnd]) -> TodoWorkflow.Output? {
    ends.isEmpty ? nil : .ended(ends)
  }
}
