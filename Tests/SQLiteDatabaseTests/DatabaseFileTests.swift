import CSQLite
import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase

/// Tests folders, file modes, schema versions and the files of other programs.
@Suite struct DatabaseFileTests {
  private let folder = TemporaryFolder()

  private func open(_ name: String = "todos.sqlite") throws -> Database {
    try Database(ofNotesAt: folder.path(name))
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

  /// The error message of opening; `nil` if it succeeds.
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

  @Test func newFilesAndFoldersAreAccessibleToTheirOwnerOnly() throws {
    let database = try open("a/b/todos.sqlite")
    try database.add("t")
    #expect(mode(of: folder.path("a")) == 0o700)
    #expect(mode(of: folder.path("a/b")) == 0o700)
    for suffix in ["", "-wal", "-shm"] {
      #expect(mode(of: folder.path("a/b/todos.sqlite" + suffix)) == 0o600)
    }
  }

  @Test func writesAreDurable() throws {
    let settings = try open().withWriter { connection throws(TodoError) in
      try ["journal_mode", "synchronous", "foreign_keys"].map { name throws(TodoError) in
        try Statement("PRAGMA \(name)", on: connection).first { row in row.text(0) }
      }
    }
    #expect(settings == ["wal", "2", "1"])
  }

  @Test func newerSchemaIsRefused() throws {
    try open().withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA user_version = 99")
    }
    let message = try #require(refusal())
    #expect(message.contains("newer version of todo-server (schema 99"))
    #expect(message.contains("Update todo-server"))
  }

  @Test func databaseOfAnotherProgramIsRefused() throws {
    var database: OpaquePointer?
    sqlite3_open(folder.path("todos.sqlite"), &database)
    sqlite3_exec(database, "CREATE TABLE secrets (x)", nil, nil, nil)
    sqlite3_close(database)
    #expect(refusal()?.contains("another program") == true)
  }

  @Test func folderIsRefusedAsADatabase() {
    mkdir(folder.path("todos.sqlite"), 0o700)
    #expect(refusal()?.contains("is a folder") == true)
    write("", to: "file")
    #expect(refusal("file/todos.sqlite")?.contains("is not a folder") == true)
    #expect(throws: TodoError.self) { try Database(ofNotesAt: "") }
  }

  @Test func anEmptyFileBecomesADatabase() throws {
    write("", to: "todos.sqlite")
    try open().add("t")
  }

  @Test func changeOfARenamedFileFails() throws {
    let database = try open()
    try database.add("t")
    rename(folder.path("todos.sqlite"), folder.path("elsewhere"))
    let error = #expect(throws: TodoError.self) {
      try database.add("lost")
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
  func errorCodeHasAMessage(code: Int32, words: String) {
    let error = StorageFailure(name: "/x/todos.sqlite").error(code)
    #expect(error.kind == .storage)
    #expect(error.message.contains(words))
  }
}
