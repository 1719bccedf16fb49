import System

/// Who may call a host: the thread that made it, or, when it was made in a task, tasks.
///
/// Inside tasks the compiler sees to it that a host, which is not `Sendable`, is used by one at a
/// time, and the thread may change at each `await`. Outside of tasks only the thread can be checked.
struct Owner {
  private var thread = pthread_self()
  private let isTask = withUnsafeCurrentTask { $0 != nil }

  /// Whether the caller may go on. `isBusy` says that a call is under way on the noted thread.
  mutating func admitsCaller(isBusy: Bool) -> Bool {
    let caller = pthread_self()
    if pthread_equal(caller, thread) != 0 { return true }
    guard isTask, !isBusy, withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
    thread = caller
    return true
  }

  /// Makes the calling thread the owner.
  mutating func adoptCurrentThread() {
    thread = pthread_self()
  }
}
