import Synchronization
import System

/// Runs a task to its end on the pool, while the main thread waits: for commands that do one
/// thing. Nil when the system gives no pipe to wait at.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  defer { close(ends[0]) }
  let result = TaskResult<Value>()
  let end = ends[1]
  Task.detached {
    let value = await body()
    result.value.withLock { $0 = value }
    // Nothing is sent: who reads notices the end.
    close(end)
  }
  var byte: UInt8 = 0
  while read(ends[0], &byte, 1) < 0, errno == EINTR {}
  return result.value.withLock { $0 }
}

private final class TaskResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
