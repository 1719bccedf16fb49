import TodoModel

/// How tries to guess a password are slowed: after five wrong ones in a row each further one waits,
/// 1 s, 2 s, 4 s and so on up to 30 s, one after the other. The right password starts anew.
struct PasswordTries: Equatable {
  /// Wrong ones in a row. A try counts as wrong from its beginning until it turns out to be right,
  /// so that many at once, or a server that is killed meanwhile, gain nothing.
  var wrongCount: Int64
  /// When the last of the tries that wait may go on.
  var waitingUntil: Timestamp

  /// The right password was given last.
  static let none = PasswordTries(wrongCount: 0, waitingUntil: Timestamp(milliseconds: 0))

  static let freeCount: Int64 = 5
  static let waitMillisecondsMax: Int64 = 30_000
  /// More are not counted: they change nothing.
  private static let wrongCountMax: Int64 = 1_000_000

  /// Begins a try: how long it has to wait, in milliseconds. Throws `rateLimited` when it would
  /// wait for longer than 30 s behind others; such a try is not made, and not counted.
  mutating func begin(at now: Timestamp) throws(TodoError) -> Int64 {
    // A file can hold any numbers.
    wrongCount = min(max(wrongCount, 0), Self.wrongCountMax)
    guard wrongCount >= Self.freeCount else {
      wrongCount += 1
      return 0
    }
    let doublings = min(wrongCount - Self.freeCount, 10)
    let ownWait = min(1_000 << doublings, Self.waitMillisecondsMax)
    let (queue, isOver) = waitingUntil.milliseconds.subtractingReportingOverflow(now.milliseconds)
    // Nothing waits that long: the clock was set back.
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
