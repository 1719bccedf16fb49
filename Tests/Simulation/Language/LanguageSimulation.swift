import TodoDatabase
import TodoModel
import TodoStores

@testable import TodoLanguageServer

/// Two editors that have the list open as a document, each with its own server, and another user of
/// the store.
///
/// The servers' documents and the store are real; the editors have the faults of real editors, and
/// messages in either direction may be delayed. A seed determines the whole run.
final class LanguageSimulation {
  static let list = TodoListKey(profile: "ann", source: "")
  private static let path = "/todos.md"
  private static let heading = "<!-- todo-server ann local 0 -->\n<!-- end -->\n"
  private static let titleBytesMax = 300
  /// The number of events, of 10 ms each, after which a server's timer fires.
  private static let eventsPerWhile = 25
  /// The maximum number of steps at the end of a run. All messages must arrive within these steps.
  private static let endStepsMax = 5_000

  private var random: SeededRandom
  private let faults: LanguageFaults
  private(set) var ledger = TypedLedger()
  private let clock = SimulatedClock()
  private let store: SQLiteStore
  /// The number of todos that are imported at the beginning. The user who types first also types
  /// this number of plain lines.
  private let importedCount: Int
  /// Whether the users cut lines and paste them.
  private let areLinesCut: Bool
  private var editors: [LanguageEditor] = []
  private var isEnding = false
  private(set) var eventCount = 0
  private(set) var killCount = 0
  private(set) var pushCount = 0
  private(set) var runLog: RunLog

  /// Creates the simulation of a seed.
  ///
  /// - Parameter checks: Whether the editors apply an edit only to the version that the edit is
  ///   for. With `false`, they do not check the version, so the server sends an edit only when a
  ///   user requests it.
  init(seed: UInt64, checks: Bool, log: ((String) -> Void)? = nil) throws {
    runLog = RunLog(log)
    random = SeededRandom(seed: seed)
    faults = LanguageFaults(&random)
    importedCount = ImportedTodos.count(ofSeed: seed)
    areLinesCut = DocumentBuffer.areLinesCut(ofSeed: seed)
    let clock = clock
    store = try SQLiteStore(
      at: .memory,
      environment: Environment(
        now: { clock.now }, newID: { TodoID.ofFullLength(clock.nextID()) }, offload: .inline))
    try ImportedTodos.add(importedCount, to: store, &ledger)
    for name in ["a", "b"] {
      editors.append(
        LanguageEditor(
          name, text: BufferText(Self.heading), checksVersions: checks,
          plainLinesMore: importedCount,
          &random
        ))
      start(editors.count - 1)
    }
  }

  /// Runs the simulation to its end. Throws a `Violation` if a rule is broken.
  func run() throws {
    while ledger.typedCount < faults.lineCount + importedCount {
      eventCount += 1
      clock.now = clock.now + 10
      try step()
      if eventCount % Self.eventsPerWhile == 0 { letTimePass() }
    }
    try end()
  }

  private func step() throws {
    let index = random.below(editors.count)
    guard random.happens(percent: faults.peoplePercent) else { return deliver(index) }
    switch random.below(100) {
    case ..<50: type(index)
    case ..<80: save(index)
    case ..<99: try letOtherUserAct()
    default: kill(index)
    }
  }

  // MARK: Messages

  /// Delivers a message, or performs a step of the server.
  private func deliver(_ index: Int) {
    switch random.below(4) {
    case 0: deliverToServer(index)
    case 1: runServerRequest(index)
    case 2: applyOfferedEdit(index)
    default:
      if random.flag() { editors[index].flush() } else { notifyListChange(index) }
    }
  }

  private func letTimePass() {
    for index in editors.indices {
      editors[index].server?.dayBegan(clock.today)
      editors[index].timePassed()
    }
  }

  private func deliverToServer(_ index: Int) {
    guard !editors[index].outgoing.isEmpty else { return }
    switch editors[index].outgoing.removeFirst() {
    case .change(let text, let version):
      record("\(editors[index].name) is at \(version)")
      editors[index].server?.change(to: text, version: version)
    case .save:
      record("\(editors[index].name) has saved")
      editors[index].server?.save()
    case .answer(let number, let isApplied):
      guard number == editors[index].pushCount else { break }
      editors[index].server?.recordEditResponse(isApplied: isApplied)
    }
    nextEdit(index)
  }

