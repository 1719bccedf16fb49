import ScreenModel
import TodoModel

/// A load or a sync in the queue. It sees the effects of the operations before it. Then it leaves
/// the queue, so that later operations do not wait for it.
struct QueuedLoad: Equatable {
  var number: Int
  var request: LoadRequest
  /// The operation of the client that waits for its end.
  var token: OperationToken?
}

/// A request to load a list or to sync it with its source.
enum LoadRequest: Equatable {
  /// Fetches the list; without `refresh`, only if it was not fetched before.
  case load(refresh: Bool)
  /// Sends all changes and fetches all changes.
  case sync
  /// A run that the schedule starts.
  case scheduled(SyncGoal)
}
