import CCrash

/// Writes one line to stderr when the program crashes.
///
/// ```swift
/// CrashReport.install(product: "todo-server", version: "1.0", recipient: "https://example.org")
/// ```
///
/// The line contains the signal, the version, the build ID and the addresses of the frames, but no
/// user data. Then the program ends by that signal, as it does without the line.
package enum CrashReport {
  /// The signals of crashes.
  package static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Replaces the crash handlers of the Swift runtime, whose backtrace process takes seconds and
  /// keeps running when the program is killed. Ctrl-\ ends the program immediately, without a line.
  ///
  /// Call it once, on the main thread. If a stack is exhausted, the line is written for this thread
  /// and those of `DetachedThread`.
  package static func install(product: String, version: String, recipient: StaticString) {
    signal(SIGQUIT, SIG_DFL)
    recipient.withUTF8Buffer { text in
      UnsafeRawPointer(text.baseAddress)?.withMemoryRebound(to: CChar.self, capacity: text.count) {
        crash_report_install(product, version, $0)
      }
    }
  }
}
