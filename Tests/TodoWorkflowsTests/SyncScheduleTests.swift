import Testing
import TodoModel

@testable import TodoWorkflows

/// Tests the pauses between two syncs, which depend on the capabilities of the source.
@Suite struct SyncScheduleTests {
  private func milliseconds(_ hasPending: Bool, isInFront: Bool) -> [Int64] {
    var capabilities = RemoteCapabilities(fields: .all)
    (capabilities.pollMilliseconds, capabilities.backgroundPollMilliseconds) = (1, 2)
    capabilities.pushMilliseconds = 3
    return SyncSchedule().pauses(
      afterRun: 1, hasPending: hasPending, isInFront: isInFront, capabilities
    ).map(\.milliseconds)
  }

  @Test func aListInFrontIsPolledMoreOften() {
    #expect(milliseconds(false, isInFront: true) == [1])
    #expect(milliseconds(false, isInFront: false) == [2])
  }

  /// Removals that are held (see `HeldRemovals`) are tried every minute, and do not delay an edit
  /// (rule 10 for documents).
  @Test func heldRemovalsDoNotDelayEdits() {
    var schedule = SyncSchedule()
    var report = SyncReport()
    report.held = 11
    schedule.recordEnd(report, isWell: true)
    func delay() -> Int64? {
      schedule.pauses(
        afterRun: 1, hasPending: true, isInFront: true, RemoteCapabilities(fields: .all)
      ).first { $0.goal == .push }?.milliseconds
    }
    #expect(delay() == 60_000)
    schedule.recordEdit()
    #expect(delay() == 10_000)
  }

  @Test func editsWaitForTheSourcesOwnTime() {
    #expect(milliseconds(true, isInFront: true) == [1, 3])
  }
}
