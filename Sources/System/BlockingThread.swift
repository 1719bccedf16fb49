/// Runs blocking work on a new thread, so that the few threads of Swift's concurrency pool stay
/// free.
package enum BlockingThread {
  package static func start(_ work: @escaping @Sendable () -> Void) {
    // If no thread can be created, the work blocks the caller. This is better than not doing the
    // work.
    if !DetachedThread.start(work) { work() }
  }
}
