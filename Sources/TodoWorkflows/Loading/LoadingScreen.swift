import ScreenModel

struct LoadingScreen {
  /// The title of the source; `nil` for the local source.
  var source: String?
  var progress: LoadProgress
  var onCancelTapped: () -> Void
}

extension LoadingScreen: DescribableScreen {
  var contents: Screen {
    Screen(
      name: "loading", title: "Loading",
      body: .progress(
        ScreenProgress(
          text: text, done: progress.pagesDone > 0 ? progress.pagesDone : nil,
          total: progress.pageCount)))
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add("cancel", "Cancel", role: .back, key: "c") { _ in onCancelTapped() }
  }

  private var text: String {
    guard let source else { return "Loading…" }
    return "Loading from \(source)…"
  }
}
