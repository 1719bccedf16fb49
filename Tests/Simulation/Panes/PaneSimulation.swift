import JSONRPC
import TestSupport
import TodoDatabase
import TodoModel
import TodoReplay

/// Front-ends with editing panes, each with its own server on one file. Users type and save. They
/// leave some conflicts unresolved, and resolve others. Scripts, other lists and users, delays and
/// kills interfere.
///
/// The rules:
///
/// - A stored word leaves its todo only by an action of a user who saw it.
/// - No word is in another list than the one for which it was typed.
/// - A save whose outcome is not `asks` has stored the sent text.
/// - Text that was neither saved nor discarded stays in a pane, and all of it can be saved in the
///   end.
final class PaneSimulation: SeededSimulation {
  let machine: SimulatedMachine
  let scenario = Scenario.panes
  var random: SeededRandom
  var ledger = Ledger()
  private(set) var frontEnds: [PaneFrontEnd] = []
  private(set) var eventCount = 0
  private(set) var restartCount = 0
  /// The number of saves and decisions that stored a text.
  private(set) var saveCount = 0
  /// The number of words that users typed into panes.
  var typedCount = 0
  private(set) var runLog: RunLog
  private var stored = StoredWords()
  /// The store in a separate process, which is never killed.
  private var store: SQLiteStore?
  private var processCount = 0

  var requestCount: Int { saveCount }
  var lineCount: Int { typedCount }

  private static let eventsMax = 600
  private static let roundsMax = 120

  init(seed: UInt64, folder: String, log: ((String) -> Void)? = nil) {
    random = SeededRandom(seed: seed)
    runLog = RunLog(log)
    machine = SimulatedMachine(path: "\(folder)/todos.sqlite")
  }

  func run() throws {
    store = try SQLiteStore(at: .file(machine.path), environment: machine.environment(of: 0))
    for list in scenario.lists { try importTodos(into: list) }
    try checkStore(after: "the import")
    for number in 0..<(2 + random.below(2)) {
      frontEnds.append(PaneFrontEnd(number, list: scenario.lists[0]))
      try start(frontEnds[number])
    }
    while eventCount < Self.eventsMax { try act() }
    for frontEnd in frontEnds { try saveEverything(in: frontEnd) }
  }

  func tearDown() { for frontEnd in frontEnds { frontEnd.endServer() } }

  func record(_ text: String) { runLog.record(text, at: machine.clock.now) }

