import CSQLite
import System
import TestSupport
import Testing

/// Tests that a store of a newer version stays unchanged, and the message names the remedy.
@Suite struct NewerStoreTests {
  private let folder = TemporaryFolder()

  private let newer = StoreFixture.currentVersion + 1

  private var store: String { folder.path("todos.sqlite") }

  /// Creates the files of a newer program that was killed after it updated a store.
  private func makeNewerStore() throws {
    let updating = TemporaryFolder()
    let path = updating.path("todos.sqlite")
    try #require(StoreFixture(version: 9).copy(to: path))
    let updated = try CommandRun(["export", "--store", "sqlite:\(path)"])
    #expect(updated.exitCode == 0, "\(updated.errors)")
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    #expect(
      sqlite3_exec(database, "PRAGMA user_version = \(newer)", nil, nil, nil) == SQLITE_OK)
    for suffix in ["", "-wal", "-shm", ".schema-9"] {
      let bytes = try #require(RecordedResponse.bytes(of: path + suffix))
      let file = try #require(fopen(store + suffix, "wb"))
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
      chmod(store + suffix, 0o600)
    }
  }

  private func files() -> [String: [UInt8]] {
    let names = FileTree.names(in: folder.path)
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, RecordedResponse.bytes(of: folder.path($0)) ?? []) })
  }

  private static let initialize = """
    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
    "capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
    """
  private static let call = """
    {"jsonrpc":"2.0","method":"notifications/initialized"}
    {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_todos","arguments":{}}}
    """

  /// Each command leaves a newer store unchanged, and reports it. `count` is the number of messages
  /// in the output: 2 for MCP, because its result contains each text twice.
  @Test(arguments: [
    (["export"], "", 1), (["import"], "{\"format\":\"todo-server\",\"version\":1}\n", 1),
    (["mirror", "todos.md", "--once"], "", 1), (["doctor"], "", 1),
    (["serve"], #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"# + "\n", 1),
    (["lsp"], "Content-Length: \(initialize.utf8.count)\r\n\r\n\(initialize)", 1),
    (["mcp"], "\(initialize)\n\(call)\n", 2),
  ])
  func newerStoreIsRefusedUnchanged(command: [String], input: String, count: Int) throws {
    try makeNewerStore()
    let before = files()
    #expect(before.count == 4 && before["todos.sqlite-wal"]?.isEmpty == false)
    let arguments = command.map { $0.hasSuffix(".md") ? folder.path($0) : $0 }
    let run = try CommandRun(
      arguments + ["--store", "sqlite:\(store)"], input: Array(input.utf8),
      environment: ["HOME": folder.path, "USER": "ann"])
    let text = run.output + run.errors
    #expect(text.split(separator: "newer version of todo-server").count == count + 1, "\(text)")
    #expect(text.contains("(schema \(newer), this one knows \(StoreFixture.currentVersion))"))
    #expect(text.contains("Update todo-server"))
    #expect(text.contains("--store sqlite:\(store).schema-9 opens them"))
    #expect(files() == before)
  }
}
