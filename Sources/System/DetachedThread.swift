import CCrash

/// A thread that nobody waits for.
package enum DetachedThread {
  /// Starts a thread; false when none is to be had.
  ///
  /// Signals are not its business, above all SIGPIPE: a TLS library may write to a connection that
  /// is gone, and that must not end the process.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard pthread_create(&thread, nil, runBody, context.toOpaque()) == 0 else {
      context.release()
      return false
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  fileprivate final class Body: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ context: UnsafeMutableRawPointer) {
      var signals = sigset_t()
      sigfillset(&signals)
      // The system ends a program without its handler if the signal of a crash is blocked.
      for number in CrashReport.signals { sigdelset(&signals, number) }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      crash_report_begin_thread()
      defer { crash_report_end_thread() }
      Unmanaged<Body>.fromOpaque(context).takeRetainedValue().body()
    }
  }
}

#if canImport(Darwin)
  private func runBody(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    DetachedThread.Body.run(context)
    return nil
  }
#else
  private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { DetachedThread.Body.run(context) }
    return nil
  }
#endif
