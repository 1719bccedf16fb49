import Synchronization
import System
import TestSupport
import TodoModel

/// The kinds of simulations.
enum SimulatedWorld {
  /// Servers on one file, users with several lists, and a GitHub that fails.
  case servers
  /// Like `servers`, but with one user and one list, and without pipelined requests.
  case basicServers
  /// A mirror, editors of its file, and another user of its store.
  case mirror
  /// Editors that have the list open through `todo-server lsp`, and another user of its store.
  case language
  /// Like `language`, but the editors do not check versions, and get edits only when their users
  /// request them.
  case uncheckedLanguage
  /// Servers with a source that differs from GitHub.
  case toy
  /// Servers with a calendar server.
  case calendar
  /// Servers with a list at GitHub and one at a calendar server.
  case twoSources
  /// Front-ends with editing panes, as Protocol.md describes them.
  case panes
  /// A store that is exported and imported.
  case exchange
}

extension SimulatedWorld {
  /// The unit of the number in the summary of a run, such as "typed lines".
  fileprivate var lineName: String {
    switch self {
    case .servers, .basicServers: "changes of labels"
    case .panes: "typed words"
    case .mirror, .language, .uncheckedLanguage, .toy, .calendar, .twoSources, .exchange:
      "typed lines"
    }
  }
}

/// One run from a seed, and its result.
struct SimulationRun {
  let seed: UInt64
  /// The broken rule, if any.
  private(set) var problem: String?
  private(set) var eventCount = 0
  private(set) var restartCount = 0
  /// The number of requests, or of similar actions, depending on the simulation:
  /// - servers: requests to GitHub or another source
  /// - the mirror: requests of the mirror to its store
  /// - the language server: edits sent to editors
  /// - panes: saves in panes
  /// - exchange: always 0
  private(set) var requestCount = 0
  /// The number of lines that were typed into a file or exported. In other simulations, the number
  /// of words typed into panes, or of added and removed labels.
  private(set) var lineCount = 0
  /// The digest of the run's log. Runs in which the same things happened have the same digest.
  private(set) var digest: UInt64 = 0

  init(seed: UInt64, of world: SimulatedWorld = .servers, log: ((String) -> Void)? = nil) {
    self.seed = seed
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    // The folder is in memory, if possible: a simulated kill does not depend on the disk.
    let folder = TemporaryFolder(in: parent)
    defer { withExtendedLifetime(folder) {} }
    do {
      switch world {
      case .servers: try run(Simulation(seed: seed, folder: folder.path, log: log))
      case .basicServers:
        try run(Simulation(seed: seed, folder: folder.path, scenario: .basic, log: log))
      case .toy: try run(sources: [.toy], in: folder.path, log)
      case .calendar: try run(sources: [.calendar], in: folder.path, log)
      case .twoSources: try run(sources: [.gitHub, .calendar], in: folder.path, log)
      case .mirror: try run(MirrorSimulation(seed: seed, folder: folder.path, log: log))
      case .panes: try run(PaneSimulation(seed: seed, folder: folder.path, log: log))
      case .exchange: try run(ExchangeSimulation(seed: seed, log: log))
      case .language: try run(LanguageSimulation(seed: seed, checks: true, log: log))
      case .uncheckedLanguage:
        try run(LanguageSimulation(seed: seed, checks: false, log: log))
      }
    } catch {
      problem = "\(error)"
    }
  }

  private mutating func run(
    sources kinds: [SimulatedSource.Kind], in folder: String, _ log: ((String) -> Void)?
  ) throws {
    try run(SourceSimulation(seed: seed, folder: folder, kinds: kinds, log: log))
  }

  private mutating func run(_ simulation: some SeededSimulation) throws {
    defer {
      simulation.tearDown()
      eventCount = simulation.eventCount
      restartCount = simulation.restartCount
      requestCount = simulation.requestCount
      lineCount = simulation.lineCount
      digest = simulation.runLog.digest
    }
    try simulation.run()
  }
}

