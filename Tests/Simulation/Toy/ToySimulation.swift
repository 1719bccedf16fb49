import JSONRPC
import TestSupport
import TodoDatabase
import TodoModel
import TodoRemotes
import TodoReplay
import TodoStores

/// Servers on one file with a source that is unlike GitHub, others who change its items, and a
/// network that fails. It shows that the sync engine and the store depend only on the declarations of a source.
///
/// Changes at the source are conditional, so there is no race that costs a word.
final class ToySimulation: SeededSimulation {
  static let toyList = TodoListKey(profile: "ann", source: "toy:box")
  static let calendarList = TodoListKey(
    profile: "ann", source: "caldav+https://cal.example.org\(CalDAVModel.path)")
  static let home = "the box"

  let machine: SimulatedMachine
  var random: SeededRandom
  var ledger = Ledger()
  var agenda = EventQueue<Event>()
  var source: any SourceModel
  /// Whether the source is a calendar server.
  let isCalendar: Bool
  var servers: [LoopServer?]
  private(set) var eventCount = 0
  private(set) var restartCount = 0
  private(set) var requestCount = 0
  private(set) var runLog: RunLog
  var isEnding = false
  private var processCount = 0
  /// When processes have ended.
  private var ends: [Int: Timestamp] = [:]
  private let faultPercent: Int
  private let killPercent: Int

  private static let eventsMax = 400
  /// The source ends what takes it longer than ten seconds.
  private static let lateMillisecondsMax: Int64 = 9_900

  var lineCount: Int { 0 }
  var now: Timestamp { machine.clock.now }
  var list: TodoListKey { isCalendar ? Self.calendarList : Self.toyList }

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
    seed: UInt64, folder: String, isCalendar: Bool = false, log: ((String) -> Void)? = nil
  ) {
    random = SeededRandom(seed: seed)
    runLog = RunLog(log)
    machine = SimulatedMachine(
      path: "\(folder)/todos.sqlite", clock: SimulatedClock(), waits: Waits(),
      executor: ReplayExecutor(), alive: AliveProcesses())
    let pageSize = 2 + random.below(5)
    source = isCalendar ? CalDAVModel() : ToyModel(pageSize: pageSize)
    self.isCalendar = isCalendar
    servers = Array(repeating: nil, count: 1 + random.below(2))
    faultPercent = random.pick([0, 10, 30]) ?? 0
    killPercent = random.pick([0, 3, 10]) ?? 0
    for _ in 0..<random.below(9) { addThere() }
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

  /// Allows each server to continue until all of them wait.
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
    if let problem = source.problem ?? servers.compactMap({ $0?.problem }).first {
      throw Violation(problem)
    }
  }

  // MARK: Servers

  func start(_ index: Int) throws {
    guard servers[index] == nil else { return }
    processCount += 1
    restartCount += 1
    record("server \(index) starts as p\(processCount)")
    servers[index] = try LoopServer(
      processCount, on: machine, isCalendar ? .calendar : .toy, remote: try remote())
  }

  private func remote() throws -> any TodoRemote {
    let transport = SimulatedTransport(waits: machine.waits, process: processCount)
    guard isCalendar else { return ToyRemote(transport: transport) }
    guard let address = CalDAVAddress(list.source) else { throw Violation("No address.") }
    let clock = machine.clock
    return CalDAVRemote(
      address, login: { nil }, transport: transport,
      clock: CalendarClock(utcOffset: { _ in 0 }, zoneOffset: { _, _ in nil }),
      now: { clock.now })
  }

  private func end(_ index: Int) throws {
    guard let server = servers[index] else { return }
    record("kill p\(server.number)")
    ends[server.number] = now
    servers[index] = nil
    server.kill()
    plan(.start(index), after: 5...3_000)
    try checkToken()
  }

  /// Whatever has not changed since the token in the file is in the file: a token that is ahead of the
  /// rows would hide changes from the other servers until the next load of the whole list.
  private func checkToken() throws {
    let store = try SQLiteStore(at: .file(machine.path), environment: machine.environment(of: 0))
    guard let token = try store.remote(of: list).cursor else { return }
    var todos: [String: Todo] = [:]
    for todo in try store.todos(TodoQuery(limit: .max), in: list).elements {
      if let key = todo.origin?.key { todos[key] = todo }
    }
    let outgoing = Set(
      try [true, false].flatMap { try store.outgoing(in: list, failed: $0) }.compactMap(\.key))
    for (key, item) in source.unchanged(since: token) where !outgoing.contains(key) {
      guard let todo = todos[key], todo.sync != .synced || todo.content == item.content else {
        throw Violation("The file has the token \(token), but not \(key) \(item.content.brief).")
      }
    }
  }

  // MARK: The network

  private func send(_ request: HTTPRequest, _ wait: Waits.New) {
    requestCount += 1
    var call = NetworkCall(id: wait.id, process: wait.process, request: request, fault: .none)
    if !isEnding, random.happens(percent: faultPercent) {
      call.fault = random.pick(NetworkFault.allCases) ?? .none
    }
    record("p\(call.process) \(request.method) \(request.url.target) \(call.fault)")
    switch call.fault {
    case .lostBefore: plan(.answerArrives(call, .failure(Self.offline)), after: 0...10_000)
    case .late:
      let timeout = random.within(100...30_000)
      plan(.answerArrives(call, .failure(Self.timedOut)), after: timeout...timeout)
      plan(.requestArrives(call), after: timeout...(timeout + Self.lateMillisecondsMax))
    case .page: plan(.answerArrives(call, .success(HTTPResponse(status: 502))), after: 10...2_000)
    case .none, .lostAfter, .halfBody, .pageAfter: plan(.requestArrives(call), after: 5...300)
    }
  }

  private func arrive(_ call: NetworkCall) throws {
    if let end = ends[call.process], now.milliseconds - end.milliseconds > Self.lateMillisecondsMax
    {
      return
    }
    // Between the read of an item and the change that is based on it.
    if isCalendar, call.isWrite, !isEnding, random.happens(percent: 15) {
      let path = String(call.request.url.path.dropFirst(CalDAVModel.path.utf8.count))
      letOtherAct(on: CalDAVText.decoded(path))
    }
    let before = source.items
    let answer = source.answer(LoopbackRequest(call.request), at: now)
    record("  answered \(answer.status) to p\(call.process)")
    if call.isWrite { try checkOnce() }
    // A removal here is not a conflict, whatever was changed there.
    for (key, item) in before where call.request.method == "DELETE" && source.items[key] == nil {
      ledger.excuse(Ledger.words(item.content), "removed here")
    }
    switch call.fault {
    case .late: break
    case .lostAfter, .halfBody:
      plan(.answerArrives(call, .failure(Self.timedOut)), after: 0...30_000)
    case .pageAfter:
      plan(.answerArrives(call, .success(HTTPResponse(status: 502))), after: 10...2_000)
    case .none, .lostBefore, .page:
      plan(.answerArrives(call, .success(HTTPResponse(answer))), after: 5...300)
    }
  }

  /// No text is in two items: a todo was created twice.
  private func checkOnce() throws {
    let titles = Dictionary(grouping: source.items, by: \.value.content.title)
    if let twice = titles.first(where: { $1.count > 1 }) {
      throw Violation("\(twice.key) became several items: \(twice.value.map(\.key).sorted())")
    }
  }

  private static let offline = TodoError(.offline, "The network failed.")
  private static let timedOut = TodoError(.timeout, "The network failed.")
}
