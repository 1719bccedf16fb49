import CSQLite
import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

/// Tests that a file with other tables than those of the schema is refused, and not changed.
@Suite struct SchemaTrustTests {
  private let folder = TemporaryFolder()

  private var path: String { folder.path("todos.sqlite") }

  private func open() throws -> SQLiteStore {
    try SQLiteStore(at: .file(path), environment: .counting())
  }

  private func fill() throws { _ = try open().add(NewTodo(title: "milk"), to: .local) }

  /// Changes the file as another program does.
  private func tamper(_ sql: String) throws {
    var opened: OpaquePointer?
    #expect(sqlite3_open(path, &opened) == SQLITE_OK)
    let code = sqlite3_exec(opened, sql, nil, nil, nil)
    #expect(code == SQLITE_OK, "\(opened.map { String(cString: sqlite3_errmsg($0)) } ?? "")")
    sqlite3_close_v2(opened)
  }

  private static let evil = "BEGIN UPDATE todo SET title = 'evil' WHERE id = new.id; END"

  @Test(arguments: [
    ("CREATE TRIGGER evil AFTER INSERT ON todo \(evil)", "has a trigger evil that is not ours"),
    ("CREATE VIEW evil AS SELECT * FROM account", "has a view evil that is not ours"),
    ("CREATE TABLE evil (x)", "has a table evil that is not ours"),
    ("CREATE INDEX evil ON todo (upper(title))", "has an index evil that is not ours"),
    ("CREATE VIRTUAL TABLE evil USING fts5 (x)", "has a table evil that is not ours"),
    ("ALTER TABLE todo ADD COLUMN evil TEXT DEFAULT 'x'", "has another table todo"),
    ("DROP TRIGGER todo_counted_in", "has no trigger todo_counted_in"),
    ("DROP INDEX todo_order", "has no index todo_order"),
    (
      "DROP TRIGGER todo_deleted; CREATE TRIGGER todo_deleted AFTER INSERT ON todo \(evil)",
      "has another trigger todo_deleted"
    ),
    (
      "DROP VIEW todo_content; CREATE VIEW todo_content AS SELECT 1 AS id, 'x' AS title, '' AS note",
      "has another view todo_content"
    ),
    ("CREATE TRIGGER \"e\u{1b}[31m\" AFTER INSERT ON todo \(evil)", #"trigger "e\u{1b}[31m" that"#),
  ])
  func foreignTablesAreRefused(sql: String, difference: String) throws {
    try fill()
    try tamper(sql)
    let bytes = RecordedResponse.bytes(of: path)
    let error = #expect(throws: TodoError.self) { try open() }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains(difference) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("Put a backup in its place") == true)
    #expect(RecordedResponse.bytes(of: path) == bytes)
    #expect(try Schema.todos.difference(in: InspectedDatabase(path: path)) != nil)
  }

  /// Rows of `sqlite_schema` that another program has changed can make tables unreadable for
  /// SQLite. The file must not be treated as damaged, because the todos are intact.
  @Test(arguments: [
    ("sql = NULL WHERE name = 'todo'", "has lost what the table todo is"),
    ("sql = NULL WHERE name = 'todo_order'", "has lost what the index todo_order is"),
    ("rootpage = 99999 WHERE name = 'todo'", "has lost where the table todo begins"),
    ("rootpage = NULL WHERE name = 'todo'", "has lost where the table todo begins"),
    ("rootpage = 'x' WHERE name = 'todo_order'", "has lost where the index todo_order begins"),
    ("type = 'evil' WHERE name = 'todo'", "has something of an unknown kind, evil todo"),
    ("type = 'e\u{1b}' WHERE name = 'todo'", #"an unknown kind, e\u{1b} todo"#),
    ("sql = 'CREATE TABLE todo (' WHERE name = 'todo'", "has another table todo"),
    (
      "sql = replace(sql, ' WHERE', char(0) || 'WHERE') WHERE name = 'todo_order'",
      "has another index todo_order"
    ),
    ("sql = 'nonsense' WHERE name = 'todo_order'", "that is not ours"),
  ])
  func unreadableTablesAreNotChanged(change: String, reason: String) throws {
    try fill()
    try tamper("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \(change)")
    let bytes = RecordedResponse.bytes(of: path)
    let error = #expect(throws: TodoError.self) { try open() }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("Put a backup in its place") == true)
    #expect(RecordedResponse.bytes(of: path) == bytes)
    #expect(!FileTree.names(in: folder.path).contains { $0.contains(".damaged") })
    #expect(Schema.todos.brokenTables(in: path)?.contains(reason) == true)
  }

  /// Maintenance commands of other programs do not change the schema.
  @Test(arguments: ["ANALYZE", "VACUUM", "REINDEX", "PRAGMA journal_mode = DELETE"])
  func maintenanceCommandsAreAccepted(sql: String) throws {
    try fill()
    try tamper(sql)
    #expect(try open().rows(TodoQuery(text: "milk"), in: .local).total == 1)
    #expect(try Schema.todos.difference(in: InspectedDatabase(path: path)) == nil)
  }

  /// When a database is opened, its SQL texts are compared with those of the schema.
  @Test func newFileHasExactlyTheSchema() throws {
    try open().database.withWriter { connection throws(TodoError) in
      let comparison = SchemaComparison(parts: Schema.todos.parts)
      let (found, absent) = try comparison.differing(in: connection)
      #expect(found.isEmpty && absent.isEmpty)
      try connection.execute("CREATE TABLE evil (x); DROP INDEX todo_order")
      let (others, missing) = try comparison.differing(in: connection)
      #expect(others == ["CREATE TABLE evil (x)"])
      #expect(missing.map { $0.prefix(23) } == ["CREATE INDEX todo_order"])
    }
  }

  /// An older file is updated in a transaction, and then compared with the schema. If there is a
  /// difference, the update is rolled back.
  @Test func olderFileWithATriggerIsNotChanged() throws {
    try #require(StoreFixture(version: 4).copy(to: path))
    try tamper(
      "PRAGMA journal_mode = WAL; CREATE TRIGGER evil AFTER INSERT ON list BEGIN SELECT 1; END")
    let before = RecordedResponse.bytes(of: path)
    let error = #expect(throws: TodoError.self) { try open() }
    #expect(error?.message.contains("has a trigger evil that is not ours") == true)
    #expect(RecordedResponse.bytes(of: path) == before)
    #expect(!FileTree.names(in: folder.path).contains { $0.contains(".schema-") })
    try tamper("DROP TRIGGER evil")
    #expect(try open().rows(TodoQuery(), in: .local).total == 3)
    #expect(try Schema.todos.difference(in: InspectedDatabase(path: path)) == nil)
  }

  /// Before a file is checked, code in its schema, such as in a view, must not be able to do harm.
  /// A read-only connection never trusts the schema.
  @Test func connectionDoesNotTrustAnUncheckedFile() throws {
    try fill()
    for connection in [try Connection(to: .file(path)), try Connection(reading: path)] {
      #expect(try connection.number("PRAGMA trusted_schema") == 0)
    }
    try open().database.withWriter { connection throws(TodoError) in
      for sql in [
        "DELETE FROM todo_text_data", "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema",
      ] {
        #expect(throws: TodoError.self) { try connection.execute(sql) }
      }
      #expect(try connection.number("SELECT count(*) FROM todo_text_data") > 0)
    }
  }
}
