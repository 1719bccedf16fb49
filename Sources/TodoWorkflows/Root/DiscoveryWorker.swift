import TodoModel
import WorkflowRuntime

/// A worker that discovers the lists of a user. Its result contains the lists in place of their
/// hosts.
struct DiscoveryWorker: Worker {
  var profile: String
  var services: TodoServices

  func run() async -> TodoServices { await services.discovered(for: profile) }

  func isEquivalent(to otherWorker: DiscoveryWorker) -> Bool { profile == otherWorker.profile }
}

/// A worker that repeats the discovery of lists during the session. The next login uses its result.
struct DiscoveryRefreshWorker: StreamWorker {
  var profile: String
  var services: TodoServices
  var sync: SyncServices

  /// The pause between two discoveries, in milliseconds.
  static let milliseconds: Int64 = 300_000

  func run(emit: @escaping @Sendable (Never) -> Void) async {
    while !Task.isCancelled {
      await services.discoverAgain(for: profile)
      await sync.sleep(Self.milliseconds)
    }
  }

  func isEquivalent(to otherWorker: DiscoveryRefreshWorker) -> Bool {
    profile == otherWorker.profile
  }
}
