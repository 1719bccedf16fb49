import Synchronization
import TodoModel

/// Time that goes on only when somebody says so, and ids that count.
final class ReplayClock: Sendable {
  private struct State {
    var now: Timestamp
    var sleepers: [Sleeper] = []
    var sleepCount = 0
    var cancelled: Set<Int> = []
    var wasAsked = false
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

  /// - Parameters:
  ///   - idPrefix: What new ids begin with; a number follows.
  ///   - utcOffset: How far the user's wall clock is ahead of UTC, in milliseconds.
  init(_ start: Timestamp, idPrefix: String = "t", utcOffset: Int64 = 0) {
    self.utcOffset = utcOffset
    state = Mutex(State(now: start))
    self.idPrefix = idPrefix
  }

  var now: Timestamp { state.withLock { $0.now } }

  /// When the next one who sleeps is to be woken.
  var nextEnd: Timestamp? { state.withLock { $0.sleepers.map(\.end).min() } }

  /// Whether anybody has asked for the time since this was last taken.
  func popWasAsked() -> Bool {
    state.withLock { state in
      defer { state.wasAsked = false }
      return state.wasAsked
    }
  }

  /// Sets the time, and wakes nobody.
  func set(_ now: Timestamp) { state.withLock { $0.now = now } }

  /// Lets time pass, and wakes who has slept long enough.
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
      state.wasAsked = true
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
          state.wasAsked = true
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
  /// The services without random pauses and markers.
  var replayable: TodoServices {
    var sync = sync
    sync?.jitter = { $0.lowerBound }
    return with(sync: sync)
  }
}
