import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoAccounts
@testable import TodoDatabase
@testable import TodoStores

/// Tests that a file of todo-server 0.1.0 is complete after the update.
@Suite struct SchemaUpdateTests {
  let folder = TemporaryFolder()
  let local = TodoListKey.local
  let source = TodoListKey.source

  private var path: String { folder.path("todos.sqlite") }

  /// Opens the store that the program of schema 4 created. It contains a local list with a history,
  /// a list of a source with todos that were changed locally, remotely or on both sides, and an
  /// account.
  private func open() throws -> SQLiteStore {
    if RecordedResponse.bytes(of: path) == nil {
      try #require(StoreFixture(version: 4).copy(to: path))
    }
    return try SQLiteStore(at: .file(path), environment: .counting())
  }

  @Test func localListIsPreserved() throws {
    let store = try open()
    let todos = try store.todos(TodoQuery(), in: local).elements
    #expect(
      todos.map(\.content) == [
        TodoContent(title: "明日牛乳を買う", note: "👩‍👩‍👧", isDone: false),
        TodoContent(title: "Straße fegen", note: "fegen!", isDone: false),
        TodoContent(title: "Buy oat milk", note: "Two litres", isDone: true),
      ])
    #expect(todos.map(\.version) == [3, 2, 3])
    #expect(todos.map(\.id.text) == ["kgx6be6phmwtwsm1", "378rx1yb4cmtdsrp", "324xcx0aqr3vnprb"])
    #expect(todos[2].createdAt == Timestamp(milliseconds: 1_795_325_755_582))
    #expect(try store.rows(TodoQuery(isDone: true), in: local).total == 1)
  }

  @Test func listOfASourceIsPreserved() throws {
    let store = try open()
    let todos = try store.todos(TodoQuery(), in: source).elements
    #expect(
      todos.map(\.content.title) == [
        "Added here", "New 7", "Mine 6", "Issue 4", "Issue 3", "Issue 2", "Mine 1",
      ])
    #expect(todos.map { $0.origin?.number } == [nil, 7, 6, 4, 3, 2, 1])
    #expect(
      todos.map(\.sync) == [
        .pending, .synced, .pending, .pending, .synced, .pending, .conflict,
      ])
    let outgoing = try store.outgoing(in: source, failed: false)
    #expect(Set(outgoing.map { $0.key ?? "new" }) == ["6", "5", "4", "2", "new"])
    #expect(outgoing.first { $0.key == "5" }?.isRemoved == true)
    #expect(try store.counts(of: source) == SyncCounts(pending: 5, conflicts: 1))
    let conflict = try #require(try store.conflict(of: todos[6].id, in: source))
    #expect(conflict.merge.base?.title == "Issue 1")
    #expect(conflict.merge.mine.title == "Mine 1")
    #expect(conflict.merge.theirs.title == "Theirs 1")
    #expect(conflict.merge.conflicts == [.title])
  }

  /// A list stays the same if its repository name is spelled differently, and its next load
  /// continues where the last one ended.
  @Test func nextLoadRecognizesEveryIssue() throws {
    let store = try open()
    let items = (1...9).map { RemoteItem(.sample($0, title: "Issue \($0)")) }
    _ = try store.mergeRemote(items, of: nil, to: source)
    let todos = try store.todos(TodoQuery(), in: source).elements
    #expect(todos.map { $0.origin?.number } == [nil, 9, 8, 7, 6, 4, 3, 2, 1])
    let remote = try store.database.withWriter { connection throws(TodoError) in
      try connection.texts("SELECT base_url || ' ' || address FROM remote")
    }
    #expect(remote == ["https://api.github.com octo/tasks"])
  }

  @Test func changesBeforeTheUpdateCanBeUndoneAndRedone() throws {
    let store = try open()
    #expect(try store.redo(in: local).todo?.content.note == "x")
    for _ in 0..<9 { _ = try store.undo(in: local) }
    #expect(try store.rows(TodoQuery(), in: local).total == 0)
    #expect(throws: TodoError.nothingToUndo) { try store.undo(in: local) }
    for _ in 0..<9 { _ = try store.redo(in: local) }
    #expect(try store.rows(TodoQuery(), in: local).total == 3)
  }

  @Test func todosCanBeSearched() throws {
    let store = try open()
    for (typed, count) in [("strasse", 1), ("牛乳", 1), ("oat", 1), ("gone", 0)] {
      #expect(try store.rows(TodoQuery(text: typed), in: local).total == count, "\(typed)")
    }
    try store.database.withWriter { connection throws(TodoError) in
      try connection.execute(
        "INSERT INTO todo_text (todo_text, rank) VALUES ('integrity-check', 1)")
      #expect(try connection.texts("PRAGMA integrity_check") == ["ok"])
      #expect(try connection.texts("PRAGMA foreign_key_check") == [])
      #expect(try connection.texts("PRAGMA foreign_keys") == ["1"])
    }
  }

  @Test func accountKeepsItsPassword() async throws {
    let store = try open()
    let accounts = EmbeddedAccounts(database: store.database, environment: .counting())
    try await accounts.authenticate(name: "bobby tables", password: Secret("correct horse"))
    let wrong = await failure {
      try await accounts.authenticate(name: "bobby tables", password: Secret("wrong horse"))
    }
    #expect(wrong == .invalidCredentials)
  }

  /// Version 5 had everything except documents and the time of the last load.
  @Test func updateFromVersionFiveAddsTables() throws {
    let path = folder.path("5.sqlite")
    let list = TodoListKey.local
    do {
      let store = try SQLiteStore(at: .file(path), environment: .counting())
      _ = try store.add(try NewTodo(title: "Milk"), to: list)
      try store.database.withWriter { connection throws(TodoError) in
        let tables = try connection.texts(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'document%'")
        #expect(tables.count == 7)
        try connection.execute(Self.toVersionNine)
        for table in ["document_text"] + tables.reversed() {
          try connection.execute("DROP TABLE \(table)")
        }
        try connection.execute("ALTER TABLE remote DROP COLUMN loaded_at")
        try connection.execute(Self.toVersionEight)
        try connection.execute("PRAGMA user_version = 5")
      }
    }
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    _ = try store.openDocument("/todos.md", in: list)
    #expect(
      try store.readDocument("/todos.md", in: list).todos.map(\.content.title) == ["Milk"])
    #expect(FileTree.names(in: folder.path).count { $0.hasSuffix(".schema-5") } == 1)
  }

  /// Version 6 had no record of documents that are open in editors.
  @Test func updateFromVersionSixAddsLeasesOfEditors() throws {
    let path = folder.path("6.sqlite")
    let list = TodoListKey.local
    do {
      let store = try SQLiteStore(at: .file(path), environment: .counting())
      _ = try store.openDocument("/todos.md", in: list)
      try store.database.withWriter { connection throws(TodoError) in
        try connection.execute(Self.toVersionNine)
        try connection.execute(Self.toVersionEight)
        try connection.execute(Self.toVersionSeven)
        try connection.execute("DROP TABLE document_editor")
        try connection.execute("PRAGMA user_version = 6")
      }
    }
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    let newest = try store.leaseDocument("/todos.md", in: list)
    // The holder of the lease is not blocked by it.
    #expect(try !store.isDocumentBorrowed("/todos.md", in: list))
    let generation = DocumentGeneration(number: 0)
    #expect(try store.appendGeneration(generation, of: "/todos.md", in: list) == newest + 1)
    #expect(try store.appendGeneration(generation, of: "/todos.md", in: list) == newest + 2)
    #expect(try store.openDocument("/todos.md", in: list) == newest + 2)
    try store.releaseDocument("/todos.md", in: list)
  }

  /// Version 7 stored one range of generations for each plain line. It assumed that a line is shown
  /// by consecutive generations of its document.
  @Test func updateFromVersionSevenKeepsPlainLines() throws {
    let path = folder.path("7.sqlite")
    let list = TodoListKey.local
    var generation = DocumentGeneration(number: 0, texts: [1: 17])
    let number: Int64
    do {
      let store = try SQLiteStore(at: .file(path), environment: .counting())
      _ = try store.openDocument("/todos.md", in: list)
      let line = NewLine("A line", AdditionKey(digest: 17, occurrence: 1))
      let change = DocumentChange.addLines([line], .first)
      _ = try store.saveDocument(
        DocumentSave(path: "/todos.md", generation: 0, changes: [change]), in: list)
      number = try store.appendGeneration(generation, of: "/todos.md", in: list)
      try store.database.withWriter { connection throws(TodoError) in
        try connection.execute(Self.toVersionNine)
        try connection.execute(Self.toVersionEight)
        try connection.execute(Self.toVersionSeven)
        try connection.execute("PRAGMA user_version = 7")
      }
    }
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    #expect(try store.generation(number, of: "/todos.md", in: list)?.texts == [1: 17])
    generation.texts = [:]
    let next = try store.appendGeneration(generation, of: "/todos.md", in: list)
    #expect(try store.generation(number, of: "/todos.md", in: list)?.texts == [1: 17])
    #expect(try store.generation(next, of: "/todos.md", in: list)?.texts == [:])
  }

  @Test func updateFromVersion21AddsLabelsOfSources() throws {
    let path = folder.path("21.sqlite")
    do {
      let store = try SQLiteStore(at: .file(path), environment: .counting())
      _ = try store.add(NewTodo(title: "one"), to: .source)
      try store.database.withWriter { connection throws(TodoError) in
        try connection.execute(
          """
          DROP TABLE source_label; DROP TABLE source_label_read; DROP TABLE discovered_list;
          DROP TABLE mark;
          ALTER TABLE remote DROP COLUMN fields; ALTER TABLE remote DROP COLUMN is_read_only;
          ALTER TABLE todo DROP COLUMN must_be_read;
          """)
        try connection.execute("PRAGMA user_version = 21")
      }
    }
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    #expect(try store.labelsReadAt(of: .source) == nil)
    let now = Timestamp(milliseconds: 7)
    try store.record(labels: LabelSet(["bug"]), at: now, of: .source)
    #expect(try store.labels(in: .source) == ["bug"])
    #expect(try store.labelsReadAt(of: .source) == now)
  }

  /// Version 22 did not record which items must be read again.
  @Test func updateFromVersion22ReadsMissingItemsAgain() throws {
    let path = folder.path("22.sqlite")
    let edited: TodoID
    do {
      let store = try SQLiteStore(at: .file(path), environment: .counting())
      let item = RemoteItem(
        key: "7", url: "https://tasks.example/7", content: TodoContent(title: "one"), fields: .all,
        order: 7)
      _ = try store.mergeRemote([item], of: nil, to: .source)
      edited = try #require(try store.todos(TodoQuery(), in: .source).elements.first).id
      _ = try store.edit(edited, TodoEdit(title: "two"), in: .source)
      _ = try store.mergeRemote(deleted: ["7"], to: .source)
      try store.database.withWriter { connection throws(TodoError) in
        try connection.execute(
          "DROP TABLE mark; ALTER TABLE todo DROP COLUMN must_be_read; PRAGMA user_version = 22")
      }
    }
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    #expect(try store.edit(edited, TodoEdit(title: "one"), in: .source).sync == .pending)
  }

  private static let toVersionNine = """
    DROP TABLE mark;
    DROP TABLE discovered_list;
    DROP TABLE view_todo;
    DROP TABLE source_label;
    DROP TABLE source_label_read;
    DROP TABLE remote;
    CREATE TABLE remote (list INTEGER PRIMARY KEY, kind TEXT NOT NULL, base_url TEXT NOT NULL,
      address TEXT NOT NULL, path TEXT, cursor TEXT, synced_at INTEGER, generation INTEGER NOT NULL,
      finished_generation INTEGER NOT NULL, load_next TEXT, load_page_count INTEGER NOT NULL,
      load_cursor TEXT, load_started_at INTEGER, load_ended_at INTEGER, loaded_at INTEGER);
    DROP TABLE seen;
    CREATE TABLE seen (list INTEGER NOT NULL, generation INTEGER NOT NULL,
      remote_key TEXT NOT NULL, PRIMARY KEY (list, generation, remote_key)) WITHOUT ROWID;
    DROP INDEX todo_source_order;
    ALTER TABLE document_generation DROP COLUMN last_move;
    CREATE TABLE document_text (id INTEGER PRIMARY KEY, document INTEGER NOT NULL,
      place INTEGER NOT NULL, text TEXT NOT NULL, below TEXT,
      is_removed INTEGER NOT NULL DEFAULT 0);
    INSERT INTO document_text (id, document, place, text, is_removed)
      SELECT plain_line.id, document.id, place, text, is_removed
      FROM plain_line JOIN document ON document.list = plain_line.list;
    DROP TABLE plain_line;
    DROP TABLE due_day;
    DROP TRIGGER due_day_added;
    DROP TRIGGER due_day_deleted;
    DROP TRIGGER due_day_left;
    DROP TRIGGER due_day_joined;
    DROP INDEX todo_priority;
    DROP INDEX todo_agenda;
    DROP TABLE exported;
    DROP TABLE label;
    DROP INDEX todo_due;
    DROP INDEX todo_done;
    DROP TABLE detail;
    DROP TRIGGER todo_counted_again;
    ALTER TABLE todo DROP COLUMN source_details;
    ALTER TABLE todo DROP COLUMN effective_due;
    ALTER TABLE todo DROP COLUMN source_order;
    ALTER TABLE todo DROP COLUMN must_be_read;
    CREATE TRIGGER todo_counted_again AFTER UPDATE OF title ON todo BEGIN SELECT 1; END;
    ALTER TABLE todo DROP COLUMN due;
    ALTER TABLE todo DROP COLUMN labels;
    ALTER TABLE todo DROP COLUMN priority;
    DROP TABLE draft;
    DROP TABLE draft_file;
    DROP TABLE change;
    DROP TABLE delivery;
    DROP TABLE outbox;
    DROP TABLE document_held;
    ALTER TABLE list ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE document_deed RENAME COLUMN entry TO name;
    UPDATE document_deed SET name = substr(name, 6);
    CREATE TABLE delivery (todo INTEGER NOT NULL, side TEXT NOT NULL, title TEXT NOT NULL,
      note TEXT NOT NULL, is_done INTEGER NOT NULL, PRIMARY KEY (todo, side));
    CREATE TABLE todo_version (list INTEGER NOT NULL, sequence INTEGER NOT NULL,
      todo INTEGER NOT NULL, version INTEGER NOT NULL, title TEXT NOT NULL, note TEXT,
      is_done INTEGER NOT NULL, PRIMARY KEY (list, sequence));
    CREATE TABLE step (list INTEGER NOT NULL, sequence INTEGER NOT NULL, turn INTEGER NOT NULL,
      session INTEGER NOT NULL, is_undone INTEGER NOT NULL, name TEXT NOT NULL,
      here INTEGER NOT NULL, there INTEGER NOT NULL, is_removed INTEGER NOT NULL,
      is_done INTEGER NOT NULL, title TEXT, note TEXT, PRIMARY KEY (list, sequence));
    CREATE TABLE outbox (todo INTEGER PRIMARY KEY, what TEXT NOT NULL, sent_at INTEGER NOT NULL,
      title TEXT NOT NULL, note TEXT NOT NULL, is_done INTEGER NOT NULL);
    CREATE TABLE document_held (document INTEGER NOT NULL, name TEXT NOT NULL,
      digest INTEGER NOT NULL, title TEXT NOT NULL, note TEXT NOT NULL, is_done INTEGER NOT NULL,
      PRIMARY KEY (document, name, digest));
    """

  private static let toVersionEight = """
    ALTER TABLE remote ADD COLUMN validator_url TEXT;
    ALTER TABLE remote ADD COLUMN validator TEXT;
    ALTER TABLE remote ADD COLUMN validator_token INTEGER;
    """

  private static let toVersionSeven = """
    ALTER TABLE document_text ADD COLUMN digest INTEGER;
    ALTER TABLE document_text ADD COLUMN since INTEGER;
    ALTER TABLE document_text ADD COLUMN until INTEGER;
    UPDATE document_text SET (digest, since, until) = (
      SELECT digest, since, until FROM document_text_span WHERE text = document_text.id);
    DROP TABLE document_text_span;
    """
}

extension Connection {
  /// Returns the first column of each row.
  fileprivate func texts(_ sql: String) throws(TodoError) -> [String] {
    try Statement(sql, on: self).all { row in row.text(0) }
  }
}
