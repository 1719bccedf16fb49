import Synchronization
import Testing

@testable import TodoModel

@Suite("The clock of days")
struct DayClockTests {
  /// A clock that moves to the end of each wait.
  private final class WaitingClock: Sendable {
    let now: Mutex<Timestamp>
    let waits = Mutex<[String]>([])

    init(_ time: String) { now = Mutex(Timestamp(rfc3339: time)!) }

    func days(_ utcOffset: @escaping @Sendable (Timestamp) -> Int64) -> DayClock {
      DayClock(
        now: { self.now.withLock { $0 } }, utcOffset: utcOffset,
        wait: { end in
          self.waits.withLock { $0.append(end.description) }
          self.now.withLock { $0 = end }
        })
    }
  }

  private static let hour: Int64 = 3_600_000

  @Test(
    "is on the day of the user's time zone",
    arguments: [
      ("2026-12-01T22:59:59Z", 1, "2026-12-01"), ("2026-12-01T23:00:00Z", 1, "2026-12-02"),
      ("2026-12-01T04:59:59Z", -5, "2026-11-30"), ("2026-12-01T05:00:00Z", -5, "2026-12-01"),
      ("1969-12-31T23:59:59Z", 0, "1969-12-31"), ("1970-01-01T00:30:00Z", -1, "1969-12-31"),
    ] as [(String, Int64, String)])
  func today(time: String, hours: Int64, day: String) {
    let clock = WaitingClock(time)
    #expect(clock.days { _ in hours * Self.hour }.today.description == day)
  }

  @Test("waits until local midnight, an hour at most at a time")
  func midnight() async {
    let clock = WaitingClock("2026-12-01T19:30:00Z")
    let days = clock.days { _ in 2 * Self.hour }
    #expect(await days.day(after: days.today).description == "2026-12-02")
    #expect(
      clock.waits.withLock { $0 } == [
        "2026-12-01T20:30:00.000Z", "2026-12-01T21:30:00.000Z", "2026-12-01T22:00:00.000Z",
      ])
  }

  @Test("finds midnight on a day on which summer time begins")
  func summerTime() async {
    // From +01:00 to +02:00 at 01:00 UTC.
    let start = Timestamp(rfc3339: "2026-03-29T01:00:00Z")!
    let clock = WaitingClock("2026-03-28T23:30:00Z")
    let days = clock.days { $0 < start ? Self.hour : 2 * Self.hour }
    #expect(await days.day(after: days.today).description == "2026-03-30")
    #expect(clock.now.withLock { $0 }.description == "2026-03-29T22:00:00.000Z")
  }

  @Test("notices a day that began before the wait, such as while the system slept")
  func missedMidnight() async {
    let clock = WaitingClock("2026-12-05T08:00:00Z")
    let days = clock.days { _ in 0 }
    #expect(await days.day(after: CivilDay("2026-12-01")!).description == "2026-12-05")
    #expect(clock.waits.withLock { $0 }.isEmpty)
  }

  @Test("ends a wait that is cancelled")
  func cancellation() async {
    for days in [DayClock.fixed(.first), .live] {
      let today = days.today
      let task = Task { await days.day(after: today) }
      task.cancel()
      #expect(await task.value == today)
    }
  }
}