  /// Imports todos into a list. Todos of all lists have the same ids.
  private func importTodos(into list: TodoListKey) throws {
    var lines = [
      #"{"format":"todo-server","version":1}"#,
      #"{"list":{"name":"\#(list.profile)","source":"\#(list.wireName)"}}"#,
    ]
    for id in 1...2 {
      lines.append(#"{"id":"\#(id)","title":"\#(ledger.newTitle(in: list.text))"}"#)
    }
    _ = try store?.importLines(LineReader(text: lines.joined(separator: "\n")), profile: nil)
  }

  // MARK: Servers

  private func start(_ frontEnd: PaneFrontEnd) throws {
    processCount += 1
    restartCount += 1
    let unsaved = random.happens(percent: 70) ? frontEnd.panes.first?.list : nil
    let list = unsaved ?? pickList()
    record("front-end \(frontEnd.number) starts p\(processCount) with \(list.text)")
    let server = try LoopServer(processCount, on: machine, scenario, list: list)
    try frontEnd.begin(server, in: list)
  }

  private func kill(_ frontEnd: PaneFrontEnd) throws {
    if random.flag() { while !frontEnd.inbox.isEmpty { frontEnd.read() } }
    if random.happens(percent: 25) {
      record("kill of front-end \(frontEnd.number)")
      frontEnd.endItself()
    } else {
      record("kill of the server of \(frontEnd.number)")
      frontEnd.endServer()
    }
    try start(frontEnd)
  }

  /// Returns the list in which a user works next. Users work in the first list more often than in
  /// the others.
  func pickList() -> TodoListKey {
    random.flag() ? scenario.lists[0] : random.pick(scenario.lists) ?? scenario.lists[0]
  }

  // MARK: Events

  private func act() throws {
    eventCount += 1
    machine.clock.now = Timestamp(
      milliseconds: machine.clock.now.milliseconds + random.within(50...5_000))
    let frontEnd = frontEnds[random.below(frontEnds.count)]
    guard let server = frontEnd.server, server.isAlive else { return try kill(frontEnd) }
    switch random.below(100) {
    case 0: try kill(frontEnd)
    case 1: server.killAfter(1 + random.below(4))
    case 2..<4:
      record("\(frontEnd.number) switches lists")
      frontEnd.requestList(pickList())
    case 4..<9: try runScript(frontEnd, server)
    case 9..<15:
      server.storeDidChange()
      frontEnd.collect()
    case 15..<21: try deliver(frontEnd)
    case 21..<28: frontEnd.read()
    default: try useAndWait(frontEnd)
    }
    try check(frontEnd)
    if let problem = server.problem { throw Violation(problem) }
  }

  private func useAndWait(_ frontEnd: PaneFrontEnd) throws {
    use(frontEnd)
    guard random.happens(percent: 80) else { return }
    while frontEnd.server?.isAlive == true, !frontEnd.outbox.isEmpty { try deliver(frontEnd) }
    guard random.happens(percent: 80) else { return }
    while !frontEnd.inbox.isEmpty { frontEnd.read() }
  }

  /// Delivers a request to the server.
  private func deliver(_ frontEnd: PaneFrontEnd) throws {
    guard let (request, response) = frontEnd.deliver() else { return }
    let outcome = response?["result"]?["outcome"]?.stringValue
    let end = response.map { outcome ?? ($0["error"]?["message"]?.stringValue ?? "done") }
    record("\(frontEnd.number) \(request.text): \(end ?? "no response")")
    try checkStore(after: request.text, mayRemove: request.removable)
    guard let outcome, outcome != "asks" else { return }
    switch request.purpose {
    case .save,
      .close where request.action != "discard":
      saveCount += 1
      try stored.check(request)
    default: break
    }
  }

  private func check(_ frontEnd: PaneFrontEnd) throws(Violation) {
    if let problem = frontEnd.problem { throw Violation(problem) }
    let lost = frontEnd.lostWords.sorted()
    guard lost.isEmpty else { throw Violation("\(frontEnd.number) lost the unsaved \(lost).") }
  }

  // MARK: The end

  /// Saves the text of each pane, and resolves each conflict.
  private func saveEverything(in frontEnd: PaneFrontEnd) throws {
    for _ in 0..<Self.roundsMax {
      if frontEnd.server?.isAlive != true {
        frontEnd.endServer()
        try start(frontEnd)
      }
      frontEnd.server?.storeDidChange()
      frontEnd.collect()
      while frontEnd.server?.isAlive == true, !frontEnd.outbox.isEmpty { try deliver(frontEnd) }
      while !frontEnd.inbox.isEmpty { frontEnd.read() }
      try check(frontEnd)
      if !frontEnd.panes.contains(where: \.isEdited) { return }
      saveNext(in: frontEnd)
    }
    let texts = frontEnd.panes.filter(\.isEdited).map { "\($0.edits)" }
    throw Violation("\(frontEnd.number) cannot save \(texts.joined(separator: ", ")).")
  }

  // MARK: The store

  /// Checks that all stored words are still in their list. Throws a `Violation` if one is missing.
  func checkStore(after event: String, mayRemove removable: Set<String> = []) throws {
    for list in scenario.lists {
      let todos = try store?.todos(TodoQuery(limit: .max), in: list).elements ?? []
      let words = try stored.update(list, to: todos, after: event, mayRemove: removable)
      try ledger.checkHomes(of: words, in: list.text)
    }
  }

  /// Returns the words of a todo, or of all todos, at the last check.
  func storedWords(of id: TodoID?) -> Set<String> { stored.words(of: id) }
}

extension TodoListKey {
  /// The description of the list in log lines and errors.
  var text: String { "\(wireName) of \(profile)" }
}

extension PaneRequest {
  /// The description of the request in log lines and errors.
  var text: String {
    let values = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.debugDescription)" }
    let base = params["base"]?.stringValue ?? params["source"]?.stringValue ?? ""
    return ([method, action, base] + values).joined(separator: " ")
  }
}
