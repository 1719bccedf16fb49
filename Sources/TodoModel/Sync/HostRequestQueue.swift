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
  /// The hosts whose lock outlasted every request. It is not awaited again until it is released.
  private let abandoned = Mutex<Set<String>>([])
  private let locks: (any HostLocks)?
  private let sleep: @Sendable (Int64) async -> Void

  /// How often it is asked whether other servers are done.
  private static let lockMilliseconds: Int64 = 50
  /// The longest time for which another server can have a request in flight. A server that was
  /// stopped during a request keeps its lock for longer.
  package static let lockMillisecondsMax = RequestTimeouts.ceilingMilliseconds

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
    if let locks { await acquire(locks, of: host) }
  }

  private func acquire(_ locks: any HostLocks, of host: String) async {
    var waited: Int64 = 0
    while !locks.tryLock(host) {
      if Task.isCancelled || abandoned.withLock({ $0.contains(host) }) { return }
      if waited >= Self.lockMillisecondsMax {
        abandoned.withLock { _ = $0.insert(host) }
        return
      }
      await sleep(Self.lockMilliseconds)
      waited += Self.lockMilliseconds
    }
    abandoned.withLock { _ = $0.remove(host) }
  }

  /// Lets other servers on the same store go first, but nobody who waits on this one.
  package func releaseOtherServers(_ host: String) async {
    guard let locks else { return }
    locks.unlock(host)
    await acquire(locks, of: host)
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
