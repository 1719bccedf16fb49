import ScreenModel
import TodoModel

/// A load or sync in the queue. It starts when all earlier operations have ended, so that it sees
/// their effects. It then leaves the queue, so that later operations do not wait for it.
struct QueuedLoad: Equatable {
  var number: Int
  var request: LoadRequest
  /// The token of the request for which a client waits; `nil` if no client waits.
  var token: OperationToken?
}

/// A request to load a list, or to sync it with its source.
enum LoadRequest: Equatable {
  /// Loads the list. Without `refresh`, a list that was loaded before is not loaded again.
  case load(refresh: Bool)
  /// Sends all local changes, and loads all changes of the source.
  case sync
  /// Performs the sync that the schedule has started.
  case scheduled(SyncGoal)
}
