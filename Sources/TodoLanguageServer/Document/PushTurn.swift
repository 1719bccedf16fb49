/// Whose turn it is after an edit was sent: two that are on their way at once would change each
/// other's places where an editor does not look for which text they are.
///
/// Nothing is waited for: an editor that never answers gets the next edit with the next save, or
/// after a few words.
struct PushTurn: Sendable {
  private var isSent = false
  private var changeCount = 0

  /// After how many changes of the buffer an edit is no longer taken to be on its way.
  private static let changesMax = 8

  /// Whether the next edit can be sent.
  var isOver: Bool { !isSent }

  mutating func begin() { (isSent, changeCount) = (true, 0) }
  mutating func end() { isSent = false }

  mutating func noteChange() {
    changeCount += 1
    if changeCount >= Self.changesMax { isSent = false }
  }
}
