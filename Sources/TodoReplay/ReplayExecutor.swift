import Synchronization
import System

/// An executor that runs tasks on the thread that calls `runAll`, one job after the other. When
/// `runAll` returns, each task has ended or waits for an event from outside, such as the next line
/// of the transcript. Therefore a replay is deterministic, and nothing sleeps.
package final class ReplayExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let wake: (@Sendable () -> Void)?
  private let thread = pthread_self()

  /// Creates an executor without jobs.
  ///
  /// - Parameter wake: Called when another thread enqueues a job.
  package init(wake: (@Sendable () -> Void)? = nil) { self.wake = wake }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    if let wake, pthread_equal(thread, pthread_self()) == 0 { wake() }
  }

  package func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
