/// Whose turn it is after an edit was sent. Two that are on their way at once change each other's
/// places where an editor does not look for which text they are.
///
/// Nothing depends on an answer: a client that leaves some out gets the next edit when its buffer
/// changes, and every other one with the next save, or after a few words, all the same.
struct PushTurn: Sendable {
  private var isSent = false
  /// How often the buffer has changed since.
  private var changeCount = 0
  private var hasAnswered = false
  private var unansweredCount = 0

  /// After how many changes of the buffer an edit is no longer taken to be on its way.
  private static let changesMax = 8
  /// How many edits can be without an answer, of a client that gives answers.
  private static let unansweredMax = 2

  /// Whether the next edit can be sent.
  var isOver: Bool { !isSent }

  private var givesAnswers: Bool { hasAnswered && unansweredCount <= Self.unansweredMax }

  mutating func begin() {
    (isSent, changeCount) = (true, 0)
    unansweredCount += 1
  }

  mutating func end() { isSent = false }

  /// - Parameter isLast: Whether it is the answer to the edit that was sent last.
  mutating func noteAnswer(isLast: Bool) {
    hasAnswered = true
    unansweredCount = max(0, unansweredCount - 1)
    if isLast { isSent = false }
  }

  mutating func noteChange() {
    changeCount += 1
    if !givesAnswers || changeCount >= Self.changesMax { isSent = false }
  }
}
