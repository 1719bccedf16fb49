import CCrash

/// Writes one line to stderr when the program crashes.
///
/// ```swift
/// CrashReport.install(product: "todo-server", version: "1.0", recipient: "https://example.org")
/// ```
///
/// The line contains the signal, the version, the build ID and the addresses of the stack frames,
/// but no data of the user. The signal then ends the program as usual.
package enum CrashReport {
  /// The signals that crashes cause.
  package static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Installs the handlers for crashes. They replace the handlers of the Swift runtime, which take
  /// seconds to write a backtrace, and continue even after the program was killed. For Ctrl-\
  /// (SIGQUIT), the default is restored: it ends the program immediately, without a report.
  ///
  /// Call this function once, on the main thread. A stack overflow is reported only if it occurs on
  /// the main thread or on a thread of `DetachedThread`.
  package static func install(product: String, version: String, recipient: StaticString) {
    signal(SIGQUIT, SIG_DFL)
    recipient.withUTF8Buffer { text in
      UnsafeRawPointer(text.baseAddress)?.withMemoryRebound(to: CChar.self, capacity: text.count) {
        crash_report_install(product, version, $0)
      }
    }
  }
}
