/// Timeouts of a request to a source. Every timeout that must outlast a request is computed from
/// these.
package struct RequestTimeouts: Sendable, Equatable {
  /// The timeout of connecting.
  package var connectMilliseconds: Int64 = 10_000
  /// The timeout of a connection without any transfer of bytes.
  package var idleMilliseconds: Int64 = 30_000
  /// The timeout of the whole request, with its redirects.
  package var totalMilliseconds: Int64 = 300_000

  package init() {}

  /// The default timeouts.
  package static let standard = RequestTimeouts()

  /// The longest time until a request that is about to be sent has ended, including the delays
  /// before its start and until its end is noticed.
  package static let ceilingMilliseconds = standard.totalMilliseconds + marginMilliseconds

  private static let marginMilliseconds: Int64 = 10_000
}
