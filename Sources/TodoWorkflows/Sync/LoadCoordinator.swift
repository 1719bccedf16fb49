import ScreenModel
import TodoModel

/// The coordinator of the loads and syncs of a list. Only one run (a load or a sync) is in flight
/// at a time. Further requests to load or sync wait for this run or for the next one.
struct LoadCoordinator: Equatable {
  /// The state of the last run that loads from the source. A run that only sends changes does not
  /// affect this state.
  var request = AsyncRequestState<LoadSummary>.request
  /// The run in flight; `nil` between two runs.
  private(set) var run: Run?
  /// The number of the newest run. The number identifies the worker of the run.
  private(set) var number = 1
  private(set) var waiters: [Waiter] = []

  /// A run: one execution of `LoadWorker`, which loads or syncs the list.
  struct Run: Equatable {
    var goal: SyncGoal
    /// Whether the loading screen is in front. It is `false` if the user sees the list during the
    /// run.
    var isInFront: Bool
    /// The token of the operation that started the run. If the operation is cancelled, the run
    /// stops, unless other operations wait for the run.
    var starter: OperationToken?
    /// Whether the list has changed since the run started. If so, the rows that the run reads may
    /// be outdated.
    var isOutdated = false
  }

  /// A requested load or sync. It waits until a run has ended, or until the rows of the list have
  /// been read. A load can wait for a run first, and then for the rows.
  struct Waiter: Equatable {
    /// The token of the request for which a client waits; `nil` for an action on a screen.
    var token: OperationToken?
    var goal: Goal
    /// Whether the run must load the whole list, and not only its changes.
    var needsAll = false
    var stage: Stage

    enum Goal { case load, sync }

    enum Stage: Equatable {
      /// The load or sync waits for the end of the run with this number, or of a later run.
      case run(Int)
      /// The load or sync waits until the rows of the list have been read. `isComplete` is `false`
      /// if the run was stopped.
      case rows(isComplete: Bool)
    }

    fileprivate func isServed(byRun number: Int) -> Bool {
      switch stage {
      case .run(let first): first <= number
      case .rows: false
      }
    }
  }

  var isRunning: Bool { run != nil }
  var isInFront: Bool { run?.isInFront ?? false }
  var tokens: [OperationToken] { waiters.compactMap(\.token) }

  /// Returns the initial state, in which the first run is in flight.
  static func starting(_ goal: SyncGoal) -> LoadCoordinator {
    LoadCoordinator(run: Run(goal: goal, isInFront: true))
  }

  // MARK: Runs

  /// Starts a run, and replaces a run in flight. Operations that wait for the replaced run then
  /// wait for the new run, which also achieves their goals.
  mutating func start(_ goal: SyncGoal, inFront: Bool, by starter: OperationToken? = nil) {
    number += 1
    let goal = goal.extended(for: waiters, ofRun: number)
    if goal.pulls { request = .request }
    run = Run(goal: goal, isInFront: inFront, starter: starter)
  }

  /// Ends the run in flight. If the run has succeeded, but its rows are outdated, the loads that
  /// have waited for the run continue to wait until the rows have been read again.
  ///
  /// - Returns: The other loads and syncs that have waited for this run.
  mutating func end(_ result: AsyncRequestState<LoadSummary>) -> [Waiter] {
    if request.isInFlight {
      // A run that loads nothing does not show whether the list can be loaded.
      request = run?.goal.pulls == true || result.failure != nil ? result : .none
    }
    let mustReadRows = run?.isOutdated == true && result.failure == nil
    run = nil
    return drain { [number] waiter in
      guard waiter.isServed(byRun: number) else { return false }
      if waiter.goal == .load, mustReadRows { waiter.stage = .rows(isComplete: true) }
      return waiter.isServed(byRun: number)
    }
  }

  /// Stops the run in flight. The loads and syncs that have waited for this run continue to wait
  /// until the rows of the list have been read.
  mutating func stop() {
    if request.isInFlight { request = .none }
    run = nil
    for index in waiters.indices {
      if case .run = waiters[index].stage { waiters[index].stage = .rows(isComplete: false) }
    }
  }

  /// Removes and returns the loads and syncs that wait until the rows of the list have been read.
  mutating func drainReaders() -> [Waiter] {
    drain { if case .rows = $0.stage { true } else { false } }
  }

  /// Removes the waiters for which `isDone` returns `true`, and returns them.
  private mutating func drain(_ isDone: (inout Waiter) -> Bool) -> [Waiter] {
    var (done, left): ([Waiter], [Waiter]) = ([], [])
    for var waiter in waiters {
      if isDone(&waiter) { done.append(waiter) } else { left.append(waiter) }
    }
    waiters = left
    return done
  }

  mutating func moveBehindList() { run?.isInFront = false }
  mutating func markOutdated() { run?.isOutdated = true }

  // MARK: Waiters

  /// Adds a load or sync. If the run in flight achieves the goal, the load or sync waits for this
  /// run; otherwise it waits for the next run.
  ///
  /// A sync also waits for the next run if the list has changed since the start of the run in
  /// flight, because that run possibly does not send the latest changes.
  mutating func wait(for goal: Waiter.Goal, needsAll: Bool, _ token: OperationToken?) {
    let isServed =
      switch goal {
      case .load: run?.goal.pulls == true && (!needsAll || run?.goal.isWhole == true)
      case .sync: run?.goal.sendsAll == true && run?.isOutdated == false
      }
    append(
      Waiter(
        token: token, goal: goal, needsAll: needsAll,
        stage: .run(isServed ? number : number + 1)))
  }

  /// Adds a load that waits until the rows of the list have been read.
  mutating func waitForRows(_ token: OperationToken?) {
    append(Waiter(token: token, goal: .load, stage: .rows(isComplete: true)))
  }

  /// Adds a waiter. If the user starts the same load or sync twice on a screen, only one waiter is
  /// added.
  private mutating func append(_ waiter: Waiter) {
    if waiter.token != nil || !waiters.contains(waiter) { waiters.append(waiter) }
  }

  /// The goal of the next run, which achieves the goals of all waiters; `nil` if no other run is
  /// needed.
  var nextGoal: SyncGoal? {
    let goal = SyncGoal.none.extended(for: waiters, ofRun: number + 1)
    return goal == .none ? nil : goal
  }

  /// Removes the waiters of a cancelled operation.
  ///
  /// - Returns: Whether the run in flight is no longer needed.
  mutating func cancel(_ token: OperationToken) -> Bool {
    waiters.removeAll { $0.token == token }
    return run?.starter == token && waiters.isEmpty
  }
}

extension SyncGoal {
  /// Whether a sync with this goal does everything that the user's action `sync` does.
  fileprivate var sendsAll: Bool { pushes && pulls && retriesFailed }

  /// Returns a goal that includes this goal, and the goals of all waiters that wait for the run
  /// with this number, or for an earlier run.
  fileprivate func extended(
    for waiters: [LoadCoordinator.Waiter], ofRun number: Int
  ) -> SyncGoal {
    waiters.filter { $0.isServed(byRun: number) }.reduce(into: self) { goal, waiter in
      let needed: SyncGoal = waiter.goal == .sync ? .both : .pull
      goal.pulls = goal.pulls || needed.pulls
      goal.pushes = goal.pushes || needed.pushes
      goal.retriesFailed = goal.retriesFailed || needed.retriesFailed
      goal.isWhole = goal.isWhole || waiter.needsAll
    }
  }
}
