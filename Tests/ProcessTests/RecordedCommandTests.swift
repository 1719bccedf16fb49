import TestSupport
import Testing

/// Tests that commands whose sessions use another protocol refuse `--record` and `--trace`.
@Suite struct RecordedCommandTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [["mirror", "todos.md"], ["lsp"], ["mcp"]], ["record", "trace"])
  func commandRefusesToRecord(words: [String], option: String) throws {
    let file = folder.path("session")
    for (flags, variables) in [
      (["--\(option)", file], [:]), ([], ["TODO_SERVER_\(option.uppercased())": file]),
    ] {
      let run = try CommandRun(
        words + flags, environment: ["XDG_DATA_HOME": folder.path].merging(variables) { $1 })
      #expect(run.exitCode == 64)
      #expect(
        run.errors.contains("--\(option) and TODO_SERVER_\(option.uppercased()) are for serve"))
    }
    #expect(FileTree.names(in: folder.path).isEmpty)
  }
}
