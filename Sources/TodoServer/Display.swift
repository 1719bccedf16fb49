import ScreenModel
import TodoWorkflows

/// The screens that the client shows, and whether a new rendering must be sent.
struct Display {
  /// Whether the client has sent `initialized`, so that renderings are sent.
  var isOn = false
  /// Whether the screens have changed since the last rendering was sent.
  var isDue = false
  private(set) var screens: [Screen] = []
  private(set) var revision: Int64 = 0
  /// Whether only the front screen and the lists behind it are sent as a whole. Of all other
  /// screens, a rendering contains only the ID, name and title.
  var isFrontOnly = false
  var throttle = RenderThrottle()
  /// An important message for the user. The front screen shows it until the user's next action.
  private var notice: String?
  private var messageNumbering = MessageNumbering()
  private var selectionDelivery = SelectionDelivery()

  /// The number of the render pass in which `screens` was computed.
  private var describedRenderCount = 0
  /// The last rendering that was sent; `nil` before the first one.
  private var sent: (screens: [Screen], revision: Int64)?

  /// Returns whether the workflows were rendered again since `screens` was computed.
  func isBehind(_ renderCount: Int) -> Bool { renderCount != describedRenderCount }

  /// Updates the screens from a rendering of the workflows. If they have changed, also increments
  /// the revision.
  mutating func describe(_ backStack: BackStackScreen, renderCount: Int) {
    describedRenderCount = renderCount
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
    // A client that receives no renderings requests the screens when it needs them, so the
    // selections on the screens count as sent.
    if !isOn { selectionDelivery.recordSent(screens) }
  }

  /// Returns whether two renderings look the same to the client.
  private func looksSame(_ some: [Screen], as others: [Screen]) -> Bool {
    guard some.count == others.count else { return false }
    // The front screen is compared first, because it changes most often.
    for index in some.indices.reversed() {
      let isWhole = !isFrontOnly || index == some.count - 1 || some.span[index].isList
      let isSame =
        isWhole
        ? some.span[index] == others.span[index] : some[index].hasSameName(as: others[index])
      guard isSame else { return false }
    }
    return true
  }

  /// The number of the message that shows `notice`. The numbers of all other messages start at 1.
  private static let noticeNumber = 0

  /// Shows a notice, which replaces the message of the front screen.
  mutating func show(notice: String) {
    self.notice = notice
    describedRenderCount = 0
  }

  /// Removes the notice, because the user has performed an action.
  mutating func dismissNotice() {
    guard notice != nil else { return }
    notice = nil
    describedRenderCount = 0
  }

  /// Cancels the pending rendering if its screens look the same as the last ones that were sent.
  mutating func cancelUnchangedRendering() {
    // After a single change, the screens always differ from those sent. Only a second change can
    // reverse the first one.
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

/// A limit for the rate of renderings that were not caused by a request. With this limit, a load of
/// many pages does not send a rendering for each page.
///
/// Ten renderings are sent immediately, and then one each time the timer fires, which is every 50
/// ms. Therefore, at most thirty renderings are sent in one second.
struct RenderThrottle {
  private static let burst = 10
  private var allowance = RenderThrottle.burst
  private var isTimerRunning = false

  var mayRender: Bool { allowance > 0 }

  /// Records that a rendering was sent.
  ///
  /// - Returns: Whether the timer must be started.
  mutating func consumeRendering() -> Bool {
    allowance = max(0, allowance - 1)
    defer { isTimerRunning = true }
    return !isTimerRunning
  }

  /// Allows one more rendering, because the timer has fired.
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
