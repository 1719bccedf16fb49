/// A gate that keeps the next edit back while another one is in flight: in an editor that does not
/// check versions, each of the two would shift the positions of the other.
///
/// The wait for a response is limited. A client that omits responses gets the next edit when its
/// buffer changes; every client gets it after the next save, or after a few changes.
struct EditGate: Sendable {
  private var isSent = false
  /// Whether an edit is sent only after a pause in typing.
  private let debounces: Bool
  private var debounce = Debounce.over
  /// Whether the client has reported the edit as applied, but the notification of the change has
  /// not arrived.
  private var awaitsDidChange = false
  /// The number of changes of the buffer since the edit was sent.
  private var changeCount = 0
  private var hasAnswered = false
  private var unansweredCount = 0

  /// The number of changes after which an edit no longer counts as in flight.
  private static let changesMax = 8
  /// The maximum number of edits without a response. Beyond it, the client counts as one that does
  /// not respond.
  private static let unansweredMax = 2

  /// The state of the debounce. It ends after two timer intervals without a change, because the
  /// change may have come late in the first interval.
  private enum Debounce { case typed, pausing, over }

  init(debounces: Bool = false) { self.debounces = debounces }

  /// Whether the next edit can be sent.
  var isOver: Bool { !isSent && !isDebouncing }
  /// Whether edits wait for a pause, because the user may be typing.
  var isDebouncing: Bool { debounces && debounce != .over }

  mutating func timePassed() { debounce = debounce == .typed ? .pausing : .over }

  private var givesAnswers: Bool { hasAnswered && unansweredCount <= Self.unansweredMax }

  mutating func begin() {
    (isSent, awaitsDidChange, changeCount) = (true, false, 0)
    unansweredCount += 1
  }

  mutating func end() { isSent = false }

  /// Records the response to an edit.
  ///
  /// - Parameters:
  ///   - isLast: Whether the response belongs to the newest edit.
  ///   - awaitsDidChange: Whether the client reports the edit as applied, but has not sent the
  ///     change: many clients respond first, and send the change a moment later.
  mutating func recordResponse(isLast: Bool, awaitsDidChange: Bool) {
    hasAnswered = true
    unansweredCount = max(0, unansweredCount - 1)
    guard isLast else { return }
    if awaitsDidChange { self.awaitsDidChange = true } else { isSent = false }
  }

  mutating func textDidChange() {
    debounce = .typed
    changeCount += 1
    if !givesAnswers || awaitsDidChange || changeCount >= Self.changesMax { isSent = false }
  }
}
