import JSONRPC
import ScreenModel
import TodoProtocol
import TodoWorkflows

/// What the user sees, and what of it the front-end has been sent.
struct Drawing {
  /// Whether the front-end has said that it is ready to draw.
  var isOn = false
  /// Whether it can apply patches.
  var isPatching = false
  /// Whether something has changed since it was sent anything.
  var isDue = false
  var screens: [Screen] = []
  var revision: Int64 = 0
  var pace = RenderPace()
  fileprivate(set) var seenTexts = SeenTexts()

  /// Which pass of the workflows `screens` describes.
  fileprivate var describedCount = 0
  /// What was sent last, kept while patches are made from it.
  fileprivate var sent: (screens: [Screen], revision: Int64)?
}

/// Which version of a text each of the last renderings showed.
///
/// A front-end says which rendering its user saw while typing: between that and now somebody else
/// may have changed the text.
struct SeenTexts {
  private var entries: [(revision: Int64, version: Int64?)] = []
  private static let entryCountMax = 1_000

  /// Notes what is shown from a revision on; nil: no text.
  mutating func note(_ version: Int64?, from revision: Int64) {
    guard entries.last.map({ $0.version != version }) ?? true else { return }
    // What is opened next is another text.
    if version == nil || entries.count == Self.entryCountMax { entries.removeAll() }
    entries.append((revision, version))
  }

  /// The version that was shown at a revision. Nil where there was none; where that is not known
  /// any more, a version that is none, so that nothing is taken for newer than it is.
  func version(at revision: Int64) -> Int64? {
    if let entry = entries.last(where: { $0.revision <= revision }) { return entry.version }
    return entries.first?.version.map { _ in Self.unknownVersion }
  }

  private static let unknownVersion: Int64 = 0
}

/// How fast renderings may follow each other that nobody has asked for: a load of many pages is
/// not shown page by page.
///
/// A few may go at once, and one more with each firing of the timer, so that in no second more
/// than thirty go.
struct RenderPace {
  private static let burst = 10
  private var allowance = RenderPace.burst
  private var isTimerRunning = false

  var mayRender: Bool { allowance > 0 }

  /// Notes a rendering. True: the timer is to be started.
  mutating func take() -> Bool {
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

extension Loop {
  /// Brings the screens and the revision up to date with the workflows.
  func describe() {
    guard let host, host.renderCount != drawing.describedCount else { return }
    drawing.describedCount = host.renderCount
    let described = host.rendering.backStack.describe()
    if described != drawing.screens {
      drawing.screens = described
      drawing.revision += 1
      drawing.isDue = drawing.isOn
    }
    let version = host.rendering.backStack.items.last?.textVersion
    drawing.seenTexts.note(version, from: drawing.revision)
  }

  /// From now on the front-end sees what happens.
  func startRendering() {
    // The answer to `initialize` comes before the first rendering, also when both were asked for
    // in one read.
    outbox.encode(framing: framing, revision: drawing.revision, rendering: nil)
    drawing.isOn = true
    drawing.isDue = true
  }

  /// Encodes what waits, once everything before it has been written.
  func flush() {
    describe()
    if drawing.pace.needsTimer() { effects.append(.startRenderTimer) }
    guard outbox.isEmpty else { return }
    continueFlood()
    // What a request changed is drawn before its answer, however fast the answers come.
    let isAsked = outbox.hasResponse
    let isDrawn = drawing.isDue && (isAsked || drawing.pace.mayRender)
    guard isDrawn || outbox.hasWaiting else { return }
    let rendering = isDrawn ? rendering() : nil
    outbox.encode(framing: framing, revision: drawing.revision, rendering: rendering)
    guard isDrawn else { return }
    drawing.isDue = false
    if drawing.isPatching { drawing.sent = (drawing.screens, drawing.revision) }
    if !isAsked, drawing.pace.take() { effects.append(.startRenderTimer) }
  }

  private var framing: Framing { parser.framing ?? .headers }

  /// How to write the params of the next rendering: as a patch of what was sent last where that is
  /// wanted and shorter, else whole.
  private func rendering() -> (inout JSONWriter) -> Void {
    let (screens, revision) = (drawing.screens, drawing.revision)
    let whole: (inout JSONWriter) -> Void = {
      ScreenWire.writeRendering(screens, revision: revision, to: &$0)
    }
    guard let sent = drawing.sent else { return whole }
    var writer = JSONWriter()
    ScreenPatch.writeRendering(
      from: sent.screens, base: sent.revision, to: screens, revision: revision, into: &writer)
    let patch = writer.finish()
    if patch.count > ScreenWire.bytesMin(of: screens) {
      var writer = JSONWriter()
      whole(&writer)
      let full = writer.finish()
      if full.count < patch.count { return { $0.raw(full) } }
    }
    return { $0.raw(patch) }
  }
}
