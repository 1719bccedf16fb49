import ScreenModel
import TodoModel

/// Coordinates the loads and syncs of a list: at most one run at a time, and the operations that
/// wait for it or for the next one.
struct LoadCoordinator: Equatable {
  /// The state of the last fetch. A run that only sends leaves it unchanged.
  var request = AsyncRequestState<LoadSummary>.request
  /// The run in flight; `nil` between two runs.
  private(set) var run: Run?
  /// The number of the newest run. Each run has its own worker.
  private(set) var number = 1
  private(set) var waiters: [Waiter] = []

  /// One execution of a `LoadWorker`.
  struct Run: Equatable {
    var goal: SyncGoal
    /// Whether the loading screen is in front; `false` while the user works on the list.
    var isInFront: Bool
    /// The token of the operation that started the run. Cancelling the operation stops the run,
    /// unless other operations wait for it.
    var starter: OperationToken?
    /// Whether the list has changed since the run started, so that the rows of the run may be
    /// outdated.
    var isOutdated = false
  }

  /// A load or sync that waits for the end of a run.
  struct Waiter: Equatable {
    /// The token of the request that waits; `nil` if the user started the load or sync on a screen.
    var token: OperationToken?
    var goal: Goal
    /// Whether the run must request everything, not only changes.
    var needsAll = false
    var stage: Stage

    enum Goal { case load, sync }

    enum Stage: Equatable {
      /// Waits for the end of the run with this number, or of a run that replaces it.
      case run(Int)
      /// The run has ended or was stopped, and the rows for the outcome are being read.
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

  /// Returns the initial state, with a first run.
  static func starting(_ goal: SyncGoal) -> LoadCoordinator {
    LoadCoordinator(run: Run(goal: goal, isInFront: true))
  }

  // MARK: Runs

  /// Starts a run, which replaces the run in flight. Operations that wait for the replaced run now
  /// wait for the new one, so its goal includes what they need.
  mutating func start(_ goal: SyncGoal, inFront: Bool, by starter: OperationToken? = nil) {
    number += 1
    let goal = goal.extended(for: waiters, ofRun: number)
    if goal.pulls { request = .request }
    run = Run(goal: goal, isInFront: inFront, starter: starter)
  }

  /// Ends the run in flight. If its rows are outdated, its loads wait until the rows have been read
  /// again.
  ///
  /// - Returns: The other waiters of this run.
  mutating func end(_ result: AsyncRequestState<LoadSummary>) -> [Waiter] {
    if request.isUnderWay {
      // A run that fetches nothing reveals nothing about the list.
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

  /// Stops the run in flight before its end. All waiters end when the rows have been read.
  mutating func stop() {
    if request.isUnderWay { request = .none }
    run = nil
    for index in waiters.indices {
      if case .run = waiters[index].stage { waiters[index].stage = .rows(isComplete: false) }
    }
  }

  /// Removes the waiters for rows.
  ///
  /// - Returns: The removed waiters.
  mutating func drainReaders() -> [Waiter] {
    drain { if case .rows = $0.stage { true } else { false } }
  }

  /// Removes the waiters for which `isDone` returns `true`.
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

  /// Adds a waiter for the run in flight if that run achieves the goal, otherwise for the next run.
  /// A run during which the list has changed does not achieve a sync, because it may have collected
  /// the changes to send before the latest ones were made.
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

  /// Adds a waiter for the rows that are being read.
  mutating func waitForRows(_ token: OperationToken?) {
    append(Waiter(token: token, goal: .load, stage: .rows(isComplete: true)))
  }

  /// Adds a waiter. If the user presses a key twice, only one is added.
  private mutating func append(_ waiter: Waiter) {
    if waiter.token != nil || !waiters.contains(waiter) { waiters.append(waiter) }
  }

  /// The goal of the next run; `nil` if no waiter needs another run.
  var nextGoal: SyncGoal? {
    let goal = SyncGoal.none.extended(for: waiters, ofRun: number + 1)
    return goal == .none ? nil : goal
  }

  /// Removes the waiters of an operation.
  ///
  /// - Returns: Whether the run in flight is no longer needed.
  mutating func cancel(_ token: OperationToken) -> Bool {
    waiters.removeAll { $0.token == token }
    return run?.starter == token && waiters.isEmpty
  }
}

extension SyncGoal {
  /// Whether this goal includes everything that a sync of the user does.
  fileprivate var sendsAll: Bool { pushes && pulls && retriesFailed }

  /// Returns this goal, extended by the needs of the waiters of run `number`.
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
