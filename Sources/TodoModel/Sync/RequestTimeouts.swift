/// The timeouts of a request to a source. Other timeouts that must be longer than a request are
/// computed from them.
package struct RequestTimeouts: Sendable, Equatable {
  /// The timeout for establishing the connection.
  package var connectMilliseconds: Int64 = 10_000
  /// The timeout for a connection on which no bytes are transferred.
  package var idleMilliseconds: Int64 = 30_000
  /// The timeout for the whole request, including redirects.
  package var totalMilliseconds: Int64 = 300_000

  package init() {}

  /// The default timeouts.
  package static let standard = RequestTimeouts()

  /// The longest time from the decision to send a request until the request has certainly ended. It
  /// includes a margin for the delays before the start and after the end of the request.
  package static let ceilingMilliseconds = standard.totalMilliseconds + marginMilliseconds

  private static let marginMilliseconds: Int64 = 10_000
}
