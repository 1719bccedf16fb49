/// Runs blocking work on a separate thread, so that the few threads of the pool stay free.
package enum BlockingThread {
  package static func start(_ work: @escaping @Sendable () -> Void) {
    // If the thread could not be created, blocking the caller is better than dropping the work.
    if !DetachedThread.start(work) { work() }
  }
}