  private func runServerRequest(_ index: Int) {
    guard let request = editors[index].pendingRequest else {
      editors[index].pendingRequest = editors[index].nextRequest()
      return nextEdit(index)
    }
    editors[index].pendingRequest = nil
    let answer = Result { () throws(TodoError) in try store.answer(request, in: Self.list) }
    runLog.log("\(editors[index].name): \(request) is answered", at: clock.now)
    editors[index].handle(answer, to: request)
    if !request.isQuestion {
      for other in editors.indices { editors[other].isListChangeDue = true }
    }
    nextEdit(index)
  }

  private func nextEdit(_ index: Int) {
    guard let push = editors[index].server?.nextEdit() else { return }
    pushCount += 1
    editors[index].pushCount += 1
    record("\(editors[index].name) is offered \(push.number) for \(push.version ?? -1)")
    for edit in push.edits {
      let place = push.source.position(of: edit.range.lowerBound, .utf16)
      let text = String(decoding: edit.text, as: UTF8.self)
      runLog.log("  \(place.line):\(place.character) \(edit.range.count): \(text)", at: clock.now)
    }
    editors[index].incomingEdits.append((editors[index].pushCount, push))
  }

  private func applyOfferedEdit(_ index: Int) {
    if let edit = editors[index].requestedEdit, !editors[index].checksVersions {
      pushCount += 1
      record("\(editors[index].name) requests \(edit.number)")
      return editors[index].applyRequested(edit)
    }
    guard !editors[index].incomingEdits.isEmpty else { return }
    let (number, push) = editors[index].incomingEdits.removeFirst()
    let isApplied = editors[index].apply(push, number)
    record("\(editors[index].name) \(isApplied ? "applies" : "leaves") \(push.number)")
    runLog.log(editors[index].string, at: clock.now)
  }

  /// Reads the change token of the list, if the list has changed. A later call delivers the token
  /// to the server.
  private func notifyListChange(_ index: Int) {
    if let token = editors[index].changeToken {
      editors[index].changeToken = nil
      editors[index].server?.listDidChange(to: token)
    } else if editors[index].isListChangeDue {
      editors[index].isListChangeDue = false
      editors[index].changeToken = try? store.changeToken(in: Self.list)
    }
  }

  // MARK: Users

  private func type(_ index: Int) {
    for _ in 0...random.below(faults.linesMax) {
      var buffer = editors[index].buffer
      buffer.show(editors[index].string)
      buffer.type(1, &random, &ledger)
      // The user who types first also types the plain lines.
      if ledger.typedCount == 1 { buffer.typePlainLines(importedCount, &random, &ledger) }
      let todosMax = faults.todosMax + importedCount
      if buffer.todoCount > todosMax { buffer.delete(todosMax / 3, &random) }
      if areLinesCut { buffer.cutOrPaste(&random) }
      record("\(editors[index].name) types \(ledger.typedCount)")
      editors[index].buffer = buffer
      editors[index].become(BufferText(buffer.text))
      runLog.log(buffer.text, at: clock.now)
    }
  }

  private func save(_ index: Int) {
    record("\(editors[index].name) saves")
    requestMarks(index)
    editors[index].save()
    editors[index].buffer.show(editors[index].string)
    editors[index].buffer.noteSaved(in: &ledger, by: editors[index].name)
  }

  /// Requests the anchors (marks) of new lines before a save, waits for the response, and applies
  /// the anchors. Does nothing for an editor that does not request anchors.
  private func requestMarks(_ index: Int) {
    guard editors[index].requestsAnchors else { return }
    editors[index].flush()
    while !editors[index].outgoing.isEmpty { deliverToServer(index) }
    // An automatic save leaves the line of the cursor without a mark.
    let isAutomatic = random.happens(percent: 30) && !isEnding
    let marks = editors[index].editsBeforeSave(isAutomatic: isAutomatic)
    // The response may arrive too late for the save.
    guard let marks, !marks.isEmpty, random.happens(percent: 80) else { return }
    record("\(editors[index].name) marks \(marks.count) lines")
    editors[index].become(editors[index].text.replacing(marks))
    runLog.log(editors[index].string, at: clock.now)
    editors[index].buffer.show(editors[index].string)
  }

