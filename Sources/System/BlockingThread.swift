/// A separate thread for blocking work, so that the few threads of the pool stay free.
package enum BlockingThread {
  package static func start(_ work: @escaping @Sendable () -> Void) {
    // The thread could not be created: block the caller instead of dropping the work.
    if !DetachedThread.start(work) { work() }
  }
}
