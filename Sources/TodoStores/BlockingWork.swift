import System
import TodoModel

extension Offload {
  /// Runs what blocks where this value says, and answers when it is done.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TodoError) -> Value
  ) async throws(TodoError) -> Value {
    switch self {
    case .inline: return try work()
    case .thread:
      let result = await withCheckedContinuation { continuation in
        BlockingThread.start { continuation.resume(returning: Result(catching: work)) }
      }
      return try result.get()
    }
  }
}

/// A thread for one piece of work that blocks, so that the pool's few threads stay free.
enum BlockingThread {
  static func start(_ work: @escaping @Sendable () -> Void) {
    // No thread is to be had: better to block the caller than to lose the work.
    if !DetachedThread.start(work) { work() }
  }
}
