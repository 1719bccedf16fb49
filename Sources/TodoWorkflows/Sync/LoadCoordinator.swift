import ScreenModel
import TodoModel

/// Coordinates the loads and syncs of a list: at most one run at a time, and the operations that
/// wait for it or for the next one.
struct LoadCoordinator: Equatable {
  /// The state of the last fetch. A run that only sends leaves it unchanged.
  var request = AsyncRequestState<LoadSummary>.request
  /// The run in flight; `nil` between two runs.
  private(set) var run: Run?
  /// The number of the last run. Each run has its own worker.
  private(set) var number = 1
  private(set) var waiters: [Waiter] = []

  /// One execution of a `LoadWorker`.
  struct Run: Equatable {
    var goal: SyncGoal
    /// Whether the loading screen is in front; `false` while the user works on the list.
    var isInFront: Bool
    /// The operation that started the run. Cancelling it stops the run, unless others wait.
    var starter: OperationToken?
    /// Whether the list has changed since the start, so that the rows of the run may be older.
    var isOutdated = false
  }

  /// An operation that waits for the end of a run.
  struct Waiter: Equatable {
    var token: OperationToken
    var goal: Goal
    /// The first run whose end answers it.
    var run: Int

    enum Goal { case load, sync }
  }

  var isRunning: Bool { run != nil }
  var isInFront: Bool { run?.isInFront ?? false }
  var tokens: [OperationToken] { waiters.map(\.token) }

  /// A list starts with its first run.
  static func starting(_ goal: SyncGoal) -> LoadCoordinator {
    LoadCoordinator(run: Run(goal: goal, isInFront: true))
  }

  // MARK: Runs

  /// Starts a run, in place of the one in flight. Operations that wait for that one wait for this one.
  mutating func start(_ goal: SyncGoal, inFront: Bool, by starter: OperationToken? = nil) {
    if goal.pulls { request = .request }
    number += 1
    run = Run(goal: goal, isInFront: inFront, starter: starter)
  }

  /// Ends the run in flight.
  ///
  /// - Returns: The operations that waited for it.
  mutating func end(_ result: AsyncRequestState<LoadSummary>) -> [Waiter] {
    if request.isUnderWay {
      // A run that fetches nothing says nothing about the list.
      request = run?.goal.pulls == true || result.failure != nil ? result : .none
    }
    run = nil
    defer { waiters.removeAll { $0.run <= number } }
    return waiters.filter { $0.run <= number }
  }

  /// Stops the run in flight before its end.
  mutating func stop() {
    if request.isUnderWay { request = .none }
    run = nil
  }

  /// Removes the operations whose run was stopped.
  ///
  /// - Returns: Those operations.
  mutating func drainStopped() -> [Waiter] {
    guard run == nil else { return [] }
    defer { waiters = [] }
    return waiters
  }

  mutating func moveBehindList() { run?.isInFront = false }
  mutating func markOutdated() { run?.isOutdated = true }

  // MARK: Waiters

  /// Waits for the run in flight if that does what the goal needs, otherwise for the next one.
  mutating func wait(for goal: Waiter.Goal, _ token: OperationToken) {
    let isServed =
      switch goal {
      case .load: run?.goal.pulls == true
      case .sync: run?.goal == .both
      }
    waiters.append(Waiter(token: token, goal: goal, run: isServed ? number : number + 1))
  }

  /// The goal of the run for which operations wait after the last one; `nil` if none do.
  var nextGoal: SyncGoal? {
    let next = waiters.filter { $0.run > number }
    return next.isEmpty ? nil : next.contains { $0.goal == .sync } ? .both : .pull
  }

  /// Removes an operation.
  ///
  /// - Returns: Whether the run in flight is no longer needed.
  mutating func cancel(_ token: OperationToken) -> Bool {
    waiters.removeAll { $0.token == token }
    return run?.starter == token && waiters.isEmpty
  }
}
