import ScreenModel
import TodoModel

/// A load or a sync in the queue. It starts after all earlier operations, so that it sees their
/// effects. Then it leaves the queue, so that later operations do not wait for it.
struct QueuedLoad: Equatable {
  var number: Int
  var request: LoadRequest
  /// The token of the request that waits for the end; `nil` if none waits.
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
