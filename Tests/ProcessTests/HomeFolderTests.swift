import System
import TestSupport
import Testing

/// Tests how the variables HOME and XDG_DATA_HOME determine the folder of the default store.
@Suite struct HomeFolderTests {
  private let folder = TemporaryFolder()

  @Test(arguments: ["serve", "doctor", "export", "mirror todos.md", "mcp", "lsp"])
  func relativeHomeIsAnError(command: String) throws {
    let run = try CommandRun(
      command.split(separator: " ").map(String.init), environment: ["HOME": "home"])
    #expect(run.exitCode == 64)
    #expect(
      run.errors == "todo-server: HOME is \"home\", which is not an absolute path. Set HOME, or "
        + "XDG_DATA_HOME, to a path that begins with /\n")
    #expect(access("home", F_OK) != 0)
  }

  @Test func relativeDataHomeIsIgnored() throws {
    let environment = ["HOME": folder.path, "XDG_DATA_HOME": "data"]
    let run = try CommandRun(["export"], environment: environment)
    #expect(
      run.errors.contains("There is no store at \(folder.path)/.local/share/todo-server/todos"))
    // An absolute data folder needs no home.
    let absolute = ["HOME": "home", "XDG_DATA_HOME": folder.path("data")]
    #expect(
      try CommandRun(["export"], environment: absolute).errors.contains(folder.path("data")))
  }
}
