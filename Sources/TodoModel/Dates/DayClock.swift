import System

/// A clock for days in the user's time zone: returns the current day, and waits for the next one.
///
///     let clock = services.days
///     var day = clock.today
///     while !Task.isCancelled { day = await clock.day(after: day) }
package struct DayClock: Sendable {
  private let now: @Sendable () -> Timestamp
  package let utcOffset: @Sendable (Timestamp) -> Int64
  private let wait: @Sendable (Timestamp) async -> Void

  private static let dayMilliseconds: Int64 = 86_400_000
  /// The longest single wait, in milliseconds. After each wait, the clock reads the time zone
  /// again, so a change of the time zone is noticed within this time.
  private static let waitMilliseconds: Int64 = 3_600_000

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - utcOffset: Returns how far the user's wall clock is ahead of UTC at a given time, in
  ///     milliseconds.
  ///   - wait: Waits until a given time. It may return earlier, and returns immediately when its
  ///     task is cancelled.
  package init(
    now: @escaping @Sendable () -> Timestamp, utcOffset: @escaping @Sendable (Timestamp) -> Int64,
    wait: @escaping @Sendable (Timestamp) async -> Void
  ) {
    self.now = now
    self.utcOffset = utcOffset
    self.wait = wait
  }

  /// Returns a clock that always shows the same day.
  package static func fixed(_ day: CivilDay) -> DayClock {
    let time = Timestamp(milliseconds: Int64(day.number) * dayMilliseconds)
    return DayClock(
      now: { time }, utcOffset: { _ in 0 },
      wait: { _ in for await _ in AsyncStream<Never>.makeStream().stream {} })
  }

  package var today: CivilDay { local(now()).day }

  /// Waits until the current day differs from `day`, and returns the current day. If the task is
  /// cancelled, returns `day` immediately.
  package func day(after day: CivilDay) async -> CivilDay {
    while !Task.isCancelled {
      let time = now()
      let (today, milliseconds) = local(time)
      if today != day { return today }
      let left = min(Self.dayMilliseconds - milliseconds, Self.waitMilliseconds)
      await wait(Timestamp(milliseconds: time.milliseconds + left))
    }
    return day
  }

  /// Converts a time to the day in the user's time zone, and the milliseconds since that day began.
  private func local(_ time: Timestamp) -> (day: CivilDay, milliseconds: Int64) {
    let local = time.milliseconds + utcOffset(time)
    var (day, milliseconds) = local.quotientAndRemainder(dividingBy: Self.dayMilliseconds)
    if milliseconds < 0 { (day, milliseconds) = (day - 1, milliseconds + Self.dayMilliseconds) }
    return (CivilDay(number: day) ?? (day < 0 ? .first : .last), milliseconds)
  }

  /// The system's clock, in the user's time zone.
  package static let live = DayClock(
    now: { .now },
    utcOffset: { Int64(WallClock.utcOffset(at: $0.milliseconds / 1_000)) * 1_000 },
    wait: { time in
      await WallClock.wait(untilMilliseconds: time.milliseconds)
      WallClock.readTimeZone()
    })
}
