import TodoModel
import WorkflowRuntime

/// A worker that waits for the next day, and returns it.
struct DayWorker: Worker {
  var days: DayClock
  var today: CivilDay

  func run() async -> CivilDay { await days.day(after: today) }

  func isEquivalent(to otherWorker: DayWorker) -> Bool { today == otherWorker.today }
}
