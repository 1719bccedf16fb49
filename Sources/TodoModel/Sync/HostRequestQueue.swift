import Synchronization

/// The locks of hosts, shared by the servers that use the same store. A server acquires the lock of
/// a host before it sends a request to the host. If another server holds the lock for too long,
/// requests are sent without the lock (see `HostRequestQueue`).
package protocol HostLocks: Sendable {
  /// Acquires the lock of a host. Returns `false` if another server has the lock.
  func tryLock(_ host: String) -> Bool
  func unlock(_ host: String)
}

/// A queue that allows one request at a time to each host. In this process, requests are sent in
/// the order of the `acquire` calls. The locks (`HostLocks`) keep other server processes that use
/// the same store from sending a request at the same time.
package final class HostRequestQueue: Sendable {
  /// The callers that wait, by host. A host has an entry while a request to it is in flight.
  private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])
  /// The hosts whose lock another server has held for longer than any request takes. Until the lock
  /// is free again, requests to the host do not wait for it.
  private let abandoned = Mutex<Set<String>>([])
  private let locks: (any HostLocks)?
  private let sleep: @Sendable (Int64) async -> Void

  /// The interval between two attempts to acquire the lock of a host.
  private static let lockMilliseconds: Int64 = 50
  /// The longest time for which another server can have a request in flight. If a server holds the
  /// lock for longer, it was probably suspended during a request.
  package static let lockMillisecondsMax = RequestTimeouts.ceilingMilliseconds

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - locks: The locks shared with other servers; `nil` if no other server uses the store.
  ///   - sleep: Waits for a number of milliseconds, or until its task is cancelled.
  package init(
    locks: (any HostLocks)? = nil,
    sleep: @escaping @Sendable (Int64) async -> Void = Environment.taskSleep
  ) {
    self.locks = locks
    self.sleep = sleep
  }

  /// Waits until the caller may send a request to a host. Afterwards, the caller must call
  /// `release`. The wait for another server takes at most `lockMillisecondsMax`. If the caller's
  /// task is cancelled, the caller still waits for other requests of this process, but not for
  /// other servers.
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

  /// Releases the shared lock of a host, so that other servers can send a request, and acquires the
  /// lock again. Callers in this process keep waiting.
  package func yieldToOtherServers(_ host: String) async {
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
