import TestSupport
import Testing

/// Tests the commands with `--store source`.
@Suite struct SourceStoreCommandTests {
  private let folder = TemporaryFolder()

  private func run(_ words: [String]) throws -> CommandRun {
    try CommandRun(
      words + ["--store", "source", "--source", "github:octo/tasks"],
      environment: ["XDG_DATA_HOME": folder.path])
  }

  @Test(arguments: [["mirror", "todos.md"], ["lsp"]])
  func commandThatNeedsVersionsIsRefused(words: [String]) throws {
    let run = try run(words)
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("\(words[0]) needs earlier versions of a list"))
    #expect(FileTree.names(in: folder.path).isEmpty)
  }

  @Test(arguments: ["export", "import"])
  func exportIsRefused(command: String) throws {
    let run = try run([command])
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("With --store source no list is on this machine."))
    #expect(FileTree.names(in: folder.path).isEmpty)
  }

  @Test func doctorReportsAStoreWithoutASource() throws {
    let run = try CommandRun(
      ["doctor", "--store", "source"], environment: ["XDG_DATA_HOME": folder.path])
    #expect(run.exitCode == 1)
    #expect(
      run.lines.last == "problem: store: The store source needs exactly one source on the network, "
        + "such as github:OWNER/REPO.")
  }
}
