import JSONRPC
import TestSupport
import TodoDatabase
import TodoModel
import TodoRemotes
import TodoReplay
import TodoStores

/// Servers on one file with some sources, other clients that change the items, and a network that
/// fails. The simulation shows that the sync engine and the store depend only on the declarations
/// of a source, and that the lists of two sources do not affect each other.
///
/// If changes at a source are conditional, no word is lost in a race.
final class SourceSimulation: SeededSimulation {
  let machine: SimulatedMachine
  var random: SeededRandom
  var ledger = Ledger()
  /// The words of each edited todo after its last edit.
  var lastWords: [TodoID: Set<String>] = [:]
  var agenda = EventQueue<Event>()
  var sources: [SimulatedSource] = []
  var servers: [LoopServer?]
  /// The list that each server shows when it starts.
  private var shownLists: [TodoListKey]
  private(set) var eventCount = 0
  private(set) var restartCount = 0
  var requestCount = 0
  private(set) var runLog: RunLog
  var isEnding = false
  private var processCount = 0
  private let killPercent: Int

  private static let eventsMax = 400

  var lineCount: Int { 0 }
  var now: Timestamp { machine.clock.now }
  var lists: [TodoListKey] { sources.map(\.list) }

  enum Event {
    case person(Int)
    case other
    case start(Int)
    case kill(Int)
    case requestArrives(NetworkCall)
    case answerArrives(NetworkCall, Waits.Answer)
    case sleepEnds(id: Int)
  }

  init(
    seed: UInt64, folder: String, kinds: [SimulatedSource.Kind], log: ((String) -> Void)? = nil
  ) {
    random = SeededRandom(seed: seed)
    runLog = RunLog(log)
    machine = SimulatedMachine(path: "\(folder)/todos.sqlite")
    let pageSize = 2 + random.below(5)
    let serverCount = 1 + random.below(2)
    servers = Array(repeating: nil, count: serverCount)
    shownLists = Array(repeating: kinds[0].list, count: serverCount)
    var faultPercents: [Int] = []
    for _ in kinds { faultPercents.append(random.pick([0, 10, 30]) ?? 0) }
    killPercent = random.pick([0, 3, 10]) ?? 0
    for (kind, percent) in zip(kinds, faultPercents) {
      sources.append(
        SimulatedSource(
          kind, pageSize: pageSize, clock: machine.clock, faultPercent: percent))
    }
    for index in sources.indices { for _ in 0..<random.below(9) { addThere(in: index) } }
  }

  func run() throws {
    for index in servers.indices { try start(index) }
    for index in servers.indices { plan(.person(index), after: 0...5_000) }
    plan(.other, after: 0...5_000)
    while eventCount < Self.eventsMax, let next = agenda.next() { try handle(next) }
    try end()
  }

  func tearDown() {
    for server in servers { server?.kill() }
    servers = []
  }

  func record(_ text: @autoclosure () -> String) { runLog.record(text(), at: now) }

  func plan(_ event: Event, after milliseconds: ClosedRange<Int64>) {
    agenda.plan(
      event, at: Timestamp(milliseconds: now.milliseconds + random.within(milliseconds)))
  }

  func handle(_ next: (at: Timestamp, event: Event)) throws {
    eventCount += 1
    machine.clock.now = max(next.at, now)
    if !isEnding, random.happens(percent: killPercent), let server = random.pick(servers) {
      server?.killAfter(1 + random.below(8))
    }
    switch next.event {
    case .person(let index):
      try letPersonAct(at: index)
      plan(.person(index), after: 100...20_000)
    case .other:
      letOtherAct()
      plan(.other, after: 100...20_000)
    case .start(let index): try start(index)
    case .kill(let index): try end(index)
    case .requestArrives(let call): try arrive(call)
    case .answerArrives(let call, let answer): machine.waits.end(call.id, with: answer)
    case .sleepEnds(let id): machine.waits.end(id)
    }
    try settle()
  }

  /// Runs all servers until each of them waits.
  func settle() throws {
    while true {
      machine.executor.runAll()
      for server in servers { server?.runUntilIdle() }
      for index in servers.indices where servers[index]?.isAlive == false { try end(index) }
      let new = machine.waits.drainNew()
      if new.isEmpty { break }
      for wait in new {
        switch wait.kind {
        case .sleep(let milliseconds):
          plan(.sleepEnds(id: wait.id), after: milliseconds...milliseconds)
        case .request(let request): send(request, wait)
        }
      }
    }
    let problems = sources.compactMap(\.model.problem) + servers.compactMap { $0?.problem }
    if let problem = problems.first {
      throw Violation(problem)
    }
  }

  // MARK: Servers

  func start(_ index: Int) throws {
    guard servers[index] == nil else { return }
    processCount += 1
    restartCount += 1
    record("server \(index) starts as p\(processCount)")
    let transport = SimulatedTransport(waits: machine.waits, process: processCount)
    let clock = machine.clock
    servers[index] = try LoopServer(
      processCount, on: machine, Scenario(lists: lists), list: shownLists[index],
      remotes: try sources.compactMap { try $0.remote(transport, clock) })
  }

  private func end(_ index: Int) throws {
    guard servers[index] != nil else { return }
    kill(index)
    plan(.start(index), after: 5...3_000)
    for source in sources { try checkToken(of: source) }
  }

  func kill(_ index: Int) {
    guard let server = servers[index] else { return }
    record("kill p\(server.number)")
    servers[index] = nil
    shownLists[index] = server.list
    server.kill()
  }

  /// Checks that the stored rows are as new as the stored token. If the token were newer, the rows
  /// would lack some changes. Other servers would see these changes only at the next load of the
  /// whole list.
  private func checkToken(of source: SimulatedSource) throws {
    let list = source.list
    let store = try SQLiteStore(at: .file(machine.path), environment: machine.environment(of: 0))
    guard let token = try store.remote(of: list).cursor else { return }
    var todos: [String: Todo] = [:]
    for todo in try store.todos(TodoQuery(limit: .max), in: list).elements {
      if let key = todo.origin?.key { todos[key] = todo }
    }
    let outgoing = Set(
      try [true, false].flatMap { try store.outgoing(in: list, failed: $0) }.compactMap(\.key))
    for (key, item) in source.model.unchanged(since: token) where !outgoing.contains(key) {
      guard let todo = todos[key], todo.sync != .synced || todo.content == item.content else {
        throw Violation("The file has the token \(token), but not \(key) \(item.content.brief).")
      }
    }
  }
}
