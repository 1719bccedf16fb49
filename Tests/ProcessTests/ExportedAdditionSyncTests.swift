import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// Tests two stores on two machines. The first machine exports its additions, and then sends them
/// to the source. The second machine imports the exported additions.
@Suite struct ExportedAdditionSyncTests {
  private let github = GitHubServer(GitHubModel())

  private struct Machine {
    let folder = TemporaryFolder()
    var store: String { "sqlite:\(folder.path("todos.sqlite"))" }
    var environment: [String: String] { ["XDG_DATA_HOME": folder.path, "HOME": folder.path] }

    func start(_ github: GitHubServer) throws -> ServerProcess {
      let server = try ServerProcess(
        [
          "--store", store, "--source", "github:octo/tasks", "--github-url", github.url, "--sync",
          "manual",
        ], environment: environment)
      _ = server.initialize()
      _ = server.request("login", ["name": "ann"])
      return server
    }

    func run(_ command: String, _ input: String = "") throws -> CommandRun {
      try CommandRun(
        [command, "--store", store], input: Array(input.utf8), environment: environment)
    }
  }

  private func titles(_ server: ServerProcess) -> [String?] {
    let todos = server.request("listTodos")?["result"]?["todos"]?.arrayValue ?? []
    return todos.map { "\($0["title"]?.stringValue ?? "") \($0["sync"]?.stringValue ?? "")" }
  }

  /// The source gets only one issue for an addition that both machines have.
  ///
  /// - Parameter isLoaded: Whether the second machine has the issue in its list before the import.
  @Test(arguments: [false, true])
  func sourceGetsOneIssue(isLoaded: Bool) throws {
    let (first, second) = (Machine(), Machine())
    let server = try first.start(github)
    _ = server.request("addTodo", ["title": "Milk", "note": "Two"])
    let exported = try first.run("export")
    try #require(exported.exitCode == 0, "\(exported.errors)")
    #expect(server.request("syncTodos")?["result"]?["pushed"] == 1)
    #expect(titles(server) == ["Milk synced"])

    let other = try second.start(github)
    if isLoaded { _ = other.request("syncTodos") }
    let imported = try second.run("import", exported.output)
    #expect(imported.output == "1 todos were imported\n", "\(imported.errors)")
    #expect(other.request("syncTodos")?["result"] != nil)
    #expect(titles(other) == ["Milk synced"])
    #expect(github.change { $0.issues.values.map(\.title) } == ["Milk"])
    #expect(github.requests.count { $0.method == "POST" } == 1)
    #expect(github.change { $0.issues.values.map(\.note) } == ["Two"])
  }
}
