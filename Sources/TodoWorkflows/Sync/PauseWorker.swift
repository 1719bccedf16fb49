import TodoModel
import WorkflowRuntime

/// A worker that waits until a pause between two syncs has ended, and returns the goal of the next
/// sync.
struct PauseWorker: Worker {
  var pause: SyncSchedule.Pause
  var services: SyncServices

  func run() async -> SyncGoal {
    let left = (pause.until?.milliseconds ?? .min).subtractingReportingOverflow(
      services.now().milliseconds)
    await services.sleep(
      left.overflow ? pause.milliseconds : max(pause.milliseconds, left.partialValue))
    return pause.goal
  }

  func isEquivalent(to otherWorker: PauseWorker) -> Bool { pause == otherWorker.pause }
}
