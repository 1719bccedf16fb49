import ScreenModel
import TodoWorkflows

/// The screens as the client shows them, and whether a rendering is due.
struct Display {
  /// Whether the front-end has sent `initialized`.
  var isOn = false
  /// Whether something has changed since the last rendering was sent.
  var isDue = false
  private(set) var screens: [Screen] = []
  private(set) var revision: Int64 = 0
  /// Whether covered screens that are not lists are shown with only their names.
  var isFrontOnly = false
  var throttle = RenderThrottle()
  /// A message that the user must not miss. The front screen shows it until the user's next action.
  var notice: String?
  private var messageNumbering = MessageNumbering()
  private var selectionDelivery = SelectionDelivery()

  /// The number of the render pass that `screens` describes.
  private var describedCount = 0
  /// The last rendering that was sent.
  private var sent: (screens: [Screen], revision: Int64)?

  /// Whether the workflows have been rendered again since the screens were described.
  func isBehind(_ renderCount: Int) -> Bool { renderCount != describedCount }

  /// Updates the screens and the revision from a rendering of the workflows.
  mutating func describe(_ backStack: BackStackScreen, renderCount: Int) {
    describedCount = renderCount
    var described = backStack.describe()
    messageNumbering.number(&described)
    if let notice, let front = described.indices.last {
      described[front].message = ScreenMessage(.warning, notice, id: Self.noticeNumber)
    }
    selectionDelivery.carry(from: screens, to: &described)
    let hasChanges = !looksSame(described, as: screens)
    if hasChanges { selectionDelivery.removeSent(from: &described) }
    screens = described
    guard hasChanges else { return }
    revision += 1
    isDue = isOn
    // A front-end that receives no renderings reads them on request, so the selections count as
    // sent.
    if !isOn { selectionDelivery.recordSent(screens) }
  }

  /// Whether two renderings look the same to the client.
  private func looksSame(_ some: [Screen], as others: [Screen]) -> Bool {
    guard isFrontOnly else { return some == others }
    guard some.count == others.count else { return false }
    // The front screen changes most often.
    for index in some.indices.reversed() {
      let isWhole = index == some.count - 1 || some[index].isList
      let isSame =
        isWhole ? some[index] == others[index] : some[index].hasSameName(as: others[index])
      guard isSame else { return false }
    }
    return true
  }

  /// The number of the notice, which no other message has.
  private static let noticeNumber = 0

  /// Removes the notice after an action of the user.
  mutating func dismissNotice() {
    guard notice != nil else { return }
    notice = nil
    describedCount = 0
  }

  /// Drops the pending rendering if its screens look the same as those that were sent last.
  mutating func dropOldNotices() {
    // After one change the screens differ; only a second one can reverse it.
    guard isDue, let sent, sent.revision + 1 < revision else { return }
    var sentScreens = sent.screens
    selectionDelivery.removeSent(from: &sentScreens)
    guard looksSame(sentScreens, as: screens) else { return }
    (isDue, revision, screens) = (false, sent.revision, sent.screens)
  }

  mutating func didSend() {
    isDue = false
    sent = (screens, revision)
    selectionDelivery.recordSent(screens)
  }
}

extension Screen {
  fileprivate func hasSameName(as other: Screen) -> Bool {
    id == other.id && name == other.name && title == other.title
  }
}

/// Limits the rate of renderings that no request has caused. For example, a load of many pages does
/// not send a rendering for each page.
///
/// The first ten are sent immediately, and one more each time the timer fires: at most thirty in a
/// second.
struct RenderThrottle {
  private static let burst = 10
  private var allowance = RenderThrottle.burst
  private var isTimerRunning = false

  var mayRender: Bool { allowance > 0 }

  /// Records a rendering.
  ///
  /// - Returns: Whether the timer must be started.
  mutating func consumeRendering() -> Bool {
    allowance = max(0, allowance - 1)
    defer { isTimerRunning = true }
    return !isTimerRunning
  }

  /// Records that the timer has fired.
  mutating func refill() {
    allowance = min(Self.burst, allowance + 1)
    isTimerRunning = false
  }

  /// Returns whether the render timer must be started, and records that it runs.
  mutating func needsTimer() -> Bool {
    guard !isTimerRunning, allowance < Self.burst else { return false }
    isTimerRunning = true
    return true
  }
}
