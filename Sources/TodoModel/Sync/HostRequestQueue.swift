import Synchronization

/// What says among several servers on one store who may ask a host.
package protocol HostLocks: Sendable {
  /// False: another server is asking.
  func tryLock(_ host: String) -> Bool
  func unlock(_ host: String)
}

/// One request at a time to each host: who wants the next turn waits, the first one first, and all of
/// a server for other servers on the same store.
package final class HostRequestQueue: Sendable {
  /// Who waits, by host. A host is there while somebody has its turn.
  private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])
  private let locks: (any HostLocks)?
  private let sleep: @Sendable (Int64) async -> Void

  /// How often it is asked whether other servers are done.
  private static let lockMilliseconds: Int64 = 50
  /// A server that was stopped in the middle of a request keeps its lock: it is not waited for
  /// without an end.
  package static let lockMillisecondsMax: Int64 = 30_000

  /// - Parameters:
  ///   - locks: Nil where no other server uses the store.
  ///   - sleep: Returns after so many milliseconds, or when its task is cancelled.
  package init(
    locks: (any HostLocks)? = nil,
    sleep: @escaping @Sendable (Int64) async -> Void = Environment.taskSleep
  ) {
    self.locks = locks
    self.sleep = sleep
  }

  /// Returns when it is the caller's turn, who has to give it back; also when its task is cancelled.
  package func acquire(_ host: String) async {
    await withCheckedContinuation { continuation in
      let isFree = waiting.withLock { waiting in
        if waiting[host] == nil {
          waiting[host] = []
          return true
        }
        waiting[host]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    guard let locks else { return }
    var waited: Int64 = 0
    while !locks.tryLock(host), !Task.isCancelled, waited < Self.lockMillisecondsMax {
      await sleep(Self.lockMilliseconds)
      waited += Self.lockMilliseconds
    }
  }

  package func release(_ host: String) {
    locks?.unlock(host)
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      guard var rest = waiting[host], !rest.isEmpty else {
        waiting[host] = nil
        return nil
      }
      let next = rest.removeFirst()
      waiting[host] = rest
      return next
    }
    next?.resume()
  }
}
