import CCrash

/// The line on stderr with which a crash of the program ends.
///
/// ```swift
/// CrashReport.install(product: "todo-server", version: "1.0", recipient: "https://example.org")
/// ```
///
/// The line has the signal, the version, the build ID and the addresses of the frames, and none of
/// the user's data. Then the program ends by that signal, as it does without the line.
package enum CrashReport {
  /// The signals of a crash.
  package static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Replaces the handlers of Swift's runtime, whose backtrace takes seconds and survives a kill
  /// of the program. Ctrl-\ ends the program immediately, without a line.
  ///
  /// Call it once, on the main thread. A crash on an exhausted stack has its line on this thread
  /// and on those of `DetachedThread`.
  package static func install(product: String, version: String, recipient: StaticString) {
    signal(SIGQUIT, SIG_DFL)
    recipient.withUTF8Buffer { text in
      UnsafeRawPointer(text.baseAddress)?.withMemoryRebound(to: CChar.self, capacity: text.count) {
        crash_report_install(product, version, $0)
      }
    }
  }
}
