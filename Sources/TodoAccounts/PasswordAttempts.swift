import TodoModel

/// The protection of an account against guessing its password. After five consecutive wrong
/// passwords, attempts wait 1 s, 2 s, 4 s and so on up to 30 s, one after the other. The right
/// password resets the count.
struct PasswordAttempts: Equatable {
  /// The number of consecutive wrong passwords. An attempt counts as wrong until its password turns
  /// out to be right. Parallel attempts, or killing the server, therefore give an attacker no
  /// advantage.
  var wrongCount: Int64
  /// The time at which the last attempt in the queue may continue.
  var waitingUntil: Timestamp

  /// The state after an attempt with the right password.
  static let none = PasswordAttempts(wrongCount: 0, waitingUntil: Timestamp(milliseconds: 0))

  static let freeCount: Int64 = 5
  static let waitMillisecondsMax: Int64 = 30_000
  /// The maximum of the count. A higher count would have no effect.
  private static let wrongCountMax: Int64 = 1_000_000

  /// Records an attempt, and returns its delay in milliseconds.
  ///
  /// - Throws: `TodoError` of kind `rateLimited` if the attempt would have to wait for longer than
  ///   30 s, because others are waiting. Such an attempt does not count.
  mutating func begin(at now: Timestamp) throws(TodoError) -> Int64 {
    // The file may contain any number.
    wrongCount = min(max(wrongCount, 0), Self.wrongCountMax)
    guard wrongCount >= Self.freeCount else {
      wrongCount += 1
      return 0
    }
    let doublings = min(wrongCount - Self.freeCount, 10)
    let ownWait = min(1_000 << doublings, Self.waitMillisecondsMax)
    let (queue, isOver) = waitingUntil.milliseconds.subtractingReportingOverflow(now.milliseconds)
    // A longer wait is impossible, so the clock was set back.
    let isQueue = !isOver && (0...Self.waitMillisecondsMax).contains(queue)
    let wait = (isQueue ? queue : 0) + ownWait
    guard wait <= Self.waitMillisecondsMax else {
      throw Self.tooMany(until: waitingUntil, at: now)
    }
    wrongCount += 1
    waitingUntil = Timestamp(milliseconds: now.milliseconds + wait)
    return wait
  }

  private static func tooMany(until end: Timestamp, at now: Timestamp) -> TodoError {
    let seconds = max(1, (end.milliseconds - now.milliseconds + 999) / 1_000)
    return TodoError(
      .rateLimited,
      "Too many wrong passwords for this name, and other tries wait. Try again in \(seconds) s.",
      retryAt: end)
  }
}
