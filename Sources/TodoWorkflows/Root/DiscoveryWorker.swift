import TodoModel
import WorkflowRuntime

/// A worker that discovers the lists of a user. It returns a copy of `services`. In the copy, each
/// source that stands for a whole host is replaced by the lists that were found at this host. The
/// source stays if no lists were found.
struct DiscoveryWorker: Worker {
  var profile: String
  var services: TodoServices

  func run() async -> TodoServices { await services.discovered(for: profile) }

  func isEquivalent(to otherWorker: DiscoveryWorker) -> Bool { profile == otherWorker.profile }
}

/// A worker that repeats the discovery of lists during the session. After each discovery, it emits
/// `services` with the lists that were found.
struct DiscoveryRefreshWorker: StreamWorker {
  var profile: String
  var services: TodoServices
  var sync: SyncServices
  /// The number of reloads and syncs by the user. When it grows, discovery is repeated immediately.
  var refreshCount: Int

  /// The pause between two discoveries, in milliseconds.
  static let milliseconds: Int64 = 300_000

  func run(emit: @escaping @Sendable (TodoServices) -> Void) async {
    while !Task.isCancelled {
      emit(await services.discovered(for: profile, isRepeated: true))
      await sync.sleep(Self.milliseconds)
    }
  }

  func isEquivalent(to otherWorker: DiscoveryRefreshWorker) -> Bool {
    profile == otherWorker.profile && refreshCount == otherWorker.refreshCount
  }
}
