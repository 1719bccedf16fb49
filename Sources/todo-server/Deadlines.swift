import System
import TodoServer

/// The points in time that wake the server.
struct Deadlines: ~Copyable {
  typealias Instant = ContinuousClock.Instant

  /// Whose time has come.
  enum Deadline {
    case renderTimer
    case adapterTimer
    /// What is in flight has had its while.
    case gracePeriod
    /// The front-end has had its while to read what is left.
    case flushTimeout
    /// The front-end reads nothing any more.
    case writeTimeout
    /// The process that the system does not tell of is to be looked at.
    case poll
  }

  private static let renderInterval = Duration.milliseconds(50)
  private static let adapterInterval = Duration.milliseconds(250)
  private static let gracePeriod = Duration.milliseconds(ShutdownTimeouts.graceMilliseconds)
  private static let flushTimeout = Duration.milliseconds(ShutdownTimeouts.flushMilliseconds)
  /// How long the front-end may take no byte once its input has ended.
  private static let writeTimeout = Duration.seconds(60)
  /// How often a process is looked at that the system does not tell of.
  private static let pollInterval = Duration.seconds(1)

  /// Whether there is any. Most of the time there is none, and this is asked with each message.
  private var isAny = false
  private var renderTimerEnd: Instant?
  private var adapterTimerEnd: Instant?
  private var gracePeriodEnd: Instant?
  private var flushTimeoutEnd: Instant?
  private var nextPoll: Instant?
  private var writeTimeout: WriteTimeout?

  mutating func startRenderTimer() { renderTimerEnd = next(in: Self.renderInterval) }
  mutating func startAdapterTimer() { adapterTimerEnd = next(in: Self.adapterInterval) }
  mutating func startGracePeriod() { gracePeriodEnd = next(in: Self.gracePeriod) }
  mutating func startFlushTimeout() { flushTimeoutEnd = next(in: Self.flushTimeout) }
  mutating func startPolling() { nextPoll = next(in: Self.pollInterval) }
  mutating func stopPolling() { nextPoll = nil }
  /// From here on a front-end that reads nothing is not waited for.
  mutating func startWriteTimeout() {
    isAny = true
    if writeTimeout == nil { writeTimeout = WriteTimeout(limit: Self.writeTimeout) }
  }

  private mutating func next(in time: Duration) -> Instant {
    isAny = true
    return .now + time
  }

  /// Notes how a try to write ended.
  mutating func recordWrite(wasTaken: Bool, isWaiting: Bool) {
    writeTimeout?.record(wasTaken: wasTaken, isWaiting: isWaiting, at: .now)
  }

  /// Until the next one, rounded up, as `poll` takes it: below 0 for ever.
  var timeoutMilliseconds: Int32 { isAny ? timeoutOfNext : -1 }

  private var timeoutOfNext: Int32 {
    var next = renderTimerEnd
    func consider(_ end: Instant?) {
      if let end { next = next.map { min($0, end) } ?? end }
    }
    consider(adapterTimerEnd)
    consider(gracePeriodEnd)
    consider(flushTimeoutEnd)
    consider(nextPoll)
    consider(writeTimeout?.end)
    guard let next else { return -1 }
    let left = Instant.now.duration(to: next)
    let milliseconds =
      left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
    return Int32(clamping: max(0, milliseconds + 1))
  }

  /// One whose time has come; nil when there is none.
  mutating func popExpired() -> Deadline? { isAny ? popAnyExpired() : nil }

  private mutating func popAnyExpired() -> Deadline? {
    defer {
      isAny =
        renderTimerEnd != nil || adapterTimerEnd != nil || gracePeriodEnd != nil
        || flushTimeoutEnd != nil
        || nextPoll != nil || writeTimeout != nil
    }
    if Self.clearIfExpired(&renderTimerEnd) { return .renderTimer }
    if Self.clearIfExpired(&adapterTimerEnd) { return .adapterTimer }
    if Self.clearIfExpired(&gracePeriodEnd) { return .gracePeriod }
    if Self.clearIfExpired(&flushTimeoutEnd) { return .flushTimeout }
    var writeTimeoutEnd = writeTimeout?.end
    if Self.clearIfExpired(&writeTimeoutEnd) {
      writeTimeout = nil
      return .writeTimeout
    }
    if Self.clearIfExpired(&nextPoll) {
      startPolling()
      return .poll
    }
    return nil
  }

  private static func clearIfExpired(_ end: inout Instant?) -> Bool {
    guard let instant = end, .now >= instant else { return false }
    end = nil
    return true
  }
}
