import System

/// The owner of a host: the thread that used the host last and may call it. While no call is in
/// progress, any thread that runs a Swift task may also call the host, and becomes its owner.
///
/// A host is not `Sendable`, so the compiler ensures that only one task at a time uses it. The
/// thread of this task may change at each `await`. A host may also be created outside of tasks, for
/// example for an actor. The compiler does not check code outside of tasks. In such code, only the
/// owning thread may call the host.
struct Owner {
  private var thread = pthread_self()

  @inline(__always)
  var isCaller: Bool { pthread_self() == thread }

  /// Returns whether a caller in another thread may proceed. If so, makes its thread the owner.
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
