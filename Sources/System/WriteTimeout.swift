/// A write timeout, which detects that pending output is not read.
///
/// ```swift
/// var stall = WriteTimeout(limit: .seconds(60))
/// stall.record(wasTaken: true, isWaiting: true, at: .now)
/// stall.end // a minute from now
/// ```
package struct WriteTimeout: Sendable {
  private let limit: Duration
  /// The time since which output has been pending without a written byte; `nil` if no output is
  /// pending.
  private var start: ContinuousClock.Instant?

  /// - Parameter limit: The maximum time without a written byte.
  package init(limit: Duration) { self.limit = limit }

  /// Records the result of a write.
  ///
  /// - Parameters:
  ///   - wasTaken: Whether a byte was written.
  ///   - isWaiting: Whether output is still pending.
  package mutating func record(
    wasTaken: Bool, isWaiting: Bool, at now: @autoclosure () -> ContinuousClock.Instant
  ) {
    if !isWaiting {
      start = nil
    } else if wasTaken || start == nil {
      start = now()
    }
  }

  /// The time at which the timeout expires; `nil` if no output is pending.
  package var end: ContinuousClock.Instant? { start.map { $0 + limit } }
}
