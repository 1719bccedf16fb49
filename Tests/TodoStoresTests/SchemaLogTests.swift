import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

/// Tests that an update is one transaction: if the process is killed while it writes the
/// write-ahead log, the store is either unchanged or updated.
@Suite struct SchemaLogTests {
  private let folder = TemporaryFolder()

  private static let (headerBytes, frameBytes) = (32, 24 + 4_096)

  private func write(_ bytes: some Collection<UInt8>, to path: String) throws {
    let file = try #require(fopen(path, "wb"))
    let bytes = Array(bytes)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    chmod(path, 0o600)
  }

  /// The name, content and version of each todo.
  private func todos(_ connection: Connection) throws(TodoError) -> [String] {
    try Statement(
      """
      SELECT name || title || text || is_done || version FROM todo JOIN note ON note.todo = todo.id
      ORDER BY todo.id
      """, on: connection
    ).all { $0.text(0) }
  }

  /// An update from version 4 has the steps of all later versions.
  @Test func storeIsValidAtEachPartOfTheWriteAheadLog() throws {
    let version = 4
    let path = folder.path("todos.sqlite")
    try #require(StoreFixture(version: version).copy(to: path))
    let connection = try Connection(to: .file(path))
    try connection.useWAL()
    let before = try #require(RecordedResponse.bytes(of: path))
    let expected = try todos(connection)
    try Schema.todos.apply(to: connection, found: version)
    let log = try #require(RecordedResponse.bytes(of: path + "-wal"))
    #expect(RecordedResponse.bytes(of: path) == before)
    #expect((log.count - Self.headerBytes).isMultiple(of: Self.frameBytes))
    var versions: [Int64] = []
    for end in stride(from: 0, through: log.count, by: Self.frameBytes * 3 / 2) + [log.count] {
      let killed = TemporaryFolder()
      let other = killed.path("todos.sqlite")
      try write(before, to: other)
      try write(log.prefix(end), to: other + "-wal")
      versions.append(try InspectedDatabase(path: other).header.version)
      let store = try SQLiteStore(at: .file(other), environment: .counting())
      #expect(store.database.notice == nil)
      try store.database.withWriter { connection throws(TodoError) in
        #expect(try todos(connection) == expected, "\(end) bytes")
        let problems = try Statement("PRAGMA integrity_check", on: connection).all { $0.text(0) }
        #expect(problems == ["ok"], "\(end) bytes")
      }
    }
    // Only the last frame commits.
    #expect(versions.dropLast().allSatisfy { $0 == version })
    #expect(versions.last.map(Int.init) == Schema.todos.version)
    #expect(versions.count > 10)
  }
}
