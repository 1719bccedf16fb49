import ScreenModel

struct LoadingScreen {
  /// Nil: the local source.
  var source: String?
  var progress: LoadProgress
  var onCancelTapped: () -> Void
}

extension LoadingScreen: DescribableScreen {
  private enum Action { static let cancel = "cancel" }

  func describe() -> Screen {
    Screen(
      name: "loading", title: "Loading", bar: .hidden,
      body: .progress(
        ScreenProgress(
          text: text, done: progress.pagesDone > 0 ? progress.pagesDone : nil,
          total: progress.pageCount)),
      actions: [ScreenAction(name: Action.cancel, title: "Cancel", role: .back, key: "c")])
  }

  private var text: String {
    guard let source else { return "Loading…" }
    return "Loading from \(source)…"
  }

  func act(_ call: ActionCall) {
    switch call.action {
    case Action.cancel: onCancelTapped()
    default: break
    }
  }
}
