import CCrash

/// Writes one line to stderr when the program crashes.
///
/// ```swift
/// CrashReport.install(product: "todo-server", version: "1.0", recipient: "https://example.org")
/// ```
///
/// The line contains the signal, the version, the build ID and the addresses of the frames, but no
/// user data. Afterwards the signal ends the program, as it would without this report.
package enum CrashReport {
  /// The signals that a crash causes.
  package static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Installs handlers for crashes. They replace those of the Swift runtime, whose backtrace
  /// process takes seconds and keeps running if the program is killed. Ctrl-\ ends the program
  /// immediately, without a report.
  ///
  /// Call it once, on the main thread. After a stack overflow, the line is written only on this
  /// thread and on those of `DetachedThread`.
  package static func install(product: String, version: String, recipient: StaticString) {
    signal(SIGQUIT, SIG_DFL)
    recipient.withUTF8Buffer { text in
      UnsafeRawPointer(text.baseAddress)?.withMemoryRebound(to: CChar.self, capacity: text.count) {
        crash_report_install(product, version, $0)
      }
    }
  }
}
