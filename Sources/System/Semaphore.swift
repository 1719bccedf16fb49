/// Counts signals, for threads that wait for one each.
package final class Semaphore: Sendable {
  private struct State {
    var lock = pthread_mutex_t()
    var isSignaled = pthread_cond_t()
    var count = 0
  }

  /// Stays where it is, as the system wants it of a lock. Only touched behind that lock.
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

  /// Lets one thread on, now or when it waits.
  package func signal() {
    pthread_mutex_lock(&state.pointee.lock)
    state.pointee.count += 1
    pthread_cond_signal(&state.pointee.isSignaled)
    pthread_mutex_unlock(&state.pointee.lock)
  }

  /// Waits for a signal, and takes it.
  package func wait() {
    pthread_mutex_lock(&state.pointee.lock)
    while state.pointee.count == 0 {
      pthread_cond_wait(&state.pointee.isSignaled, &state.pointee.lock)
    }
    state.pointee.count -= 1
    pthread_mutex_unlock(&state.pointee.lock)
  }
}
