import Synchronization

/// An executor that runs tasks on a few threads of its own, instead of the threads of Swift's
/// runtime.
///
/// ```swift
/// Task.detached(executorPreference: threads) { await worker.run() }
/// ```
///
/// The threads of the runtime (libdispatch) wake up once a second for as long as the process runs.
/// The threads of this executor sleep until there is a job, so an idle program never wakes up. They
/// run until the process ends.
package final class WorkerThreads: TaskExecutor {
  /// The maximum number of threads. A few are enough, because blocking work has its own threads.
  private static let countMax = 4

  private struct State {
    var jobs: [UnownedJob] = []
    var count = 0
    var idleCount = 0
  }

  private let state = Mutex(State())
  private let work = Semaphore()

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.jobs.count > state.idleCount, state.count < Self.countMax else { return false }
      state.count += 1
      state.idleCount += 1
      return true
    }
    if !needsThread || DetachedThread.start({ [self] in runJobs() }) {
      work.signal()
    } else {
      startFailed()
    }
  }

  /// Handles the failure to create a thread for a queued job. The existing threads will run the
  /// job. If there are none, runs a job on the calling thread.
  private func startFailed() {
    let job = state.withLock { state in
      state.count -= 1
      state.idleCount -= 1
      return state.count == 0 ? state.jobs.popLast() : nil
    }
    if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { work.signal() }
  }

  private func runJobs() {
    while true {
      work.wait()
      let job = state.withLock { state in
        state.idleCount -= 1
        return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
      }
      job?.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.idleCount += 1 }
    }
  }
}
