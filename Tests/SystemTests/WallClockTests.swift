import Testing

@testable import System

@Suite("The wall clock")
struct WallClockTests {
  private var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  @Test func waitEndsAtItsTime() async {
    let end = now + 20
    await WallClock.wait(untilMilliseconds: end)
    #expect(now >= end)
  }

  @Test func waitForThePastEndsImmediately() async {
    await WallClock.wait(untilMilliseconds: 0)
    await WallClock.wait(untilMilliseconds: now - 1)
  }

  @Test func cancelledWaitEnds() async {
    let end = now + 3_600_000
    let wait = Task { await WallClock.wait(untilMilliseconds: end) }
    wait.cancel()
    await wait.value
    #expect(now < end)
  }
}
