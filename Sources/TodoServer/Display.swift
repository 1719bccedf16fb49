import ScreenModel
import TodoWorkflows

/// What the user sees, and whether somebody has still to be told.
struct Display {
  /// Whether the front-end has said that it is ready to draw.
  var isOn = false
  /// Whether something has changed since it was sent anything.
  var isDue = false
  private(set) var screens: [Screen] = []
  private(set) var revision: Int64 = 0
  /// Whether of a covered screen that is no list only its name is seen.
  var isFrontOnly = false
  var throttle = RenderThrottle()
  /// What the user must not miss. It stands on the screen in front, whichever that is, until
  /// something was done there.
  var notice: String?
  private var messageNumbering = MessageNumbering()
  private var selectionDelivery = SelectionDelivery()

  /// Which pass of the workflows `screens` describes.
  private var describedCount = 0
  /// What was sent last.
  private var sent: (screens: [Screen], revision: Int64)?

  /// Whether the workflows were rendered since they were described.
  func isBehind(_ renderCount: Int) -> Bool { renderCount != describedCount }

  /// Brings the screens and the revision up to date with a rendering of the workflows.
  mutating func describe(_ backStack: BackStackScreen, renderCount: Int) {
    describedCount = renderCount
    var described = backStack.describe()
    messageNumbering.number(&described)
    if let notice, let front = described.indices.last {
      described[front].message = ScreenMessage(.warning, notice, id: Self.noticeNumber)
    }
    selectionDelivery.carry(from: screens, to: &described)
    let hasChanges = !isShown(described, like: screens)
    if hasChanges { selectionDelivery.removeSent(from: &described) }
    screens = described
    guard hasChanges else { return }
    revision += 1
    isDue = isOn
    // A front-end that is sent nothing reads renderings when it wants to.
    if !isOn { selectionDelivery.recordSent(screens) }
  }

  /// Whether whoever is looking sees no difference.
  private func isShown(_ some: [Screen], like others: [Screen]) -> Bool {
    guard isFrontOnly else { return some == others }
    guard some.count == others.count else { return false }
    // The one in front changes most often.
    for index in some.indices.reversed() {
      let isWhole = index == some.count - 1 || some[index].isList
      let isSame =
        isWhole ? some[index] == others[index] : some[index].isNamed(like: others[index])
      guard isSame else { return false }
    }
    return true
  }

  /// One that no other message has.
  private static let noticeNumber = 0

  /// Notes that the user has done something where the notice stood.
  mutating func dismissNotice() {
    guard notice != nil else { return }
    notice = nil
    describedCount = 0
  }

  /// Notes that what was changed and changed back is no news.
  mutating func dropOldNotices() {
    // One change is a change. Only of several can the last one undo the others.
    guard isDue, let sent, sent.revision + 1 < revision else { return }
    var sentScreens = sent.screens
    selectionDelivery.removeSent(from: &sentScreens)
    guard isShown(sentScreens, like: screens) else { return }
    (isDue, revision, screens) = (false, sent.revision, sent.screens)
  }

  mutating func didSend() {
    isDue = false
    sent = (screens, revision)
    selectionDelivery.recordSent(screens)
  }
}

extension Screen {
  fileprivate func isNamed(like other: Screen) -> Bool {
    id == other.id && name == other.name && title == other.title
  }
}

/// How fast renderings may follow each other that nobody has asked for: a load of many pages is
/// not shown page by page.
///
/// A few may go at once, and one more with each firing of the timer, so that in no second more
/// than thirty go.
struct RenderThrottle {
  private static let burst = 10
  private var allowance = RenderThrottle.burst
  private var isTimerRunning = false

  var mayRender: Bool { allowance > 0 }

  /// Notes a rendering. True: the timer is to be started.
  mutating func consumeRendering() -> Bool {
    allowance = max(0, allowance - 1)
    defer { isTimerRunning = true }
    return !isTimerRunning
  }

  /// Notes that the timer has fired.
  mutating func refill() {
    allowance = min(Self.burst, allowance + 1)
    isTimerRunning = false
  }

  /// Whether the timer has to go on.
  mutating func needsTimer() -> Bool {
    guard !isTimerRunning, allowance < Self.burst else { return false }
    isTimerRunning = true
    return true
  }
}
