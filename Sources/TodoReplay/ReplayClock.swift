import Synchronization
import TodoModel

/// A clock that advances only on request, and a generator of numbered ids.
final class ReplayClock: Sendable {
  private struct State {
    var now: Timestamp
    var sleepers: [Sleeper] = []
    var sleepCount = 0
    var cancelled: Set<Int> = []
    var wasRead = false
  }

  private struct Sleeper {
    var number: Int
    var end: Timestamp
    var continuation: CheckedContinuation<Void, Never>
  }

  private let state: Mutex<State>
  private let idCount = Mutex(0)

  private let idPrefix: String
  private let utcOffset: Int64

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - idPrefix: The prefix of new ids, which is followed by a number.
  ///   - utcOffset: The offset of the user's local time from UTC, in milliseconds.
  init(_ start: Timestamp, idPrefix: String = "t", utcOffset: Int64 = 0) {
    self.utcOffset = utcOffset
    state = Mutex(State(now: start))
    self.idPrefix = idPrefix
  }

  var now: Timestamp { state.withLock { $0.now } }

  /// The time at which the next sleep of a task ends; `nil` if no task sleeps.
  var nextEnd: Timestamp? { state.withLock { $0.sleepers.map(\.end).min() } }

  /// Returns whether the time was read since the last call.
  func popWasRead() -> Bool {
    state.withLock { state in
      defer { state.wasRead = false }
      return state.wasRead
    }
  }

  /// Sets the time, without waking sleeping tasks.
  func set(_ now: Timestamp) { state.withLock { $0.now = now } }

  /// Advances the time, and wakes the tasks whose sleep has elapsed.
  func advance(_ milliseconds: Int64) {
    let woken = state.withLock { state in
      state.now.milliseconds += milliseconds
      let now = state.now
      defer { state.sleepers.removeAll { $0.end <= now } }
      return state.sleepers.filter { $0.end <= now }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  private func ask() -> Timestamp {
    state.withLock { state in
      state.wasRead = true
      return state.now
    }
  }

  private func sleep(_ milliseconds: Int64) async {
    let number = state.withLock { state in
      state.sleepCount += 1
      return state.sleepCount
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          state.wasRead = true
          if milliseconds <= 0 || state.cancelled.contains(number) { return true }
          let end = Timestamp(milliseconds: state.now.milliseconds + milliseconds)
          state.sleepers.append(Sleeper(number: number, end: end, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(number)
        let index = state.sleepers.firstIndex { $0.number == number }
        return index.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume()
    }
  }

  private func nextID() -> TodoID {
    let number = idCount.withLock { count in
      count += 1
      return count
    }
    return TodoID("\(idPrefix)\(number)")
  }

  var environment: Environment {
    Environment(
      now: { self.ask() }, newID: { self.nextID() }, offload: .inline,
      sleep: { await self.sleep($0) },
      days: DayClock(now: { self.ask() }, utcOffset: { [utcOffset] _ in utcOffset }) { end in
        await self.sleep(end.milliseconds - self.now.milliseconds)
      })
  }
}

extension TodoServices {
  /// The services without random delays, so that events occur in a replay in the same order as in
  /// the session.
  var replayable: TodoServices {
    var sync = sync
    sync?.jitter = { $0.lowerBound }
    return with(sync: sync)
  }
}
