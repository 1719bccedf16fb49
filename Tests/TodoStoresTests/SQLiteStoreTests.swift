import CSQLite
import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

/// What a file adds to a store: folders, modes, schema versions, other programs, damage.
@Suite struct SQLiteStoreTests {
  let folder = TemporaryFolder()
  let list = TodoListKey.local

  private func open(_ name: String = "todos.sqlite") throws -> SQLiteStore {
    try SQLiteStore(at: .file(folder.path(name)), environment: .counting())
  }

  private func mode(of path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
  }

  private func write(_ text: String, to name: String) {
    let file = fopen(folder.path(name), "wb")
    fputs(text, file)
    if let file { fclose(file) }
  }

  /// The sentence that opening fails with.
  private func refusal(_ name: String = "todos.sqlite") -> String? {
    do {
      _ = try open(name)
      return nil
    } catch {
      let error = error as? TodoError
      #expect(error?.kind == .storage)
      return error?.message
    }
  }

  @Test func whatIsMadeBelongsToItsOwner() throws {
    let store = try open("a/b/todos.sqlite")
    _ = try store.add(TodoDraft(title: "t"), to: list)
    #expect(mode(of: folder.path("a")) == 0o700)
    #expect(mode(of: folder.path("a/b")) == 0o700)
    for suffix in ["", "-wal", "-shm"] {
      #expect(mode(of: folder.path("a/b/todos.sqlite" + suffix)) == 0o600)
    }
  }

  @Test func aChangeIsThereAfterReopening() throws {
    let id = try open().add(TodoDraft(title: "t", note: "n"), to: list).id
    _ = try open().edit(id, TodoEdit(isDone: true), in: list)
    let todo = try open().todo(id, in: list)
    #expect(todo.content == TodoContent(title: "t", note: "n", isDone: true))
    #expect(todo.version == 2)
  }

  @Test func writesAreDurable() throws {
    let store = try open()
    let settings = try store.withConnection { connection throws(TodoError) in
      try ["journal_mode", "synchronous", "foreign_keys"].map { name throws(TodoError) in
        try connection.texts("PRAGMA \(name)").first
      }
    }
    #expect(settings == ["wal", "2", "1"])
  }

  @Test func twoStoresOnOneFileSeeEachOther() throws {
    let (one, two) = (try open(), try open())
    let todo = try one.add(TodoDraft(title: "t"), to: list)
    _ = try two.edit(todo.id, TodoEdit(title: "u"), in: list)
    #expect(try one.todo(todo.id, in: list).content.title == "u")
    let stale = try TodoEdit(title: "v", expectedVersion: 1)
    let error = #expect(throws: TodoError.self) { try one.edit(todo.id, stale, in: list) }
    #expect(error?.conflict?.base?.title == "t")
  }

  @Test func manyOpenAndWriteAtOnce() async throws {
    let path = folder.path("todos.sqlite")
    let list = list
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          let store = try SQLiteStore(at: .file(path), environment: .counting())
          for index in 0..<25 {
            let key = TodoListKey(profile: "p\(writer)", source: "")
            _ = try store.add(TodoDraft(title: "\(index)"), to: key)
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try open()
    for writer in 0..<4 {
      let key = TodoListKey(profile: "p\(writer)", source: "")
      #expect(try store.rows(TodoQuery(), in: key).total == 25)
    }
    #expect(try store.rows(TodoQuery(), in: list).total == 0)
  }

  @Test func aNewerSchemaIsLeftAlone() throws {
    try open().withConnection { connection throws(TodoError) in
      try connection.execute("PRAGMA user_version = 99")
    }
    let message = try #require(refusal())
    #expect(message.contains("newer version of todo-server (schema 99"))
    #expect(message.contains("Update todo-server"))
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    var database: OpaquePointer?
    sqlite3_open(folder.path("todos.sqlite"), &database)
    sqlite3_exec(database, "CREATE TABLE secrets (x)", nil, nil, nil)
    sqlite3_close(database)
    #expect(refusal()?.contains("another program") == true)
  }

  @Test func aFolderIsNoFile() {
    mkdir(folder.path("todos.sqlite"), 0o700)
    #expect(refusal()?.contains("is a folder") == true)
    write("", to: "file")
    #expect(refusal("file/todos.sqlite")?.contains("is not a folder") == true)
    #expect(throws: TodoError.self) {
      try SQLiteStore(at: .file(""), environment: .counting())
    }
  }

  @Test func anEmptyFileBecomesADatabase() throws {
    write("", to: "todos.sqlite")
    _ = try open().add(TodoDraft(title: "t"), to: list)
  }

  @Test func aFullDiskLosesNothing() throws {
    let store = try open()
    let todo = try store.add(TodoDraft(title: "before"), to: list)
    try store.withConnection { connection throws(TodoError) in
      try connection.execute("PRAGMA max_page_count = 1")
    }
    let large = String(repeating: "x", count: 500_000)
    let edit = try TodoEdit(title: "after", note: large)
    let error = #expect(throws: TodoError.self) { try store.edit(todo.id, edit, in: list) }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains("disk is full") == true)
    #expect(try store.todo(todo.id, in: list) == todo)
    try store.withConnection { connection throws(TodoError) in
      try connection.execute("PRAGMA max_page_count = 1000000")
    }
    #expect(try store.edit(todo.id, edit, in: list).content.note == large)
  }

