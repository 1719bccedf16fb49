import TodoModel
import WorkflowRuntime

/// A worker that reports whenever any process has added changes to the store's log of changes.
struct LogWatchWorker: StreamWorker {
  var feed: any ChangeFeed
  /// A position in the log. Only changes after this position are reported.
  var position: Int64

  struct Grew: Sendable {}

  func run(emit: @escaping @Sendable (Grew) -> Void) async {
    await feed.watchLog(after: position) { emit(Grew()) }
  }

  func isEquivalent(to otherWorker: LogWatchWorker) -> Bool { position == otherWorker.position }
}
