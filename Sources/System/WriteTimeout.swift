/// A timeout for writes, which detects that the reader does not read pending output.
///
/// ```swift
/// var timeout = WriteTimeout(limit: .seconds(60))
/// timeout.record(didWrite: true, hasPendingBytes: true, at: .now)
/// timeout.end // a minute from now
/// ```
package struct WriteTimeout: Sendable {
  private let limit: Duration
  /// The time since which no byte of the pending output could be written; `nil` if no output is
  /// pending.
  private var start: ContinuousClock.Instant?

  /// Creates a timeout.
  ///
  /// - Parameter limit: The timeout expires if no byte could be written for this time.
  package init(limit: Duration) { self.limit = limit }

  /// Records the result of a write.
  ///
  /// - Parameters:
  ///   - didWrite: Whether at least one byte was written.
  ///   - hasPendingBytes: Whether output is still pending.
  package mutating func record(
    didWrite: Bool, hasPendingBytes: Bool, at now: @autoclosure () -> ContinuousClock.Instant
  ) {
    if !hasPendingBytes {
      start = nil
    } else if didWrite || start == nil {
      start = now()
    }
  }

  /// The time at which the timeout expires; `nil` if no output is pending.
  package var end: ContinuousClock.Instant? { start.map { $0 + limit } }
}