  @Test func aFileThatVanishedIsNoticed() throws {
    let store = try open()
    _ = try store.add(TodoDraft(title: "t"), to: list)
    rename(folder.path("todos.sqlite"), folder.path("elsewhere"))
    let error = #expect(throws: TodoError.self) {
      try store.add(TodoDraft(title: "lost"), to: list)
    }
    #expect(error?.message.contains("moved or deleted") == true)
  }

  @Test(arguments: [
    (SQLITE_FULL, "disk is full"), (SQLITE_READONLY, "read-only"), (SQLITE_PERM, "permission"),
    (SQLITE_CANTOPEN, "cannot be opened"), (SQLITE_BUSY, "in use by another program"),
    (SQLITE_LOCKED, "in use by another program"), (SQLITE_IOERR | (3 << 8), "Check the disk"),
    (SQLITE_CORRUPT | (1 << 8), "damaged"), (SQLITE_NOTADB, "not a database"),
    (SQLITE_NOMEM, "memory"), (SQLITE_MISMATCH, "datatype mismatch"),
  ])
  func everyFailureIsASentence(code: Int32, words: String) {
    let error = StorageFailure(name: "/x/todos.sqlite").error(code)
    #expect(error.kind == .storage)
    #expect(error.message.contains(words))
  }

  @Test func rowsReadNoNotes() throws {
    let store = try open()
    let plan = try store.withConnection { connection throws(TodoError) in
      try Statement(
        """
        EXPLAIN QUERY PLAN SELECT \(PageReader.Part.row.columns) FROM todo
        WHERE todo.list = ? AND todo.is_removed = 0 ORDER BY todo.place, todo.id LIMIT 50
        """, on: connection
      ).all(.integer(1)) { row in row.text(3) }
    }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("USING INDEX todo_order") == true)
  }

  @Test func onlySoManyEarlierContentsAreKept() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let todo = try store.add(TodoDraft(title: "0"), to: list)
    for index in 1...(VersionTable.versionsMax + 10) {
      _ = try store.edit(todo.id, TodoEdit(title: "\(index)"), in: list)
    }
    let count = try store.withConnection { connection throws(TodoError) in
      try connection.number("SELECT count(*) FROM todo_version")
    }
    #expect(count == Int64(VersionTable.versionsMax))
    func base(of version: Int64) throws -> TodoContent? {
      let edit = try TodoEdit(title: "x", expectedVersion: version)
      return #expect(throws: TodoError.self) { try store.edit(todo.id, edit, in: list) }?
        .conflict?.base
    }
    #expect(try base(of: 1) == nil)
    #expect(try base(of: 11)?.title == "10")
    #expect(try base(of: 5_000) == nil)
  }

  @Test func aConflictKnowsAnUntouchedNote() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let todo = try store.add(TodoDraft(title: "0", note: "first"), to: list)
    for edit in [
      try TodoEdit(title: "1"), try TodoEdit(title: "2"), try TodoEdit(note: "second"),
      try TodoEdit(title: "3"),
    ] { _ = try store.edit(todo.id, edit, in: list) }
    for (version, note) in [(1, "first"), (2, "first"), (3, "first"), (4, "second")] {
      let edit = try TodoEdit(title: "x", expectedVersion: Int64(version))
      let error = #expect(throws: TodoError.self) { try store.edit(todo.id, edit, in: list) }
      #expect(error?.conflict?.base?.note == note)
    }
  }

  /// The search index joins its parts now and then, and lets go of the old ones: also where it is
  /// the first time that it does, and a statement that answers with a row is what begins it.
  @Test(arguments: 1...16) func whatIsGoneAtItsSourceLeavesTheSearchIndex(count: Int) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    for round in 0..<20 {
      let numbers = round.isMultiple(of: 2) ? 1...Int64(count + 1) : 1...1
      try store.load(numbers.map { .sample($0, title: "t\(round)", body: "b") }, to: .source)
    }
    #expect(try store.todos(TodoQuery(text: "t19"), in: .source).total == 1)
  }

  /// The index is kept by triggers; SQLite itself can say whether it still fits the todos.
  @Test func theSearchIndexFollowsEveryChange() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    var random = SystemRandomNumberGenerator()
    let words = ["eins", "zwei", "drei", "vier", ""]
    func text() -> String {
      (0..<3).map { _ in words.randomElement() ?? "" }.joined(separator: " ")
    }
    for step in 0..<400 {
      let key = Bool.random() ? list : .source
      let ids = try store.rows(TodoQuery(), in: key).elements.map(\.id)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: _ = try store.add(TodoDraft(title: "t\(step)", note: text()), to: key)
      case 1:
        let numbers = (1...Int64.random(in: 2...9)).shuffled()
        try store.load(
          numbers.map { .sample($0, title: text(), body: text()) }, to: .source)
      case 2:
        if let id = ids.randomElement() {
          try store.remove(id, expectedVersion: nil, in: key)
        }
      default:
        if let id = ids.randomElement() {
          let edit = try TodoEdit(title: "x " + text(), note: text(), isDone: .random())
          _ = try store.edit(id, edit, in: key)
        }
      }
    }
    try store.withConnection { connection throws(TodoError) in
      try connection.execute(
        "INSERT INTO todo_text (todo_text, rank) VALUES ('integrity-check', 1)")
    }
    for key in [list, .source] {
      let rows = try store.rows(TodoQuery(), in: key)
      let done = try store.rows(TodoQuery(isDone: true), in: key)
      #expect(rows.total == rows.elements.count)
      #expect(done.total == rows.elements.count(where: \.isDone))
    }
    let all = try store.todos(TodoQuery(), in: list).elements
    let expected = all.filter { ($0.content.title + " " + $0.content.note).contains("zwei") }
    #expect(try store.todos(TodoQuery(text: "zwe"), in: list).elements == expected)
  }
}
