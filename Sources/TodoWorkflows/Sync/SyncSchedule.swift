import TodoModel

/// When a list and its source are brought together without anybody asking: some time after an
/// edit, every few minutes, and again after a failure, which asks for everything that is left.
struct SyncSchedule: Equatable {
  /// How many changes were made here. Each begins the wait anew.
  private var editCount = 0
  private var failureCount = 0
  private var isToBeLookedAtAgain = false
  /// Not one request before.
  private(set) var retryAt: Timestamp?

  /// After a load of several pages: what was closed while they came may hide what is open.
  static let secondLookMilliseconds: Int64 = 10_000
  /// After a failure, doubled with each one.
  static let retryMilliseconds: Int64 = 30_000
  static let retryMillisecondsMax: Int64 = 300_000

  mutating func recordEdit() { editCount += 1 }

  /// Notes how a run has ended.
  mutating func recordEnd(_ report: SyncReport, isWell: Bool) {
    failureCount = isWell ? 0 : failureCount + 1
    isToBeLookedAtAgain = report.loadedPages.count > 1
    retryAt = report.retryAt
  }

  /// What to wait for, each for itself.
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
      .pull, isToBeLookedAtAgain ? Self.secondLookMilliseconds : poll,
      after: number, until: retryAt)
    guard hasPending else { return [pull] }
    var push = Pause(.push, capabilities.pushMilliseconds, after: number, until: retryAt)
    push.editCount = editCount
    return [pull, push]
  }

  /// A while in which nothing is sent.
  struct Pause: Sendable, Equatable {
    var goal: SyncGoal
    /// After which run it is.
    var number: Int
    var editCount = 0
    var milliseconds: Int64
    /// Not before, however short it is.
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
