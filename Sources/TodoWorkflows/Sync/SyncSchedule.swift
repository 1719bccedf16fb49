import TodoModel

/// The schedule of automatic syncs: a short time after an edit, at regular intervals, and after an
/// error.
struct SyncSchedule: Equatable {
  /// The number of local changes. Each change restarts the delay before changes are sent.
  private var editCount = 0
  private var failureCount = 0
  /// Whether the last run has left removals unsent (see `HeldRemovals`), and no edit was made since
  /// then.
  private var hasOnlyHeldRemovals = false
  private var needsSecondFetch = false
  /// The time before which no request is allowed.
  private(set) var retryAt: Timestamp?

  /// The delay before the list is fetched again after a load of several pages. An item that is
  /// closed during a load shifts other items to pages that were already loaded. The second fetch
  /// finds them.
  static let secondFetchMilliseconds: Int64 = 10_000
  /// The delay after a failure; it doubles with each further failure.
  static let retryMilliseconds: Int64 = 30_000
  static let retryMillisecondsMax: Int64 = 300_000

  mutating func recordEdit() {
    editCount += 1
    hasOnlyHeldRemovals = false
  }

  /// Records the result of a sync. If `isWell` is `false`, the sync counts as failed, and the next
  /// sync starts after the delay for failures.
  mutating func recordEnd(_ report: SyncReport, isWell: Bool) {
    failureCount = isWell ? 0 : failureCount + 1
    hasOnlyHeldRemovals = report.held > 0
    needsSecondFetch = report.loadedPages.count > 1
    retryAt = report.retryAt
  }

  /// Returns the pauses before the next syncs. All pauses begin now. At the end of each pause, a
  /// sync starts.
  ///
  /// - Parameters:
  ///   - number: The number of the last run.
  ///   - hasPending: Whether there are changes to send.
  ///   - isInFront: Whether the user sees the list.
  func pauses(
    afterRun number: Int, hasPending: Bool, isInFront: Bool,
    _ capabilities: RemoteCapabilities
  ) -> [Pause] {
    guard failureCount == 0 else {
      let delay = min(
        Self.retryMillisecondsMax, Self.retryMilliseconds << Int64(min(failureCount - 1, 8)))
      return [Pause(hasPending ? .again : .pull, delay, after: number, until: retryAt)]
    }
    let poll =
      isInFront ? capabilities.pollMilliseconds : capabilities.backgroundPollMilliseconds
    let pull = Pause(
      .pull, needsSecondFetch ? Self.secondFetchMilliseconds : poll,
      after: number, until: retryAt)
    guard hasPending else { return [pull] }
    let pushDelay = hasOnlyHeldRemovals ? HeldRemovals.milliseconds : 0
    var push = Pause(
      .push, max(capabilities.pushMilliseconds, pushDelay), after: number, until: retryAt)
    push.editCount = editCount
    return [pull, push]
  }

  /// A pause before a sync, and the goal of that sync.
  struct Pause: Sendable, Equatable {
    var goal: SyncGoal
    /// The number of the run before the pause.
    var number: Int
    var editCount = 0
    var milliseconds: Int64
    /// The earliest time at which the pause can end; `nil` for no such time. Because of this time,
    /// the pause can be longer than `milliseconds`.
    var until: Timestamp?

    init(
      _ goal: SyncGoal, _ milliseconds: Int64, after number: Int, until: Timestamp?
    ) {
      self.goal = goal
      self.milliseconds = milliseconds
      self.number = number
      self.until = until
    }
  }
}
