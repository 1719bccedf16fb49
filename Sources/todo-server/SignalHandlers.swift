import System

/// The signal handling of a server.
enum SignalHandlers {
  /// Installs the handlers: SIGTERM and SIGHUP shut the server down cleanly. SIGINT does so only if
  /// stdin is a terminal, because a Ctrl-C for a front-end must not end the server that the
  /// front-end has started. SIGPIPE is ignored, because `write` reports a closed reader.
  static func install(wakeDescriptor: Int32) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    let ending = [SIGTERM, SIGHUP] + (isatty(STDIN_FILENO) == 1 ? [SIGINT] : [])
    _ = Signals.catch(ending, waking: wakeDescriptor)
  }
}
