import System

/// The thread that may call a host: the one that used it last, or, while no call is in progress,
/// any thread that runs a task.
///
/// A host is not `Sendable`, so the compiler ensures that only one task at a time uses it, while
/// the thread may change at each `await`. The host may have been created outside of a task, as the
/// host of an actor often is. Outside of tasks the compiler does not check the use, so only the
/// owning thread may call.
struct Owner {
  private var thread = pthread_self()

  @inline(__always)
  var isCaller: Bool { pthread_self() == thread }

  /// Whether a caller in another thread may proceed. If so, its thread becomes the owner.
  ///
  /// - Parameter isBusy: whether a call in the owning thread is in progress.
  mutating func admitsOtherThread(isBusy: Bool) -> Bool {
    guard !isBusy, withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
    adoptCurrentThread()
    return true
  }

  /// Makes the calling thread the owner.
  mutating func adoptCurrentThread() {
    thread = pthread_self()
  }
}
