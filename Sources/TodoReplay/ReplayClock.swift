import Synchronization
import TodoModel

/// Time that goes on only when a transcript says so, and ids that count.
final class ReplayClock: Sendable {
  private let time: Mutex<Timestamp>
  private let idCount = Mutex(0)

  init(_ start: Timestamp) { time = Mutex(start) }

  func advance(_ milliseconds: Int64) {
    time.withLock { $0.milliseconds += milliseconds }
  }

  /// `t1`, `t2`, and so on.
  private func nextID() -> TodoID {
    let number = idCount.withLock { count in
      count += 1
      return count
    }
    return TodoID("t\(number)")
  }

  var environment: Environment {
    Environment(
      now: { self.time.withLock { $0 } }, newID: { self.nextID() }, offload: .inline)
  }
}
