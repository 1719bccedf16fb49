/// A thread for one piece of work that blocks, so that the pool's few threads stay free.
package enum BlockingThread {
  package static func start(_ work: @escaping @Sendable () -> Void) {
    // No thread is to be had: better to block the caller than to lose the work.
    if !DetachedThread.start(work) { work() }
  }
}
