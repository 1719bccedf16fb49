import System

/// What each signal does to a server.
enum ServerSignals {
  /// SIGTERM and SIGHUP end the server in good order; a front-end's Ctrl-C does not concern a
  /// server that no terminal talks to; a reader that is gone is noticed where it is written to.
  static func install(wakeDescriptor: Int32) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    let ending = [SIGTERM, SIGHUP] + (isatty(STDIN_FILENO) == 1 ? [SIGINT] : [])
    _ = Signals.catch(ending, waking: wakeDescriptor)
  }
}
