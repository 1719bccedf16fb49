import ScreenModel
import TodoModel

/// A load or a sync in the queue. It sees the effects of the operations queued before it. Then it
/// leaves the queue, so that later operations do not wait for it.
struct QueuedLoad: Equatable {
  var number: Int
  var request: LoadRequest
  /// The operation that waits for its end.
  var token: OperationToken?
}

/// A request to bring a list and its source to the same state.
enum LoadRequest: Equatable {
  /// Fetches the list. Without a refresh, only if it was not fetched before.
  case load(refresh: Bool)
  /// Sends all changes and fetches all changes.
  case sync
  /// A run that the schedule starts.
  case scheduled(SyncGoal)
}
