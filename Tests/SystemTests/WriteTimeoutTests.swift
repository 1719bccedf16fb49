import System
import Testing

/// The timeout for a reader that does not read.
@Suite struct WriteTimeoutTests {
  private let start = ContinuousClock.now

  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func timeoutIsOffWithoutPendingOutput() {
    var stall = WriteTimeout(limit: .seconds(60))
    #expect(stall.end == nil)
    stall.record(wasTaken: true, isWaiting: false, at: after(0))
    #expect(stall.end == nil)
  }

  @Test func timeoutBeginsWhenThePipeIsFull() {
    var stall = WriteTimeout(limit: .seconds(60))
    stall.record(wasTaken: true, isWaiting: true, at: after(1))
    stall.record(wasTaken: false, isWaiting: true, at: after(5))
    stall.record(wasTaken: false, isWaiting: true, at: after(50))
    #expect(stall.end == after(61))
  }

  @Test func eachWrittenByteRestartsTheTimeout() {
    var stall = WriteTimeout(limit: .seconds(60))
    stall.record(wasTaken: false, isWaiting: true, at: after(1))
    stall.record(wasTaken: true, isWaiting: true, at: after(59))
    #expect(stall.end == after(119))
    stall.record(wasTaken: true, isWaiting: false, at: after(60))
    #expect(stall.end == nil)
    stall.record(wasTaken: false, isWaiting: true, at: after(70))
    #expect(stall.end == after(130))
  }
}
