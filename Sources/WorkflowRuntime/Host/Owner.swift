import System

/// Who may call a host: the thread that used it last, and, while nothing is under way, any task.
///
/// A host is not `Sendable`, so among tasks the compiler sees to it that one at a time uses it, and
/// the thread may change at each `await`. It does not matter whether the host was made in a task:
/// an actor's often is not. Outside of tasks nobody watches, so there only the thread that has the
/// host may go on.
struct Owner {
  private var thread = pthread_self()

  @inline(__always)
  var isCaller: Bool { pthread_self() == thread }

  /// Whether a caller in another thread may go on. `isBusy` says that a call of the noted thread is
  /// under way.
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
