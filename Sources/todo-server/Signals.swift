import Synchronization
import System

/// Signals as a flag that the loop reads after each poll; the handler does nothing else.
enum Signals {
  private static let isEndRequested = Atomic<Bool>(false)
  private static let wakeDescriptor = Atomic<Int32>(-1)

  /// Sets what each signal does. SIGTERM and SIGHUP end the server in good order; a front-end's
  /// Ctrl-C does not concern a server that no terminal talks to; a reader that is gone is noticed
  /// where it is written to.
  static func install(wakeDescriptor descriptor: Int32) {
    wakeDescriptor.store(descriptor, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTERM, handler)
    signal(SIGHUP, handler)
    if isatty(STDIN_FILENO) == 0 { signal(SIGINT, SIG_IGN) } else { signal(SIGINT, handler) }
    // A crash is to end the process at once: the runtime's own handlers write a backtrace first,
    // which takes many seconds and outlives whoever kills us meanwhile.
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(number, SIG_DFL)
    }
    // A child starts with the signals blocked that the thread that started it had blocked: all of
    // them, where that was a thread of a pool.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Whether a signal has asked the server to end since this was last asked.
  static func takeEndRequest() -> Bool {
    isEndRequested.exchange(false, ordering: .acquiringAndReleasing)
  }

  private static let handler: @convention(c) (Int32) -> Void = { _ in
    let savedError = errno
    isEndRequested.store(true, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wakeDescriptor.load(ordering: .relaxed), &byte, 1)
    errno = savedError
  }
}
