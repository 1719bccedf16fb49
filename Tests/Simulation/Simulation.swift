import JSONRPC
import TestSupport
import TodoModel
import TodoRemotes
import TodoReplay

/// Several servers on one file, their users, a GitHub that other users edit, and all faults that
/// can happen between them, in simulated time.
///
/// The stores, the file, the engine and the client of GitHub are real. The network, GitHub and the
/// clock are simulated. A seed determines the whole run.
final class Simulation {
  let seed: UInt64
  let faults: Faults
  let scenario: Scenario
  var random: SeededRandom
  /// The random numbers for everything that a basic scenario does not have.
  var extra: SeededRandom
  /// The random numbers for views (filters, and the list of assigned issues).
  var viewRandom: SeededRandom
  /// The random numbers for edits while an edit is being sent, and for servers without locks.
  var concurrencyRandom: SeededRandom
  var ledger = Ledger()
  /// The words that a user may remove with the change in progress.
  var atRisk: Set<String> = []
  var agenda = EventQueue<Event>()
  /// The repositories at GitHub; see `Scenario.repositories`.
  var repositories: [GitHubModel]
  let machine: SimulatedMachine
  /// The servers. The element of a server is `nil` while the server is down.
  var servers: [LoopServer?]
  /// The list that each server shows when it starts.
  private var shownLists: [TodoListKey]
  /// For each source, the number of lists into which todos with the same ids were imported.
  var importCounts: [String: Int] = [:]
  private(set) var eventCount = 0
  private(set) var restartCount = 0
  private var processCount = 0
  /// The issues that were deleted or transferred, whose contents may therefore be missing.
  var goneIssues: Set<IssueKey> = []
  var network = NetworkWatch()
  private(set) var runLog: RunLog

  var now: Timestamp { machine.clock.now }

  /// Creates the simulation of a seed.
  ///
  /// - Parameter scenario: The scenario; `nil` for a random one.
  init(
    seed: UInt64, folder: String, scenario: Scenario? = nil, log: ((String) -> Void)? = nil
  ) {
    self.seed = seed
    runLog = RunLog(log)
    random = SeededRandom(seed: seed)
    faults = Faults(&random)
    extra = SeededRandom(seed: ~seed)
    viewRandom = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    var chosen = scenario ?? Scenario(&extra)
    concurrencyRandom = SeededRandom(seed: seed ^ 0x5851_F42D_4C95_7F2D)
    if scenario == nil {
      chosen.addViews(&viewRandom)
      chosen.addConcurrency(&concurrencyRandom)
    }
    self.scenario = chosen
    let clock = SimulatedClock()
    machine = SimulatedMachine(path: "\(folder)/todos.sqlite", clock: clock)
    servers = Array(repeating: nil, count: faults.serverCount)
    shownLists = Array(repeating: self.scenario.lists[0], count: faults.serverCount)
    repositories = self.scenario.repositories.map { GitHubModel(repository: $0) }
    for index in repositories.indices {
      repositories[index].repositoryNumber += Int64(index)
      repositories[index].pageSizeMax = faults.pageSize
      repositories[index].clockAheadMilliseconds = faults.clockAheadMilliseconds
    }
    if faults.isRenamed {
      repositories[0].repository = "octo/new-tasks"
      repositories[0].formerNames = ["octo/tasks"]
      repositories[0].redirectStatus = random.flag() ? 301 : 307
    }
    for _ in 0..<faults.issueCount { addIssueThere(in: 0) }
    // The issues of the other repositories have the same numbers as those of the first one.
    for index in repositories.indices.dropFirst() {
      for _ in 0..<faults.issueCount { addIssueThere(in: index) }
    }
  }

  /// Runs the simulation to its end. Throws a `Violation` if a rule is broken.
  func run() throws {
    for index in servers.indices { try start(index) }
    try importTodos(into: scenario.lists)
    for index in servers.indices { plan(.person(index), after: 0...5_000) }
    plan(.other, after: 0...5_000)
    while eventCount < faults.eventCount, let next = agenda.next() { try handle(next) }
    try end()
  }

  /// Kills the servers that still run.
  func tearDown() {
    for index in servers.indices {
      servers[index]?.kill()
      servers[index] = nil
    }
  }

  /// Processes one event, and everything that follows from it without a delay.
  func handle(_ next: (at: Timestamp, event: Event)) throws {
    eventCount += 1
    machine.clock.now = max(next.at, now)
    limitTransactions()
    switch next.event {
    case .person(let index):
      try letPersonAct(at: index)
      plan(.person(index), after: 100...20_000)
    case .other:
      letOtherAct()
      plan(.other, after: 100...faults.otherPauseMilliseconds)
    case .edit(let index, let todo, let list): try edit(todo, in: list, at: index)
    case .editInFlight(let index, let key, let title):
      try editInFlight(key, formerTitle: title, at: index)
    case .decision(let index, let conflict, let list):
      try decide(conflict, in: list, at: index)
    case .start(let index): try start(index)
    case .kill(let index): kill(index)
    case .requestArrives(let call): try arrive(call)
    case .answerArrives(let call, let answer): deliver(answer, to: call)
    case .sleepEnds(let id): machine.waits.end(id)
    case .healed(let repository):
      repositories[repository].hasIssues = true
      repositories[repository].access = .write
    }
    try settle()
  }

