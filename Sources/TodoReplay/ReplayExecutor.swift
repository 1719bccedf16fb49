import Synchronization

/// Runs tasks on the thread that asks for it, one job after the other: when `runAll` returns, each
/// task has ended or waits for the transcript. So a replay has one order, and nothing sleeps.
package final class ReplayExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  package func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
