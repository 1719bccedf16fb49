import TodoDatabase
import TodoDocument
import TodoModel
import TodoStores

/// A simulation that fills a store at random, with todos of all states, documents, drafts and
/// removed todos. At the end, the store is exported, and the export is imported.
final class ExchangeSimulation {
  static let profiles = ["ann", "bób 👩‍👩‍👧"]
  static let sources = ["", "github:octo/tasks", "github:octo/other"]
  private static let path = "/home/ann/todos.md"
  private static let stepsMax = 150

  var random: SeededRandom
  let store: SQLiteStore
  private let environment: Environment
  private let clock = SimulatedClock()
  private var documents: [TodoListKey: DocumentGeneration] = [:]
  private(set) var runLog: RunLog
  private(set) var eventCount = 0
  private(set) var lineCount = 0

  init(seed: UInt64, log: ((String) -> Void)?) throws {
    random = SeededRandom(seed: seed)
    runLog = RunLog(log)
    let clock = clock
    environment = Environment(
      now: { clock.now }, newID: { TodoID.ofFullLength(clock.nextID()) }, offload: .inline)
    store = try SQLiteStore(at: .memory, environment: environment)
  }

  func run() throws {
    for _ in 0..<(random.below(Self.stepsMax) + 5) {
      let pause = random.within(0...3_600_000)
      clock.now = Timestamp(milliseconds: clock.now.milliseconds + pause)
      eventCount += 1
      let list = TodoListKey(
        profile: random.pick(Self.profiles) ?? "", source: random.pick(Self.sources) ?? "")
      do {
        try step(in: list)
      } catch let error as TodoError {
        // For example, there was nothing to undo.
        runLog.record("\(error.kind)", at: clock.now)
      }
    }
    let check = ExchangeCheck(store: store, environment: environment)
    let lines = try check.run()
    lineCount = lines.count
    runLog.record("\(lines.count) lines", at: clock.now)
    try check.runTruncated(lines, count: random.below(lines.count))
  }

  // MARK: Steps

  private func step(in list: TodoListKey) throws {
    let todos = try store.todos(TodoQuery(limit: .max), in: list).elements
    let todo = random.pick(todos)
    runLog.record("a step in \(list.source) with \(todos.count) todos", at: clock.now)
    switch random.below(23) {
    case 0, 1, 2: _ = try store.add(NewTodo(title: title(), note: text()), to: list)
    case 3, 4:
      guard let todo else { return }
      _ = try store.edit(todo.id, TodoEdit(checking: changes()), in: list)
    case 5:
      guard let todo else { return }
      try store.remove(todo.id, expectedVersion: nil, in: list)
    case 6: _ = try store.undo(in: list)
    case 7: _ = try store.redo(in: list)
    case 8, 9:
      guard let todo else { return }
      try addDraft(of: todo, in: list)
    case 10, 11, 12: try changeDocument(of: list)
    case 13: _ = try ExchangeCheck.lines(of: store)
    case 14:
      guard let todo, let other = random.pick(todos) else { return }
      let target = random.flag() ? MoveTarget.before(other.id) : .after(other.id)
      _ = try store.move(todo.id, to: target, in: list)
    default:
      guard !list.isLocal else { return }
      try hear(list)
    }
  }

  /// Returns changes of one or several fields.
  private func changes() -> FieldChanges {
    var changes = FieldChanges()
    repeat {
      let field = random.pick(ContentField.allCases) ?? .title
      changes.set(field, to: value(of: field))
    } while random.flag() || changes.fields.isEmpty
    return changes
  }

  private func value(of field: ContentField) -> FieldValue? {
    switch field.kind {
    // A value that is not valid for the field leaves the field unchanged.
    case .text where field.isOptional:
      random.flag() ? nil : random.pick(Self.options).map { .text($0) }
    case .text: .text(field == .title ? title() : text())
    case .flag: .flag(random.flag())
    case .texts: .texts((0..<random.below(4)).map { _ in random.pick(Self.labels) ?? "" })
    }
  }

  private static let options = ["2026-12-01", "2026-12-01T17:30", "high", "medium", "low"]
  private static let labels = ["bug", "Bug", "two words", "日本", "\"\\"]

  private func addDraft(of todo: Todo, in list: TodoListKey) throws {
    let changes = changes()
    let base = EditBase(list: list, id: todo.id, version: todo.version)
    let mine = Draft.ConflictingEdit(changes: changes, version: todo.version)
    let edit: Draft.Edit =
      random.flag() ? .fields(changes) : .merged(text(), mine: random.flag() ? mine : nil)
    try store.addDraft(
      UnsavedText(Draft(base: base, edit: edit), title: todo.content.title), at: clock.now)
    if random.happens(percent: 20) {
      try store.remove(todo.id, expectedVersion: nil, in: list)
    }
  }

  // MARK: The source

