import Synchronization
import System
import TodoModel

/// The locks for requests to hosts. If several servers have the same store, only one server at a
/// time sends a request to a host. Each lock covers one byte of a file beside the store. The first
/// request creates this file.
final class HostLockFile: HostLocks {
  private enum State {
    case unused(path: String)
    case used(ByteLocks?)
  }

  private let state: Mutex<State>

  /// Creates the locks, but not their file: the first `tryLock` or `unlock` creates it.
  ///
  /// - Parameter store: The path of the store that the servers share.
  init(beside store: String) { state = Mutex(.unused(path: Self.path(beside: store))) }

  static func path(beside store: String) -> String { store + "-hosts" }

  func tryLock(_ host: String) -> Bool { locks?.tryLock(Self.number(of: host)) ?? true }

  func unlock(_ host: String) { locks?.unlock(Self.number(of: host)) }

  /// The locks; `nil` if the file cannot be created. In that case, only the requests of this server
  /// wait for each other.
  private var locks: ByteLocks? {
    state.withLock { state in
      switch state {
      case .used(let locks): return locks
      case .unused(let path):
        let locks = ByteLocks(path: path)
        state = .used(locks)
        return locks
      }
    }
  }

  /// Returns a hash of a host's name (FNV-1a), which is the same in every server. Requests to two
  /// hosts with the same hash wait for each other.
  private static func number(of host: String) -> UInt32 {
    host.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
