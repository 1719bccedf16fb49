import TodoModel

/// The schedule of automatic syncs: some time after an edit, every few minutes, and again after a
/// failure.
struct SyncSchedule: Equatable {
  /// The number of local changes. Each change restarts the delay.
  private var editCount = 0
  private var failureCount = 0
  private var needsSecondFetch = false
  /// The time before which no request is allowed.
  private(set) var retryAt: Timestamp?

  /// The delay before the list is fetched again after a load of several pages: items that were
  /// closed during the load can shift open items to pages that were loaded already.
  static let secondFetchMilliseconds: Int64 = 10_000
  /// The delay after a failure; it doubles with each further failure.
  static let retryMilliseconds: Int64 = 30_000
  static let retryMillisecondsMax: Int64 = 300_000

  mutating func recordEdit() { editCount += 1 }

  /// Records the result of a run.
  mutating func recordEnd(_ report: SyncReport, isWell: Bool) {
    failureCount = isWell ? 0 : failureCount + 1
    needsSecondFetch = report.loadedPages.count > 1
    retryAt = report.retryAt
  }

  /// Returns the pauses before the next syncs. All pauses begin now, and a sync starts at the end
  /// of each.
  ///
  /// - Parameters:
  ///   - hasPending: Whether there are unsent changes.
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
    var push = Pause(.push, capabilities.pushMilliseconds, after: number, until: retryAt)
    push.editCount = editCount
    return [pull, push]
  }

  /// A pause between syncs.
  struct Pause: Sendable, Equatable {
    var goal: SyncGoal
    /// The number of the run before the pause.
    var number: Int
    var editCount = 0
    var milliseconds: Int64
    /// The earliest end of the pause, even if its duration is shorter.
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
