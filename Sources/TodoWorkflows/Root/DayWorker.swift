import TodoModel
import WorkflowRuntime

/// Waits for the next day.
struct DayWorker: Worker {
  var days: DayClock
  var today: CivilDay

  func run() async -> CivilDay { await days.day(after: today) }

  func isEquivalent(to otherWorker: DayWorker) -> Bool { today == otherWorker.today }
}
