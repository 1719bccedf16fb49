import CSQLite
import Synchronization

/// A profile that reports the duration of each statement, for all connections opened after `start`.
package enum StatementProfile {
  /// A function that is called at the end of each statement, with its text (`?` instead of values)
  /// and its start time.
  package typealias Report = @Sendable (_ sql: String, _ start: ContinuousClock.Instant) -> Void

  private struct State {
    var report: Report?
    /// The start times of running statements. SQLite's own clock has a resolution of milliseconds
    /// only.
    var starts: [UInt: ContinuousClock.Instant] = [:]
  }

  private static let state = Mutex(State())

  /// Starts to report statements. Must be called once, before a database is opened: connections
  /// that are already open are not measured.
  package static func start(_ report: @escaping Report) {
    state.withLock { $0.report = report }
    // SQLite declares the type of the function without its parameters.
    sqlite3_auto_extension(unsafeBitCast(observeConnection, to: (@convention(c) () -> Void).self))
  }

  private static let observeConnection:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> CInt = { connection, _, _ in
      let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE)
      return sqlite3_trace_v2(connection, events, observeStatement, nil)
    }

  private static let observeStatement:
    @convention(c) (
      UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> CInt = { event, _, statement, text in
      guard let statement else { return 0 }
      if event == UInt32(SQLITE_TRACE_STMT) {
        StatementProfile.begin(statement, text)
      } else {
        StatementProfile.end(statement)
      }
      return 0
    }

  private static func begin(_ statement: UnsafeMutableRawPointer, _ text: UnsafeMutableRawPointer?)
  {
    // SQLite reports a trigger as a comment. It is skipped, because the trigger is part of the
    // statement that runs it.
    let bytes = text?.assumingMemoryBound(to: UInt8.self)
    guard let bytes, bytes[0] != UInt8(ascii: "-") else { return }
    let key = UInt(bitPattern: statement)
    state.withLock { $0.starts[key] = .now }
  }

  private static func end(_ statement: UnsafeMutableRawPointer) {
    let key = UInt(bitPattern: statement)
    let (report, start) = state.withLock { ($0.report, $0.starts.removeValue(forKey: key)) }
    guard let report, let start, let sql = sqlite3_sql(OpaquePointer(statement)) else { return }
    report(String(cString: sql), start)
  }
}
