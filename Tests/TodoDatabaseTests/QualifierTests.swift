import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Compares the results of qualifiers in the database with those in memory, after every kind of
/// change.
@Suite struct QualifierTests {
  private let list = TodoListKey.source
  private let days = DayClock.fixed(.sample)
  private static let dates = ["none", "today", "tomorrow", "2026-11-20", "2026-12-24", "+3d 17:30"]
  private static let labels = ["home", "Home", "work", "two words", "ärger"]
  private static let titles = ["milk", "bread", "milk and bread", "rent"]

  private func makeStore() throws -> SQLiteStore {
    var environment = Environment.counting()
    environment.days = days
    return try SQLiteStore(at: .memory, environment: environment)
  }

  @Test(arguments: 1...3)
  func indexFindsWhatIsFoundInMemory(seed: UInt64) throws {
    let store = try makeStore()
    var random = RandomTexts(seed: seed)
    for round in 0..<30 {
      for _ in 0..<5 { try change(store, &random, number: Int64(round % 9 + 1)) }
      let all = try store.todos(TodoQuery(limit: .max), in: list).elements
      let memory = LoadedTodos(all, days: days)
      for _ in 0..<12 { try compare(store, memory, all, query(&random)) }
    }
  }

  private func compare(
    _ store: SQLiteStore, _ memory: LoadedTodos, _ all: [Todo], _ query: TodoQuery
  ) throws {
    let expected = try memory.todos(query, in: list)
    let text = "\(query.text ?? "") \(query.sort) \(String(describing: query.isDone))"
    let found = try store.todos(query, in: list)
    #expect(found.elements.map(\.id) == expected.elements.map(\.id), "\(text)")
    #expect(found.total == expected.total, "\(text)")
    if let todo = all.first(where: { !expected.elements.contains($0) }) ?? all.last {
      let position = try store.position(of: todo.id, query, in: list)
      #expect(position == (try memory.position(of: todo.id, query, in: list)), "\(text)")
    }
  }

  private func change(
    _ store: SQLiteStore, _ random: inout RandomTexts, number: Int64
  ) throws {
    let ids = try store.rows(TodoQuery(), in: list).elements.map(\.id)
    switch (random.below(9), random.pick(ids)) {
    case (0, let id?): try store.remove(id, expectedVersion: nil, in: list)
    case (1, let id?): _ = try store.edit(id, TodoEdit(isDone: random.flag()), in: list)
    case (2, _?): _ = try? store.undo(in: list)
    case (3, _):
      try store.mergeRemote(
        [.sample(number, title: random.pick(Self.titles), details: details(&random))], to: list)
    case (4, _):
      try store.mergeRemote(
        [.sample(number, isClosed: random.flag(), details: details(&random))], to: list)
    case (5, let id?), (6, let id?):
      _ = try store.edit(id, TodoEdit(checking: fields(&random)), in: list)
    default:
      let title = random.pick(Self.titles) ?? ""
      _ = try store.add(NewTodo(title: title), to: list)
    }
  }

  private func details(_ random: inout RandomTexts) -> SourceDetails? {
    let due = random.pick(Self.dates).flatMap { DateInput.parse($0, today: .sample) }
    return SourceDetails(
      assignees: ["ann", "Bob", "ärger"].filter { _ in random.flag() },
      milestone: random.flag() ? random.pick(Self.labels) : nil, comments: random.below(4),
      due: random.flag() ? due : nil)
  }

  private func fields(_ random: inout RandomTexts) -> FieldChanges {
    var changes = FieldChanges()
    if random.flag(), let text = random.pick(Self.dates) {
      changes[DueField.self] = .some(DateInput.parse(text, today: .sample))
    }
    if random.flag() {
      changes[LabelField.self] = LabelSet(
        (0..<random.below(3)).compactMap { _ in random.pick(Self.labels) })
    }
    if random.flag() { changes[PriorityField.self] = .some(random.pick(Priority.allCases)) }
    if random.below(4) == 0 { changes[PriorityField.self] = .some(nil) }
    return changes
  }

  private func query(_ random: inout RandomTexts) -> TodoQuery {
    let qualifiers = [
      "is:open", "is:done", "is:pending", "is:conflict", "is:failed", "is:overdue", "label:home",
      "label:WORK,\"two words\"", "label:missing", "no:label", "due:today", "due:week", "due:none",
      "due:<today", "due:>=2026-11-30", "due:2026-11-20..2026-11-28", "due:eom..today", "number:1",
      "priority:high",
      "priority:low", "priority:none",
      "number:3", "assignee:bob", "assignee:ANN,Ärger", "milestone:home,work", "comments:0",
      "comments:>1", "comments:<2", "comments:1..2", "comments:<0", "comments:>=0",
    ]
    let words = (0..<random.below(4)).compactMap { _ -> String? in
      if random.below(4) == 0 { return random.pick(["mil", "b", "zz"]) }
      return (random.below(3) == 0 ? "-" : "") + (random.pick(qualifiers) ?? "")
    }
    let key = random.pick(TodoSort.Key.allCases) ?? .order
    return TodoQuery(
      text: words.joined(separator: " "), isDone: random.pick([nil, nil, true, false]) ?? nil,
      sort: TodoSort(key, isDescending: random.flag()), offset: random.below(3), limit: 10)
  }

  /// Cached results become invalid even if only the sync state changes.
  @Test func conditionsFollowTheSync() throws {
    let store = try makeStore()
    try store.mergeRemote([.sample(1)], to: list)
    let id = try #require(try store.rows(TodoQuery(), in: list).elements.first).id
    func total(_ text: String) throws -> Int {
      try store.rows(TodoQuery(text: text), in: list).total
    }
    #expect(try (total("is:pending"), total("-is:pending")) == (0, 1))
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: list)
    #expect(try (total("is:pending"), total("-is:pending")) == (1, 0))
    try store.mergeRemote([.sample(1, title: "Mine")], to: list)
    #expect(try (total("is:pending"), total("-is:pending")) == (0, 1))
  }

  @Test func isDraftFindsTodosWithUnsavedText() throws {
    let store = try makeStore()
    let todo = try store.add(NewTodo(title: "With a draft"), to: list)
    _ = try store.add(NewTodo(title: "Without"), to: list)
    func titles(_ text: String) throws -> [String] {
      try store.rows(TodoQuery(text: text), in: list).elements.map(\.title)
    }
    #expect(try titles("is:draft").isEmpty)
    let base = EditBase(list: list, id: todo.id, version: todo.version)
    let changes = FieldChanges(TodoContent(title: "Typed"), fields: [.title])
    let draft = Draft(base: base, edit: .fields(changes))
    try store.addDraft(UnsavedText(draft, title: "With a draft"), at: .now)
    #expect(try titles("is:draft") == ["With a draft"])
    #expect(try titles("-is:draft") == ["Without"])
  }

  @Test func wrongValueIsRefusedByEveryRead() throws {
    let store = try makeStore()
    _ = try store.add(NewTodo(title: "Milk"), to: list)
    let query = TodoQuery(text: "is:late")
    for read in [TodoRead.todos(query), .rows(query), .position(TodoID("t1"), query)] {
      let error = #expect(throws: TodoError.self) { try store.answer(read, in: list) }
      #expect(error?.kind == .validation)
      #expect(throws: TodoError.self) { try store.isSlow(read, in: list) }
    }
  }
}
