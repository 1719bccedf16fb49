import TodoModel
import WorkflowRuntime

/// Reports each time any process has added to the log of changes.
struct LogWatchWorker: StreamWorker {
  var feed: any ChangeFeed
  /// The position in the log from which the client watches.
  var position: Int64

  struct Grew: Sendable {}

  func run(emit: @escaping @Sendable (Grew) -> Void) async {
    await feed.watchLog(after: position) { emit(Grew()) }
  }

  func isEquivalent(to otherWorker: LogWatchWorker) -> Bool { position == otherWorker.position }
}
