import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

/// Tests the copy of the store that is saved before an update.
@Suite struct SchemaCopyTests {
  private let folder = TemporaryFolder()

  private var path: String { folder.path("todos.sqlite") }
  private var copies: [String] {
    FileTree.names(in: folder.path).filter { $0.contains(".schema-") }
  }

  private func open() throws -> SQLiteStore {
    try SQLiteStore(at: .file(path), environment: .counting())
  }

  private func execute(_ sql: String, on path: String) throws {
    try Connection(to: .file(path)).execute(sql)
  }

  @Test(arguments: StoreFixture.versions)
  func copyIsTheStoreBeforeTheUpdate(version: Int) throws {
    try #require(StoreFixture(version: version).copy(to: path))
    chmod(path, 0o644)
    _ = try open()
    #expect(copies == ["todos.sqlite.schema-\(version)"])
    let copy = folder.path("todos.sqlite.schema-\(version)")
    #expect(FileMode(of: copy)?.description == "600")
    let kept = try InspectedDatabase(path: copy)
    let before = try InspectedDatabase(path: StoreFixture(version: version).path)
    #expect(try kept.header == before.header)
    let history = version < 10 ? ["step", "todo_version"] : ["change"]
    for table in ["list", "todo", "note", "delivery", "account"] + history {
      let rows = "SELECT count(*) FROM \(table)"
      #expect(try kept.number(rows) == before.number(rows), "\(table)")
    }
    #expect(try kept.texts("PRAGMA integrity_check") == ["ok"])
    // A store of the newest schema is not copied.
    _ = try open()
    #expect(copies.count == 1)
  }

  /// An update from the same version can happen twice: if the user restores a copy, and uses the
  /// older program for a while.
  @Test func newestCopyOfAVersionIsKept() throws {
    for title in ["first", "second"] {
      try #require(StoreFixture(version: 9).copy(to: path))
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      try execute("UPDATE list SET profile = '\(title)' WHERE id = 1", on: path)
      _ = try open()
    }
    #expect(copies == ["todos.sqlite.schema-9"])
    let copy = try InspectedDatabase(path: folder.path("todos.sqlite.schema-9"))
    #expect(try copy.texts("SELECT profile FROM list WHERE id = 1") == ["second"])
  }

  @Test func copiesOfOtherVersionsAreKept() throws {
    for version in [8, 9] {
      for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
      try #require(StoreFixture(version: version).copy(to: path))
      _ = try open()
    }
    #expect(copies == ["todos.sqlite.schema-8", "todos.sqlite.schema-9"])
  }

  @Test func failedUpdateKeepsTheEarlierCopy() throws {
    fclose(fopen(path + ".schema-9", "wb"))
    try #require(StoreFixture(version: 9).copy(to: path))
    try execute("CREATE TRIGGER evil AFTER INSERT ON list BEGIN SELECT 1; END", on: path)
    let before = RecordedResponse.bytes(of: path)
    #expect(throws: TodoError.self) { try open() }
    #expect(RecordedResponse.bytes(of: path) == before)
    #expect(copies == ["todos.sqlite.schema-9"])
    #expect(RecordedResponse.bytes(of: path + ".schema-9") == [])
  }

  /// The unfinished copy from an update that was killed is replaced.
  @Test func unfinishedCopyIsReplaced() throws {
    try #require(StoreFixture(version: 9).copy(to: path))
    for end in ["", "-journal"] {
      let file = try #require(fopen("\(path).schema-9.new\(end)", "wb"))
      fputs("unfinished", file)
      fclose(file)
    }
    _ = try open()
    #expect(copies == ["todos.sqlite.schema-9"])
    let copy = try InspectedDatabase(path: folder.path("todos.sqlite.schema-9"))
    #expect(try copy.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test(arguments: [(8, 0), (9, 0), (9, 1 << 20)])
  func updateWithoutSpaceChangesNothing(version: Int, free: Int64) throws {
    try #require(StoreFixture(version: version).copy(to: path))
    let before = RecordedResponse.bytes(of: path)
    let error = #expect(throws: TodoError.self) {
      try Schema.todos.apply(
        to: Connection(to: .file(path)), found: version, freeBytes: { _ in free })
    }
    #expect(
      error?.message == "The update of \(path) and a copy of it need 2 MiB, and the disk has "
        + "\(free >> 20) MiB left. Nothing was changed. Make room and try again.")
    #expect(RecordedResponse.bytes(of: path) == before)
    #expect(FileTree.names(in: folder.path) == ["todos.sqlite"])
  }

  @Test func freeSpaceIsThatOfTheFolder() throws {
    #expect(try #require(UpdateSpace.freeBytes(beside: path)) > 0)
    #expect(UpdateSpace.freeBytes(beside: folder.path("absent/todos.sqlite")) == nil)
  }
}