/// A simulation that runs from a seed, and the figures of its run.
protocol SeededSimulation {
  var eventCount: Int { get }
  var restartCount: Int { get }
  var requestCount: Int { get }
  var lineCount: Int { get }
  var runLog: RunLog { get }
  func run() throws
  /// Releases the resources of the simulation, even after a failure.
  func tearDown()
}

extension SeededSimulation {
  func tearDown() {}
}

extension Simulation: SeededSimulation {
  var requestCount: Int { network.requestCount }
  var lineCount: Int { ledger.labelChangeCount }
}

extension MirrorSimulation: SeededSimulation {
  var restartCount: Int { startCount }
  var requestCount: Int { askCount }
  var lineCount: Int { ledger.typedCount }
}

extension LanguageSimulation: SeededSimulation {
  var restartCount: Int { killCount }
  var requestCount: Int { pushCount }
  var lineCount: Int { ledger.typedCount }
}

/// A runner of seeds on several threads, with a time limit.
final class SeedRunner: Sendable {
  private struct State {
    var next: UInt64
    var seedCount = 0
    var eventCount = 0
    var restartCount = 0
    var requestCount = 0
    var lineCount = 0
    var failureCount = 0
    var busyCount: Int
  }

  private let world: SimulatedWorld
  private let first: UInt64
  private let start = Timestamp.now
  private let milliseconds: Int64
  private let seedsMax: Int
  private let stopsAtFailure: Bool
  private let state: Mutex<State>
  private let isDone = Gate()

  /// Creates a runner of the seeds from `first` on. It starts no new seed after one of these
  /// events:
  /// - The time is up.
  /// - `seedsMax` seeds were started.
  /// - A seed has failed, and `stopsAtFailure` is set.
  init(
    of world: SimulatedWorld, first: UInt64, jobCount: Int, milliseconds: Int64, seedsMax: Int,
    stopsAtFailure: Bool = false
  ) {
    self.stopsAtFailure = stopsAtFailure
    self.world = world
    self.first = first
    self.milliseconds = milliseconds
    self.seedsMax = seedsMax
    state = Mutex(State(next: first, busyCount: jobCount))
  }

  /// Runs the seeds, and returns when the last run has ended.
  func runAll() {
    for _ in 0..<state.withLock({ $0.busyCount }) {
      BlockingThread.start { [self] in
        runSome()
        let isLast = state.withLock { state in
          state.busyCount -= 1
          return state.busyCount == 0
        }
        if isLast { isDone.open() }
      }
    }
    isDone.wait()
  }

  private func runSome() {
    while elapsed < milliseconds, let seed = nextSeed() {
      let run = SimulationRun(seed: seed, of: world)
      if let problem = run.problem {
        print("seed \(seed): \(problem)")
        // If stdout is a file, the line would otherwise appear only at the end of all runs.
        fflush(nil)
      }
      state.withLock { state in
        state.seedCount += 1
        state.eventCount += run.eventCount
        state.restartCount += run.restartCount
        state.requestCount += run.requestCount
        state.lineCount += run.lineCount
        state.failureCount += run.problem == nil ? 0 : 1
      }
    }
  }

  private func nextSeed() -> UInt64? {
    state.withLock { state in
      guard state.next - first < UInt64(seedsMax), !stopsAtFailure || state.failureCount == 0 else {
        return nil
      }
      defer { state.next += 1 }
      return state.next
    }
  }

  private var elapsed: Int64 { Timestamp.now.milliseconds - start.milliseconds }

  var failureCount: Int { state.withLock { $0.failureCount } }

  var summary: String {
    let seconds = max(1, elapsed) / 1_000
    return state.withLock { state in
      func rate(_ count: Int) -> String { "\(count) (\(Int64(count) / max(1, seconds)) a second)" }
      return "\(state.seedCount) seeds from \(first), \(rate(state.eventCount)) events, "
        + "\(rate(state.restartCount)) starts, \(state.requestCount) requests, "
        + (state.lineCount > 0 ? "\(state.lineCount) \(world.lineName), " : "")
        + "\(state.failureCount) failures"
    }
  }
}
