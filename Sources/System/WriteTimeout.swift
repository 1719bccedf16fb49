/// Notices that nobody takes what waits to be written.
///
/// ```swift
/// var stall = WriteTimeout(limit: .seconds(60))
/// stall.record(wasTaken: true, isWaiting: true, at: .now)
/// stall.end  // a minute from now
/// ```
package struct WriteTimeout: Sendable {
  private let limit: Duration
  /// Since when nothing was taken, while something waits.
  private var start: ContinuousClock.Instant?

  /// - Parameter limit: How long the other side may take no byte.
  package init(limit: Duration) { self.limit = limit }

  /// Notes how a try to write ended: whether a byte was taken, and whether something still waits.
  package mutating func record(
    wasTaken: Bool, isWaiting: Bool, at now: @autoclosure () -> ContinuousClock.Instant
  ) {
    if !isWaiting {
      start = nil
    } else if wasTaken || start == nil {
      start = now()
    }
  }

  /// When nobody is taken to read any more; nil while nothing waits.
  package var end: ContinuousClock.Instant? { start.map { $0 + limit } }
}
