import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests due dates and labels in a store: columns, history and sync.
@Suite struct FieldStoreTests {
  let folder = TemporaryFolder()
  let store: SQLiteStore

  init() throws {
    store = try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting())
  }

  private func other() throws -> SQLiteStore {
    try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting(idsFrom: 100))
  }

  private func edit(
    labels: [String]? = nil, due: String? = nil, priority: Priority? = nil
  ) throws -> TodoEdit {
    var changes = FieldChanges()
    if let priority { changes[PriorityField.self] = priority }
    changes[LabelField.self] = labels.map { LabelSet($0) }
    changes[DueField.self] = due.map { DueDate($0) }
    return try TodoEdit(checking: changes)
  }

  private func add(
    _ title: String, labels: [String] = [], due: String? = nil, to list: TodoListKey = .local
  ) throws -> Todo {
    let content = TodoContent(
      title: title, due: due.flatMap { DueDate($0) }, labels: LabelSet(labels))
    return try store.add(try NewTodo(content), to: list)
  }

  private func labelRows() throws -> [String] {
    try store.withConnection { connection throws(TodoError) in
      try connection.texts(
        """
        SELECT todo.name || ' ' || key || ' ' || text FROM label JOIN todo ON todo.id = todo
          AND label.list = todo.list ORDER BY 1
        """)
    }
  }

  @Test func fieldsAreStoredAndRead() throws {
    let todo = try add(
      "a", labels: ["Bug", "two words", "ä\u{1F600}\"\\"], due: "2026-12-01T17:30")
    _ = try store.add(
      NewTodo(TodoContent(title: "b", due: DueDate("2026-02-28"), priority: .low)), to: .local)
    #expect(
      try store.todos(TodoQuery(), in: .local).elements.map(\.content.priority) == [.low, nil])
    let read = try store.todo(todo.id, in: .local).content
    #expect(read == todo.content)
    let rows = try store.rows(TodoQuery(), in: .local).elements
    #expect(rows.map(\.due) == [DueDate("2026-02-28"), DueDate("2026-12-01T17:30")])
    #expect(rows.map(\.labels) == [LabelSet(), todo.content.labels])
    let texts = try store.withConnection { connection throws(TodoError) in
      try connection.texts("SELECT due FROM todo WHERE due < '2026-12-02' ORDER BY due")
    }
    #expect(texts == ["2026-02-28", "2026-12-01T17:30"])
  }

  @Test func labelTableFollowsTheTodos() throws {
    let (a, b) = (try add("a", labels: ["Bug", "ui"]), try add("b", labels: ["bug"]))
    #expect(try labelRows() == ["\(a.id) bug Bug", "\(a.id) ui ui", "\(b.id) bug bug"])
    _ = try store.edit(a.id, try edit(labels: ["ui", "New"]), in: .local)
    #expect(try labelRows() == ["\(a.id) new New", "\(a.id) ui ui", "\(b.id) bug bug"])
    _ = try store.undo(in: .local)
    #expect(try labelRows() == ["\(a.id) bug Bug", "\(a.id) ui ui", "\(b.id) bug bug"])
    let plan = try store.withConnection { connection throws(TodoError) in
      try Statement(
        "EXPLAIN QUERY PLAN SELECT todo FROM label WHERE list = 1 AND key = 'bug'", on: connection
      ).all { $0.text(3) }
    }
    #expect(plan == ["SEARCH label USING PRIMARY KEY (list=? AND key=?)"])
  }

  @Test func labelsOfAListAreKnown() throws {
    #expect(try store.labels(in: .local) == [])
    for number in 0..<120 {
      _ = try add("a", labels: ["Common", "label\(100 + number)"])
    }
    let labels = try store.labels(in: .local)
    #expect(labels.count == LabelField.suggestionsMax)
    #expect(labels.starts(with: ["Common", "label100", "label101"]))
    #expect(try store.labels(in: .source) == [])
  }

  @Test func undoOfLabelsIsAMerge() throws {
    let todo = try add("a", labels: ["keep", "old"])
    _ = try store.edit(todo.id, try edit(labels: ["keep", "mine"]), in: .local)
    let theirs = try other()
    let now = try theirs.todo(todo.id, in: .local).content.labels.union(LabelSet(["theirs"]))
    _ = try theirs.edit(todo.id, try edit(labels: now.texts), in: .local)
    let undone = try #require(try store.undo(in: .local).todo)
    #expect(undone.content.labels.texts == ["keep", "old", "theirs"])
    let redone = try #require(try store.redo(in: .local).todo)
    #expect(redone.content.labels.texts == ["keep", "mine", "theirs"])
  }

  @Test func undoOfADueDateThatWasChangedSinceIsAConflict() throws {
    let todo = try add("a", due: "2026-12-01")
    _ = try store.edit(todo.id, try edit(due: "2026-12-02"), in: .local)
    _ = try other().edit(todo.id, try edit(due: "2026-12-03"), in: .local)
    let conflict = #expect(throws: TodoError.self) { try store.undo(in: .local) }?.conflict
    #expect(conflict?.base?.due == DueDate("2026-12-02"))
    #expect(conflict?.mine.due == DueDate("2026-12-01"))
    #expect(conflict?.theirs.due == DueDate("2026-12-03"))
  }

  // MARK: Sources

  @Test func fieldsThatASourceLacksStayLocal() throws {
    try store.mergeRemote([.sample(1), .sample(2)], to: .source)
    let id = try #require(
      try store.todos(TodoQuery(), in: .source).elements.first { $0.origin?.number == 1 }
    ).id
    let edited = try store.edit(
      id, try edit(due: "2026-12-01", priority: .high), in: .source)
    #expect(edited.sync == .synced)
    #expect(try store.outgoing(in: .source, failed: false) == [])
    #expect(try store.counts(of: .source) == SyncCounts())
    // Loads and remote changes do not change these fields.
    try store.load([.sample(1), .sample(2)], to: .source)
    try store.load([.sample(1, title: "Theirs"), .sample(2)], to: .source)
    let after = try store.todo(id, in: .source)
    #expect(after.content.title == "Theirs" && after.sync == .synced)
    #expect(after.content.priority == .high && after.content.due == DueDate("2026-12-01"))
    #expect(after.version == edited.version + 1)
  }

  @Test func localFieldsAreNotPartOfAConflictOrAPush() throws {
    try store.mergeRemote([.sample(1)], to: .source)
    let id = try #require(try store.todos(TodoQuery(), in: .source).elements.first).id
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: .source)
    _ = try store.edit(id, try edit(due: "2026-12-01", priority: .high), in: .source)
    let outgoing = try #require(try store.outgoing(id, in: .source))
    #expect(outgoing.base.map { outgoing.content.fields(differingFrom: $0) } == [.title])
    #expect(try store.plan(for: .source).map(\.fields) == [[.title]])
    try store.mergeRemote([.sample(1, title: "Theirs")], to: .source)
    let conflict = try #require(try store.conflict(of: id, in: .source))
    #expect(conflict.merge.conflicts == [.title])
    let todo = try store.resolve(
      id, version: conflict.version, to: .keep(.theirs), in: .source)
    // The resolution counts only after the item was read again.
    #expect(todo.sync == .pending)
    #expect(
      try store.recordReceived(
        RemoteItem(.sample(1, title: "Theirs")), for: id, isAnswer: false, in: .source) == nil)
    #expect(try store.todo(id, in: .source).sync == .synced)
    #expect(todo.content.priority == .high && todo.content.due == DueDate("2026-12-01"))
  }

  @Test func removedTodoReturnsWithItsLocalFields() throws {
    try store.mergeRemote([.sample(1)], to: .source)
    let id = try #require(try store.todos(TodoQuery(), in: .source).elements.first).id
    _ = try store.edit(id, try edit(due: "2026-12-01", priority: .high), in: .source)
    try store.remove(id, expectedVersion: nil, in: .source)
    let restored = try #require(try store.undo(in: .source).todo)
    #expect(restored.content.priority == .high && restored.sync == .synced)
    try store.load([], to: .source)
    #expect(try store.rows(TodoQuery(), in: .source).total == 0)
    try store.mergeRemote([.sample(1)], to: .source)
    #expect(try store.todo(id, in: .source).content.priority == .high)
  }

  // MARK: Exchange

  private func imported(_ text: String, into store: SQLiteStore) throws -> ImportReport {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    fputs(text, file)
    rewind(file)
    return try store.importLines(LineReader(descriptor: fileno(file)), profile: nil)
  }

  private func exported(_ store: SQLiteStore) throws -> String {
    var text = ""
    try store.exportLines(of: .all) { bytes in
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @Test func exportAndImportKeepFields() throws {
    let todo = try add("a", labels: ["Bug", "two words"], due: "2026-12-01T17:30")
    _ = try add("b")
    try store.mergeRemote([.sample(1)], to: .source)
    let id = try #require(try store.todos(TodoQuery(), in: .source).elements.first).id
    _ = try store.edit(id, TodoEdit(title: "Mine"), in: .source)
    _ = try store.edit(id, try edit(labels: ["bug"], due: "2026-12-02"), in: .source)
    // Merges can lead to more labels than a user may enter.
    let many = LabelSet((0..<100).map { "l\($0)" })
    _ = try store.edit(todo.id, try edit(labels: many.texts), in: .local)
    var other = try edit(labels: ["Bug", "two words", "late"])
    other.expectedVersion = todo.version
    let merged = try store.edit(todo.id, other, in: .local)
    #expect(merged.content.labels.count == 101)

    let text = try exported(store)
    let copy = try SQLiteStore(
      at: .file(folder.path("copy.sqlite")), environment: .counting(idsFrom: 500))
    _ = try imported(text, into: copy)
    #expect(try exported(copy) == text)
    #expect(try copy.todo(id, in: .source).content.labels.texts == ["bug"])
    let rows = try copy.withConnection { connection throws(TodoError) in
      try connection.number("SELECT count(*) FROM label")
    }
    #expect(rows == 102)
  }

  @Test(arguments: [
    (#""due":"2026-02-30""#, "due"), (#""due":"tomorrow""#, "due"), (#""due":5"#, "due"),
    (#""priority":"urgent""#, "priority"),
    (#""labels":["a\nb"]"#, "label"), (#""labels":"bug""#, "labels"), (#""labels":[1]"#, "labels"),
  ])
  func importWithABadFieldStoresNothing(_ members: String, _ word: String) throws {
    let text = """
      {"format":"todo-server","version":1}
      {"list":{"name":"ann","source":"local"}}
      {"title":"good","due":"2026-12-01","labels":["a"]}
      {"title":"bad",\(members)}

      """
    let error = #expect(throws: TodoError.self) { _ = try imported(text, into: store) }
    #expect(error?.message.contains("4") == true && error?.message.contains(word) == true)
    #expect(try store.rows(TodoQuery(), in: .local).total == 0)
  }
}
