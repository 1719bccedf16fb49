import Testing
import TodoModel

@testable import TodoWorkflows

/// Tests that the timeouts of a sync fit together, because some of them depend on others.
@Suite struct SyncTimeoutTests {
  private let request = RequestTimeouts.standard

  @Test func requestTimeoutIsLongerThanItsParts() {
    #expect(request.connectMilliseconds < request.idleMilliseconds)
    #expect(request.idleMilliseconds < request.totalMilliseconds)
    #expect(RequestTimeouts.ceilingMilliseconds > request.totalMilliseconds)
  }

  @Test func otherServersWaitUntilTheRequestHasEnded() {
    #expect(HostRequestQueue.lockMillisecondsMax >= RequestTimeouts.ceilingMilliseconds)
    // The lease is renewed before each request, so it must also outlast the pause before the next.
    #expect(
      SyncEngine.leaseMilliseconds
        >= RequestTimeouts.ceilingMilliseconds + SyncEngine.pauseMillisecondsMax)
  }

  @Test func runTimeoutIsLongerThanItsPausesAndRequests() {
    #expect(SyncEngine.pauseMillisecondsMax >= SyncEngine.outcomeMilliseconds)
    #expect(SyncEngine.pauseMillisecondsMax >= SyncEngine.writePauseMilliseconds)
    #expect(SyncRun.millisecondsMax >= 2 * SyncEngine.leaseMilliseconds)
  }
}
