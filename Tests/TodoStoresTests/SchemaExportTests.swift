import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores

/// Tests that the export of a store of each earlier version can be imported.
@Suite struct SchemaExportTests {
  private let folder = TemporaryFolder()

  private func export(_ store: SQLiteStore) throws -> String {
    var bytes: [UInt8] = []
    try store.exportLines(of: .all) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Opens a copy of a fixture.
  private func updatedStore(_ version: Int) throws -> SQLiteStore {
    let path = folder.path("todos.sqlite")
    try #require(StoreFixture(version: version).copy(to: path))
    return try SQLiteStore(at: .file(path), environment: .counting())
  }

  @Test(arguments: StoreFixture.versions)
  func updatedStoreIsExported(version: Int) throws {
    let exported = try export(updatedStore(version))
    let other = try SQLiteStore(at: .memory, environment: .counting())
    let report = try other.importLines(LineReader(text: exported), profile: nil)
    #expect(report.addedCount > 0 && report.knownCount == 0)
    #expect(try export(other) == exported)
  }

  @Test func fieldsOfFifteenAreExported() throws {
    let lines = try export(updatedStore(15)).split(separator: "\n")
    let todo = try #require(lines.first { $0.contains(#""title":"Dated in 15""#) })
    for field in [#""due":"2026-12-03""#, #""labels":["bug","ui"]"#, #""priority":"high""#] {
      #expect(todo.contains(field), "\(todo)")
    }
    let removed = try #require(lines.first { $0.contains(#""title":"Third of fifteen""#) })
    #expect(removed.contains(#""removed":true"#))
  }
}
