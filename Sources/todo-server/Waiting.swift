import Synchronization
import System

/// Runs a task on the thread pool, and blocks the calling thread until the task has ended.
///
/// - Returns: The result; `nil` if the system provides no pipe to wait on.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
  guard var pipe = Pipe() else { return nil }
  let result = TaskResult<Value>()
  let end = pipe.releaseWriter()
  Task.detached {
    let value = await body()
    result.value.withLock { $0 = value }
    // Closing wakes the reader; no byte is needed.
    close(end)
  }
  var byte: [UInt8] = [0]
  _ = readSome(&byte, from: pipe.reader)
  return result.value.withLock { $0 }
}

private final class TaskResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
