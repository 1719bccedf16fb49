import System

/// The way in which blocking work runs.
package enum Offload: Sendable {
  /// Blocking work runs on a new thread, so that the few threads of the concurrency pool stay free.
  case thread
  /// Blocking work runs immediately on the caller's thread: for replays, which need a fixed order.
  case inline

  /// Runs blocking work on the selected thread, and returns its result.
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
