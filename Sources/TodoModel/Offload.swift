import System

/// The thread on which blocking work runs.
package enum Offload: Sendable {
  /// A new thread for each call, so that the few threads of the concurrency pool stay free.
  case thread
  /// The caller's thread, so that work runs in a fixed order. Replays need this.
  case inline

  /// Runs blocking work on the selected thread, waits for it, and returns its result.
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
