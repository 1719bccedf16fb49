import Synchronization

/// One request at a time to each host: who wants the next turn waits, the first one first.
package final class HostTurns: Sendable {
  /// Who waits, by host. A host is there while somebody has its turn.
  private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

  package init() {}

  /// Returns when it is the caller's turn, who has to give it back.
  package func take(_ host: String) async {
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
  }

  package func giveBack(_ host: String) {
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
