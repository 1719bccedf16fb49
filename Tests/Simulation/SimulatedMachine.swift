import Synchronization
import TodoModel
import TodoReplay

/// The state that all processes of a simulation share.
struct SimulatedMachine: Sendable {
  let path: String
  let clock: SimulatedClock
  let waits: Waits
  let executor: ReplayExecutor
  let alive: AliveProcesses

  /// The maximum time between the end of a request's connection and the late arrival of the
  /// request. It is less than the ten seconds after which a source aborts a request.
  static let lateMillisecondsMax: Int64 = 9_900

  init(path: String, clock: SimulatedClock = SimulatedClock()) {
    (self.path, self.clock) = (path, clock)
    waits = Waits(clock: clock)
    (executor, alive) = (ReplayExecutor(), AliveProcesses())
  }

  /// Returns whether a request can still arrive. It cannot if its connection was closed too long
  /// ago. The connection is closed when the request times out or is cancelled, or when its process
  /// ends.
  func canArrive(_ call: NetworkCall) -> Bool {
    guard let end = waits.end(of: call.id) else { return true }
    return clock.now.milliseconds - end.milliseconds <= Self.lateMillisecondsMax
  }

  /// Returns the environment of a process.
  func environment(of process: Int) -> Environment {
    Environment(
      now: { clock.now }, newID: { clock.nextID() }, offload: .inline,
      sleep: { milliseconds in
        _ = await waits.wait(for: .sleep(milliseconds: milliseconds), in: process)
      }, days: .fixed(.first))
  }
}

/// The simulated time, and a counter for ids.
final class SimulatedClock: Sendable {
  private let time: Mutex<Timestamp>
  private let idCount = Mutex(0)

  /// The time at which a run starts, on a Monday in 2026.
  static let start = Timestamp(milliseconds: 1_770_000_000_000)

  init() { time = Mutex(Self.start) }

  var now: Timestamp {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  /// The current day of the user. Days are short, so that several begin within a run.
  var today: CivilDay {
    CivilDay(number: (now.milliseconds - Self.start.milliseconds) / Self.dayMilliseconds) ?? .first
  }

  private static let dayMilliseconds: Int64 = 10_000

  func nextID() -> TodoID {
    let number = idCount.withLock { count in
      count += 1
      return count
    }
    return TodoID("i\(number)")
  }
}

/// The names of the running processes. Leases contain the same names.
final class AliveProcesses: Sendable {
  private let names = Mutex<Set<String>>([])

  func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
  func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}
