import Synchronization
import System

/// Runs a task to its end on the pool, while the main thread waits: for commands that do one
/// thing. Nil when the system gives no pipe to wait at.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
  guard var pipe = Pipe() else { return nil }
  let result = TaskResult<Value>()
  let end = pipe.releaseWriter()
  Task.detached {
    let value = await body()
    result.value.withLock { $0 = value }
    // Nothing is sent: who reads notices the end.
    close(end)
  }
  var byte: [UInt8] = [0]
  _ = readSome(&byte, from: pipe.reader)
  return result.value.withLock { $0 }
}

private final class TaskResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
