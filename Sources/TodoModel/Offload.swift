import System

/// Where blocking work runs.
package enum Offload: Sendable {
  /// On a thread of its own, so that the pool's few threads stay free.
  case thread
  /// At once, on the caller's thread: for replays, where order is everything.
  case inline

  /// Runs what blocks where this value says, and answers when it is done.
  package func run<Value: Sendable>(
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