  /// Simulates one step of a sync: an attempt to send a change, its failure or response, or
  /// received items.
  private func hear(_ list: TodoListKey) throws {
    let outgoing = random.pick(try store.outgoing(in: list, failed: true))
    switch random.below(6) {
    case 0:
      guard let outgoing else { return }
      let write: RemoteWrite =
        outgoing.key == nil ? .create : outgoing.isRemoved ? .close : .change
      let marker =
        write == .create
        ? outgoing.exported?.marker
          ?? ItemMarker(of: outgoing.id, at: clock.now, random: random.within(0...1 << 40)) : nil
      try store.recordAttempt(
        write, outgoing.content, marker: marker, of: outgoing.id, in: list,
        to: GitHubAddress.defaultURL, openUntil: clock.now, nextWriteAt: clock.now)
    case 1:
      guard let outgoing else { return }
      let kind = random.pick(ErrorKind.allCases) ?? .server
      try store.recordFailure(
        SyncFailure(kind: kind, message: text()), outgoing.id, keepsSent: false, in: list)
    case 2:
      guard let outgoing else { return }
      _ = try store.recordReceived(
        item(Int64(outgoing.key ?? "") ?? random.within(100...1_000_000)), for: outgoing.id,
        isAnswer: random.flag(), in: list)
    default:
      let items = (0...random.below(4)).map { _ in item(random.within(1...20)) }
      _ = try store.mergeRemote(items, of: nil, to: list)
    }
  }

  private func item(_ number: Int64) -> RemoteItem {
    var content = TodoContent(
      title: delivered(title()), note: delivered(text()), isDone: random.happens(percent: 15))
    if content.title.isEmpty { content.title = "-" }
    return RemoteItem(
      key: String(number), url: "https://example.org/\(number)", content: content,
      fields: Issue.fields, order: RemoteItem.order(ofNumber: number),
      revision: random.flag() ? "\(clock.now)" : nil, hasLeft: content.isDone,
      createdAt: clock.now, updatedAt: clock.now)
  }

  /// Returns a text as a source may deliver it, sometimes with characters that a user cannot type.
  private func delivered(_ text: String) -> String {
    random.happens(percent: 5) ? text + "\0\n" : text
  }

  // MARK: The document

  /// Prints the document, changes its text as an editor does, and saves it, sometimes based on an
  /// old version.
  private func changeDocument(of list: TodoListKey) throws {
    var generation =
      try documents[list]
      ?? DocumentGeneration(number: store.openDocument(Self.path, in: list))
    let contents = try store.readDocument(Self.path, in: list)
    let next = contents.generation(generation.number + 1)
    try store.recordGeneration(generation.difference(to: next, path: Self.path), in: list)
    generation = next
    documents[list] = generation
    let heading = DocumentHeading(list: list, generation: generation.number)
    var lines = String(decoding: DocumentPrinter.print(heading, contents), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0...random.below(3) { edit(&lines) }
    // Another user edits the todo first, so that the texts conflict.
    if random.flag(), let todo = random.pick(contents.todos) {
      _ = try? store.edit(todo.id, TodoEdit(checking: changes()), in: list)
    }
    let document = Document(
      reading: Array(lines.joined(separator: "\n").utf8), on: .first, marks: contents.marks)
    let known = try document.heading.flatMap { heading in
      try store.generation(heading.generation, of: Self.path, in: list)
    }
    let save = DocumentMerge(
      document, madeFrom: known, now: try store.readDocument(Self.path, in: list),
      path: Self.path
    ).save
    _ = try store.saveDocument(save, in: list)
  }

  private func edit(_ lines: inout [String]) {
    guard lines.count > 2 else { return }
    let index = 1 + random.below(lines.count - 2)
    switch random.below(4) {
    case 0: lines.insert("- [ ] \(title())", at: index)
    case 1: lines.insert("plain \(title())", at: index)
    case 2: lines[index] = lines[index].replacing("word", with: "words \(random.below(100))")
    default: lines.remove(at: index)
    }
  }

  // MARK: Texts

  private static let words = [
    "word", "Straße", "👩‍👩‍👧", "e\u{301}", "\"\\", "\u{1}", "\u{202e}", "\u{2028}", "<!-- x -->",
    "^anchor.1", "日本語", "\u{9b}2J",
  ]

  private func title() -> String {
    (0...random.below(3)).map { _ in random.pick(Self.words.filter { $0 != "\u{2028}" }) ?? "" }
      .joined(separator: " ") + " \(random.below(1_000))"
  }

  private func text() -> String {
    (0..<random.below(5)).map { _ in random.pick(Self.words) ?? "" }
      .joined(separator: random.flag() ? "\n" : "\r\n")
  }
}

extension ExchangeSimulation: SeededSimulation {
  var restartCount: Int { 0 }
  var requestCount: Int { 0 }
}