  private func kill(_ index: Int) {
    killCount += 1
    record("\(editors[index].name) loses its server")
    // A line that has not received its anchor yet may be typed again, and then becomes another
    // todo.
    for line in editors[index].string.lines where line.hasPrefix("- [") && TypedHead(line) == nil {
      ledger.halved.formUnion(TypedWord.all(in: line))
    }
    editors[index].buffer.recordStart(in: &ledger)
    start(index)
  }

  private func start(_ index: Int) {
    let edits: UnrequestedEdits = editors[index].checksVersions ? .always : .never
    editors[index].connect { text, version in
      OpenDocument(
        text, version: version, key: Self.path, list: Self.list, on: clock.today,
        unrequestedEdits: edits)
    }
  }

  private func letOtherUserAct() throws {
    do throws(TodoError) {
      try act()
    } catch {
      guard [.conflict, .notFound].contains(error.kind) else {
        throw Violation("The other user got an error: \(error)")
      }
    }
    for index in editors.indices { editors[index].isListChangeDue = true }
  }

  private func act() throws(TodoError) {
    let todos = try todos()
    guard let todo = random.pick(todos), random.happens(percent: 60) else {
      let word = ledger.newWordOfOthers()
      let text = random.flag() ? "" : TypedLedger.noteWithLineBreaks
      _ = try store.add(
        try NewTodo(title: "Of another user \(word)", note: text), to: Self.list)
      ledger.others.insert(word)
      return record("the other user adds \(word)")
    }
    record("the other user changes \(todo.id.text)")
    switch random.below(3) {
    case 0:
      try store.remove(todo.id, expectedVersion: todo.version, in: Self.list)
      ledger.deleted.formUnion(TypedWord.all(in: todo))
    case 1 where todo.content.title.utf8.count < Self.titleBytesMax:
      let word = ledger.newWordOfOthers()
      _ = try store.edit(
        todo.id, try TodoEdit(title: "\(todo.content.title) \(word)"), in: Self.list)
      ledger.others.insert(word)
    default: _ = try store.edit(todo.id, TodoEdit(isDone: !todo.content.isDone), in: Self.list)
    }
  }

  // MARK: The end

  /// Ends the run. All editors save. Until all messages have arrived, the editors apply the edits
  /// of the servers that are for their current text. Then checks the texts of the editors.
  private func end() throws {
    record("the end begins")
    isEnding = true
    for index in editors.indices where editors[index].checksVersions {
      editors[index].editHandling = .checks
    }
    for index in editors.indices { save(index) }
    var steps = 0
    repeat {
      for index in editors.indices {
        editors[index].flush()
        deliverToServer(index)
        notifyListChange(index)
        runServerRequest(index)
        applyOfferedEdit(index)
      }
      letTimePass()
      steps += 1
      if steps > Self.endStepsMax { throw Violation("There is no quiet.") }
    } while editors.contains { !$0.isQuiet }
    let todos = try todos()
    for editor in editors {
      do {
        try ledger.check(editor.string, todos)
      } catch {
        runLog.log("\(editor.name) has at the end:\n\(editor.string)", at: clock.now)
        throw Violation("\(editor.name) (\(editor.kind)): \(error)")
      }
    }
  }

  private func todos() throws(TodoError) -> [Todo] {
    try store.todos(TodoQuery(limit: .max), in: Self.list).elements
  }

  private func record(_ text: @autoclosure () -> String) { runLog.record(text(), at: clock.now) }
}

/// The amount of typing, and the delay of messages.
struct LanguageFaults {
  let lineCount = 150
  /// The percentage of steps that are actions of users. All other steps deliver messages.
  let peoplePercent: Int
  let linesMax: Int
  let todosMax: Int

  init(_ random: inout SeededRandom) {
    peoplePercent = random.pick([3, 10, 25]) ?? 10
    linesMax = random.pick([1, 2, 6]) ?? 2
    todosMax = random.pick([8, 20, 60]) ?? 20
  }
}
