import CSQLite
import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoRemotes
@testable import TodoStores

/// Tests that the content of a store does not depend on the token of its source.
@Suite struct TokenTraceTests {
  private let folder = TemporaryFolder()

  private var path: String { folder.path("todos.sqlite") }

  private func open() throws -> SQLiteStore {
    try SQLiteStore(at: .file(path), environment: .counting())
  }

  /// Copies the store that the program of schema 8 created with a token. The hash of the token in
  /// it is 66403106542.
  private func copyFixture() throws {
    try #require(StoreFixture(version: 8, kind: "-token").copy(to: path))
  }

  private static let mark: Int64 = 66_403_106_542

  /// Returns the files of the folder that contain an integer in SQLite's encoding.
  private func files(with mark: Int64) -> [String] {
    let pattern = withUnsafeBytes(of: mark.bigEndian) { Array($0.drop { $0 == 0 }) }
    return FileTree.names(in: folder.path).filter { name in
      let bytes = RecordedResponse.bytes(of: folder.path(name)) ?? []
      return bytes.withUnsafeBytes { all in
        guard var start = all.baseAddress else { return false }
        let end = start + all.count
        while let place = memchr(start, Int32(pattern[0]), end - start) {
          start = UnsafeRawPointer(place)
          if all[(start - (end - all.count))...].starts(with: pattern) { return true }
          start += 1
        }
        return false
      }
    }
  }

  /// Executes SQL as another program that has the file open, such as a server of an earlier
  /// version.
  private func execute(_ sql: String, on handle: OpaquePointer?) {
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  @Test func hashOfATokenIsErasedFromAnOlderStore() throws {
    try copyFixture()
    #expect(files(with: Self.mark) == ["todos.sqlite"])
    let list = TodoListKey(profile: "ann", source: "github:o/t")
    let store = try open()
    #expect(try store.rows(TodoQuery(), in: list).total == 2)
    #expect(try store.remote(of: list).isComplete)
    let names = FileTree.names(in: folder.path)
    #expect(names.count { $0.hasSuffix(".schema-8") } == 1)
    #expect(files(with: Self.mark) == [])
  }

  /// Hashes of earlier tokens can be in free pages of the file and in its write-ahead log.
  @Test func earlierHashesAreErasedWhileAnotherProgramHasTheFileOpen() throws {
    try copyFixture()
    var other: OpaquePointer?
    #expect(sqlite3_open(path, &other) == SQLITE_OK)
    defer { sqlite3_close_v2(other) }
    let marks = (1...20).map { Self.mark + $0 * 7_777_777 }
    execute("PRAGMA secure_delete = OFF; PRAGMA journal_mode = WAL", on: other)
    for (index, mark) in marks.enumerated() {
      execute("INSERT INTO list (profile, source) VALUES ('\(index)', 'x')", on: other)
      execute(
        """
        INSERT INTO remote (list, kind, base_url, address, validator_token)
        VALUES (last_insert_rowid(), 'github', hex(zeroblob(200)), '', \(mark))
        """, on: other)
    }
    execute("PRAGMA wal_checkpoint", on: other)
    execute("DELETE FROM remote WHERE list > 10", on: other)
    execute("DELETE FROM remote WHERE list > 1", on: other)
    #expect(marks.contains { files(with: $0).contains("todos.sqlite") })
    #expect(marks.contains { files(with: $0).contains("todos.sqlite-wal") })
    let store = try open()
    #expect(marks.flatMap { files(with: $0) } == [])
    #expect(files(with: Self.mark) == [])
    _ = store
  }

  @Test func olderStoreWithATriggerStaysUnchanged() throws {
    try copyFixture()
    var other: OpaquePointer?
    #expect(sqlite3_open(path, &other) == SQLITE_OK)
    execute("CREATE TRIGGER evil AFTER UPDATE ON remote BEGIN DELETE FROM todo; END", on: other)
    sqlite3_close_v2(other)
    let before = RecordedResponse.bytes(of: path)
    let error = #expect(throws: TodoError.self) { try open() }
    #expect(error?.message.contains("has a trigger evil that is not ours") == true)
    #expect(RecordedResponse.bytes(of: path) == before)
  }

  /// GitHub's ETags depend not only on the content but also on the token.
  @Test func storesOfTwoTokensAreEqual() async throws {
    let github = GitHubServer(
      GitHubModel(), now: { Timestamp(milliseconds: 1_780_000_000_000) })
    github.change { model in
      for number in 1...3 {
        model.add(title: "issue \(number)", at: Timestamp(milliseconds: 1_770_000_000_000))
      }
    }
    let address = GitHubAddress(
      baseURL: github.url, repository: try #require(RepositoryName("octo/tasks")))
    var dumps: [[String]] = []
    for token in ["ghp_one", "ghp_another"] {
      let store = try SQLiteStore(at: .memory, environment: .counting())
      let remote = GitHubRemote(
        address, token: { Secret(token) }, transport: CurlTransport(),
        now: { Timestamp(milliseconds: 1_780_000_000_000) })
      for _ in 0..<3 { try await sync(store, remote) }
      #expect(try store.remote(of: .source).validator != nil)
      dumps.append(try dump(store))
    }
    #expect(github.requests.contains { $0["if-none-match"] != nil })
    #expect(dumps[0].count > 5)
    #expect(dumps[0] == dumps[1])
  }

  private func sync(_ store: SQLiteStore, _ remote: GitHubRemote) async throws {
    let now = Timestamp(milliseconds: 1_780_000_000_000)
    var engine = SyncEngine(
      .source, at: remote.address, remote.capabilities, goal: .pull, journal: store, owner: "me",
      jitter: { $0.lowerBound })
    while case .send(let request) = try engine.next(at: now) {
      try engine.handle(.success(try await remote.perform(request)), at: now)
    }
  }

  /// Returns every row that a sync writes.
  private func dump(_ store: SQLiteStore) throws -> [String] {
    try store.database.withWriter { connection throws(TodoError) in
      var rows: [String] = []
      for table in ["list", "todo", "note", "remote", "host", "seen", "outbox"] {
        let columns = try Statement(
          "SELECT group_concat('quote(' || name || ')', ' || ') FROM pragma_table_info(?)",
          on: connection
        ).first(.text(table)) { $0.text(0) }
        rows += try Statement("SELECT \(columns ?? "''") FROM \(table)", on: connection)
          .all { "\(table) \($0.text(0))" }
      }
      return rows
    }
  }
}
