import TodoModel

/// When a list and its source are brought together without anybody asking: some time after an
/// edit, every few minutes, and again after a failure.
struct SyncSchedule: Equatable {
  /// How many changes were made here. Each begins the wait anew.
  private var editCount = 0
  private var failureCount = 0
  /// Not one request before.
  private(set) var retryAt: Timestamp?

  /// After the last edit, so that several are sent together.
  static let pushMilliseconds: Int64 = 10_000
  static let pullMilliseconds: Int64 = 300_000
  /// After a failure, doubled with each one.
  static let retryMilliseconds: Int64 = 30_000

  mutating func noteEdit() { editCount += 1 }

  /// Notes how a run has ended.
  mutating func noteEnd(_ report: SyncReport, isWell: Bool) {
    failureCount = isWell ? 0 : failureCount + 1
    retryAt = report.retryAt
  }

  /// Whether this was the first failure after a success.
  var hasJustFailed: Bool { failureCount == 1 }

  /// What to wait for before what was changed here is sent.
  func push(afterRun number: Int) -> Pause {
    Pause(goal: .push, number: number, editCount: editCount, milliseconds: delay, until: retryAt)
  }

  /// What to wait for before the source is asked for news.
  func pull(afterRun number: Int) -> Pause {
    Pause(
      goal: .pull, number: number, editCount: 0, milliseconds: Self.pullMilliseconds,
      until: retryAt)
  }

  private var delay: Int64 {
    guard failureCount > 0 else { return Self.pushMilliseconds }
    return min(Self.pullMilliseconds, Self.retryMilliseconds << Int64(min(failureCount - 1, 8)))
  }

  /// A while in which nothing is sent.
  struct Pause: Sendable, Equatable {
    var goal: SyncGoal
    /// After which run it is.
    var number: Int
    var editCount: Int
    var milliseconds: Int64
    /// Not before, however short it is.
    var until: Timestamp?
  }
}
