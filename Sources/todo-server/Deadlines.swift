import System
import TodoServer

/// The points in time that wake the server.
struct Deadlines: ~Copyable {
  typealias Instant = ContinuousClock.Instant

  /// Whose time has come.
  enum Due {
    case renderTimer
    case adapterTimer
    /// What is in flight has had its while.
    case grace
    /// The front-end has had its while to read what is left.
    case farewell
    /// The front-end reads nothing any more.
    case stall
    /// The process that the system does not tell of is to be looked at.
    case look
  }

  private static let renderInterval = Duration.milliseconds(50)
  private static let adapterInterval = Duration.milliseconds(250)
  private static let gracePeriod = Duration.milliseconds(ShutdownTimeouts.graceMilliseconds)
  private static let flushTimeout = Duration.milliseconds(ShutdownTimeouts.flushMilliseconds)
  /// How long the front-end may take no byte once its input has ended.
  private static let stallMax = Duration.seconds(60)
  /// How often a process is looked at that the system does not tell of.
  private static let lookInterval = Duration.seconds(1)

  /// Whether there is any. Most of the time there is none, and this is asked with each message.
  private var isAny = false
  private var renderTimerEnd: Instant?
  private var adapterTimerEnd: Instant?
  private var graceEnd: Instant?
  private var farewellEnd: Instant?
  private var nextLook: Instant?
  private var stall: WriteStall?

  mutating func startRenderTimer() { renderTimerEnd = next(in: Self.renderInterval) }
  mutating func startAdapterTimer() { adapterTimerEnd = next(in: Self.adapterInterval) }
  mutating func startGrace() { graceEnd = next(in: Self.gracePeriod) }
  mutating func startFarewell() { farewellEnd = next(in: Self.flushTimeout) }
  mutating func startLooking() { nextLook = next(in: Self.lookInterval) }
  mutating func stopLooking() { nextLook = nil }
  /// From here on a front-end that reads nothing is not waited for.
  mutating func startStall() {
    isAny = true
    if stall == nil { stall = WriteStall(limit: Self.stallMax) }
  }

  private mutating func next(in time: Duration) -> Instant {
    isAny = true
    return .now + time
  }

  /// Notes how a try to write ended.
  mutating func recordWrite(wasTaken: Bool, isWaiting: Bool) {
    stall?.record(wasTaken: wasTaken, isWaiting: isWaiting, at: .now)
  }

  /// Until the next one, rounded up, as `poll` takes it: below 0 for ever.
  var timeoutMilliseconds: Int32 { isAny ? timeoutOfNext : -1 }

  private var timeoutOfNext: Int32 {
    var next = renderTimerEnd
    func consider(_ end: Instant?) {
      if let end { next = next.map { min($0, end) } ?? end }
    }
    consider(adapterTimerEnd)
    consider(graceEnd)
    consider(farewellEnd)
    consider(nextLook)
    consider(stall?.end)
    guard let next else { return -1 }
    let left = Instant.now.duration(to: next)
    let milliseconds =
      left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
    return Int32(clamping: max(0, milliseconds + 1))
  }

  /// One whose time has come; nil when there is none.
  mutating func popExpired() -> Due? { isAny ? popAnyExpired() : nil }

  private mutating func popAnyExpired() -> Due? {
    defer {
      isAny =
        renderTimerEnd != nil || adapterTimerEnd != nil || graceEnd != nil || farewellEnd != nil
        || nextLook != nil || stall != nil
    }
    if Self.clearIfExpired(&renderTimerEnd) { return .renderTimer }
    if Self.clearIfExpired(&adapterTimerEnd) { return .adapterTimer }
    if Self.clearIfExpired(&graceEnd) { return .grace }
    if Self.clearIfExpired(&farewellEnd) { return .farewell }
    var stallEnd = stall?.end
    if Self.clearIfExpired(&stallEnd) {
      stall = nil
      return .stall
    }
    if Self.clearIfExpired(&nextLook) {
      startLooking()
      return .look
    }
    return nil
  }

  private static func clearIfExpired(_ end: inout Instant?) -> Bool {
    guard let instant = end, .now >= instant else { return false }
    end = nil
    return true
  }
}
