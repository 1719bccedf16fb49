/// Whose turn it is after an edit was sent. Two that are on their way at once change each other's
/// places where an editor does not look for which text they are.
///
/// Nothing depends on an answer: a client that leaves some out gets the next edit when its buffer
/// changes, and every other one with the next save, or after a few words, all the same.
struct PushTurn: Sendable {
  private var isSent = false
  /// Whether an edit is only sent to a text that has not changed for a while.
  private let waitsForQuiet: Bool
  private var quiet = Quiet.quiet
  /// Whether the client has said that it has applied it, and the change is still to come.
  private var isToBeSeen = false
  /// How often the buffer has changed since.
  private var changeCount = 0
  private var hasAnswered = false
  private var unansweredCount = 0

  /// After how many changes of the buffer an edit is no longer taken to be on its way.
  private static let changesMax = 8
  /// How many edits can be without an answer, of a client that gives answers.
  private static let unansweredMax = 2

  /// How long the text has stayed as it is, in whiles, the first of which may be short.
  private enum Quiet { case typed, pausing, quiet }

  init(waitsForQuiet: Bool = false) { self.waitsForQuiet = waitsForQuiet }

  /// Whether the next edit can be sent.
  var isOver: Bool { !isSent && !awaitsQuiet }
  /// Whether somebody may be typing.
  var awaitsQuiet: Bool { waitsForQuiet && quiet != .quiet }

  mutating func timePassed() { quiet = quiet == .typed ? .pausing : .quiet }

  private var givesAnswers: Bool { hasAnswered && unansweredCount <= Self.unansweredMax }

  mutating func begin() {
    (isSent, isToBeSeen, changeCount) = (true, false, 0)
    unansweredCount += 1
  }

  mutating func end() { isSent = false }

  /// - Parameters:
  ///   - isLast: Whether it is the answer to the edit that was sent last.
  ///   - isToBeSeen: Whether the edit is said to be applied, and nothing has changed yet: many clients
  ///     answer at once, and say what has changed a moment later.
  mutating func recordResponse(isLast: Bool, isToBeSeen: Bool) {
    hasAnswered = true
    unansweredCount = max(0, unansweredCount - 1)
    guard isLast else { return }
    if isToBeSeen { self.isToBeSeen = true } else { isSent = false }
  }

  mutating func textDidChange() {
    quiet = .typed
    changeCount += 1
    if !givesAnswers || isToBeSeen || changeCount >= Self.changesMax { isSent = false }
  }
}
