import System
import Testing

/// Tests the timeout of writes to a reader that does not read.
@Suite struct WriteTimeoutTests {
  private let start = ContinuousClock.now

  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func timeoutIsOffWithoutPendingOutput() {
    var timeout = WriteTimeout(limit: .seconds(60))
    #expect(timeout.end == nil)
    timeout.record(didWrite: true, hasPendingBytes: false, at: after(0))
    #expect(timeout.end == nil)
  }

  @Test func timeoutBeginsWhenThePipeIsFull() {
    var timeout = WriteTimeout(limit: .seconds(60))
    timeout.record(didWrite: true, hasPendingBytes: true, at: after(1))
    timeout.record(didWrite: false, hasPendingBytes: true, at: after(5))
    timeout.record(didWrite: false, hasPendingBytes: true, at: after(50))
    #expect(timeout.end == after(61))
  }

  @Test func eachWrittenByteRestartsTheTimeout() {
    var timeout = WriteTimeout(limit: .seconds(60))
    timeout.record(didWrite: false, hasPendingBytes: true, at: after(1))
    timeout.record(didWrite: true, hasPendingBytes: true, at: after(59))
    #expect(timeout.end == after(119))
    timeout.record(didWrite: true, hasPendingBytes: false, at: after(60))
    #expect(timeout.end == nil)
    timeout.record(didWrite: false, hasPendingBytes: true, at: after(70))
    #expect(timeout.end == after(130))
  }
}
