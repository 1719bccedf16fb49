/// The schedule of retries after the store has failed, for example because the database was locked
/// or the disk was full.
struct StoreRetry: Sendable {
  /// The retry interval, in timer intervals of 250 ms.
  private static let retryIntervalCount = 8
  private var intervalCount = 0

  /// Counts a timer interval.
  ///
  /// - Returns: Whether to retry now.
  mutating func timePassed() -> Bool {
    intervalCount = (intervalCount + 1) % Self.retryIntervalCount
    return intervalCount == 0
  }
}
