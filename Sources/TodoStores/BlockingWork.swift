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
    let context = Unmanaged.passRetained(Work(work))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, runBlockingWork, context.toOpaque())
    guard code == 0 else {
      // No thread is to be had: better to block the caller than to lose the work.
      context.takeRetainedValue().body()
      return
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  fileprivate final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Signals are the main thread's business, above all SIGPIPE: a TLS library may write to a
    /// connection that is gone, and that must not end the process.
    func runOnOwnThread() {
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      body()
    }
  }
}

#if canImport(Darwin)
  private func runBlockingWork(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<BlockingThread.Work>.fromOpaque(context).takeRetainedValue().runOnOwnThread()
    return nil
  }
#else
  private func runBlockingWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<BlockingThread.Work>.fromOpaque(context).takeRetainedValue().runOnOwnThread()
    return nil
  }
#endif