  /// Runs all servers until each of them waits.
  func settle() throws {
    while true {
      machine.executor.runAll()
      for server in servers { server?.runUntilIdle() }
      try readResponses()
      for index in servers.indices where servers[index]?.isAlive == false { end(index) }
      let new = machine.waits.drainNew()
      if new.isEmpty { return try checkAnswered() }
      for wait in new {
        guard servers.contains(where: { $0?.number == wait.process }) else {
          machine.waits.end(wait.id)
          continue
        }
        // A server may be killed at any wait.
        if random.below(1_000) < faults.killsPerThousandWaits, !isEnding,
          let index = servers.firstIndex(where: { $0?.number == wait.process })
        {
          plan(.kill(server: index), after: 0...400)
        }
        switch wait.kind {
        case .sleep(let milliseconds):
          plan(.sleepEnds(id: wait.id), after: milliseconds...milliseconds)
        case .request(let request): try send(request, wait)
        }
      }
    }
  }

  var isEnding = false

  /// Sometimes plans that a server is killed between two of its next transactions.
  private func limitTransactions() {
    guard !isEnding, extra.below(1_000) < scenario.killsPerThousandEvents,
      let server = extra.pick(servers.compactMap { $0 })
    else { return }
    server.killAfter(1 + extra.below(Self.transactionsMax))
  }

  /// The maximum number of transactions before a kill. Between two of its waits, a server has fewer
  /// transactions.
  private static let transactionsMax = 8

  func plan(_ event: Event, after milliseconds: ClosedRange<Int64>) {
    agenda.plan(
      event, at: Timestamp(milliseconds: now.milliseconds + random.within(milliseconds)))
  }

  // MARK: Servers

  func start(_ index: Int) throws {
    guard servers[index] == nil else { return }
    processCount += 1
    record("server \(index) starts as p\(processCount)")
    let isKilled = !isEnding && extra.below(1_000) < scenario.killsPerThousandEvents
    do throws(TodoError) {
      servers[index] = try LoopServer(
        processCount, on: machine, scenario, list: shownLists[index],
        sources: scenario.sources(ofServer: index),
        killedAfter: isKilled ? 1 + extra.below(Self.transactionsMax) : nil)
    } catch {
      guard isKilled, error.kind == .busy else { throw error }
      record("p\(processCount) is killed as it starts")
      plan(.start(server: index), after: 5...3_000)
    }
    restartCount += 1
  }

  private func kill(_ index: Int) {
    if !isEnding { end(index) }
  }

  /// Ends a server, and plans its next start.
  func end(_ index: Int) {
    guard let server = servers[index] else { return }
    record("kill p\(server.number)")
    network.forget(server.number, at: now)
    servers[index] = nil
    shownLists[index] = server.list
    for request in server.pending {
      ledger.excuse(request.wordsAtRisk, "not answered")
      if case .remove(let todo) = request.kind { allowReturnOfLabels(of: todo, in: request.list) }
    }
    server.kill()
    plan(.start(server: index), after: 5...3_000)
  }

  func record(_ text: @autoclosure () -> String) { runLog.record(text(), at: now) }
}

extension Simulation {
  enum Event {
    /// A user acts at a server.
    case person(Int)
    /// Another user acts at GitHub.
    case other
    /// A user changes a todo that was seen some time ago.
    case edit(Int, Todo, TodoListKey)
    /// A user edits the todo of an issue while its last edit is being sent.
    case editInFlight(Int, IssueKey, formerTitle: String)
    /// A user decides a conflict that was seen some time ago.
    case decision(Int, SeenConflict, TodoListKey)
    case start(server: Int)
    case kill(server: Int)
    case requestArrives(NetworkCall)
    case answerArrives(NetworkCall, NetworkAnswer)
    case sleepEnds(id: Int)
    case healed(repository: Int)
  }
}

/// The size of a run, and its faults.
struct Faults {
  let serverCount: Int
  let issueCount: Int
  let pageSize: Int
  let eventCount: Int
  let faultPercent: Int
  let killsPerThousandWaits: Int
  let otherPauseMilliseconds: Int64
  let clockAheadMilliseconds: Int64
  let isRenamed: Bool
  /// The percentage of events at GitHub with a large effect: a limit, a lock, or disabled issues.
  let troublePercent: Int

  init(_ random: inout SeededRandom) {
    serverCount = 1 + random.below(3)
    issueCount = random.below(12)
    pageSize = random.flag() ? 100 : 2 + random.below(4)
    eventCount = 500
    faultPercent = random.pick([0, 5, 15, 30]) ?? 0
    killsPerThousandWaits = random.pick([0, 50, 100, 250]) ?? 0
    otherPauseMilliseconds = random.pick([1_000, 10_000, 60_000]) ?? 1_000
    clockAheadMilliseconds = random.pick([0, 0, 5_000, -5_000, 3_600_000]) ?? 0
    isRenamed = random.happens(percent: 15)
    troublePercent = random.pick([0, 5, 20]) ?? 0
  }
}
