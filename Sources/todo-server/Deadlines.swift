import System
import TodoServer

/// The deadlines that wake the server.
struct Deadlines: ~Copyable {
  typealias Instant = ContinuousClock.Instant

  /// An expired deadline.
  enum Deadline {
    case renderTimer
    case adapterTimer
    /// The grace period for requests in flight has expired.
    case gracePeriod
    /// The timeout for flushing the output has expired.
    case flushTimeout
    /// The write timeout has expired: the front-end has read no output for this time.
    case writeTimeout
    /// A process must be polled, because the system does not report its end.
    case poll
  }

  private static let renderInterval = Duration.milliseconds(50)
  private static let adapterInterval = Duration.milliseconds(250)
  private static let gracePeriod = Duration.milliseconds(ShutdownTimeouts.graceMilliseconds)
  private static let flushTimeout = Duration.milliseconds(ShutdownTimeouts.flushMilliseconds)
  /// The write timeout after stdin has closed: the server exits when the client reads nothing for
  /// this long.
  private static let writeTimeout = Duration.seconds(60)
  /// The interval for polling a process.
  private static let pollInterval = Duration.seconds(1)

  /// Whether any deadline is set. This is checked with each message, and is false most of the time.
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
  /// Starts the write timeout.
  mutating func startWriteTimeout() {
    isAny = true
    if writeTimeout == nil { writeTimeout = WriteTimeout(limit: Self.writeTimeout) }
  }

  private mutating func next(in time: Duration) -> Instant {
    isAny = true
    return .now + time
  }

  /// Records the result of a write, which restarts the write timeout if bytes were written.
  mutating func recordWrite(didWrite: Bool, hasPendingBytes: Bool) {
    writeTimeout?.record(didWrite: didWrite, hasPendingBytes: hasPendingBytes, at: .now)
  }

  /// The time until the next deadline, rounded up, for `poll`; negative if there is none.
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

  /// Returns a deadline that has expired, and clears it; `nil` if there is none.
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
