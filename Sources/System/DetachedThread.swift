import CCrash

/// A thread that is never joined: no other thread waits for its end.
package enum DetachedThread {
  /// Starts a thread on which all signals are blocked, except those of crashes.
  ///
  /// SIGPIPE must be blocked, because a TLS library can write to a closed connection. This must not
  /// end the process.
  ///
  /// - Returns: `false` if the thread could not be created.
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
      // If a crash raises a blocked signal, the system ends the program without calling the
      // handler.
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
