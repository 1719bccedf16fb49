/// When a store that has failed is asked again by itself: another program may have held it, or the
/// disk was full.
struct StoreRetry: Sendable {
  /// In whiles of a quarter of a second.
  private static let pause = 8
  private var whileCount = 0

  /// Notes that a while has gone by since it failed. True: it is asked again.
  mutating func timePassed() -> Bool {
    whileCount = (whileCount + 1) % Self.pause
    return whileCount == 0
  }
}
