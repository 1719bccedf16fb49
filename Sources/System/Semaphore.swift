/// A counting semaphore.
package final class Semaphore: Sendable {
  private struct State {
    var lock = pthread_mutex_t()
    var isSignaled = pthread_cond_t()
    var count = 0
  }

  /// The state is allocated on the heap, because locks must not move in memory. It is accessed only
  /// while its lock is held.
  private nonisolated(unsafe) let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  package init() {
    state.initialize(to: State())
    pthread_mutex_init(&state.pointee.lock, nil)
    pthread_cond_init(&state.pointee.isSignaled, nil)
  }

  deinit {
    pthread_cond_destroy(&state.pointee.isSignaled)
    pthread_mutex_destroy(&state.pointee.lock)
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Increments the count, and wakes up one waiting thread.
  package func signal() {
    pthread_mutex_lock(&state.pointee.lock)
    state.pointee.count += 1
    pthread_cond_signal(&state.pointee.isSignaled)
    pthread_mutex_unlock(&state.pointee.lock)
  }

  /// Waits until the count is positive, and decrements it.
  package func wait() {
    pthread_mutex_lock(&state.pointee.lock)
    while state.pointee.count == 0 {
      pthread_cond_wait(&state.pointee.isSignaled, &state.pointee.lock)
    }
    state.pointee.count -= 1
    pthread_mutex_unlock(&state.pointee.lock)
  }
}
