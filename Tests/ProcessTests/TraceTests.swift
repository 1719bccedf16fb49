import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// Tests the trace file, which trace viewers open.
@Suite struct TraceTests {
  private let folder = TemporaryFolder()
  private static let password = "pa55worD-of-ann"
  private static let token = "ghp-tok3n-of-github"

  private var path: String { folder.path("trace.json") }

  private func start(_ arguments: [String]) throws -> ServerProcess {
    try ServerProcess(
      ["--trace", path] + arguments,
      environment: [
        "XDG_DATA_HOME": folder.path, "HOME": folder.path, "GITHUB_TOKEN": Self.token,
      ])
  }

  private func events(_ text: String) throws -> [JSON] {
    try #require(JSON(parsing: Array(text.utf8)).arrayValue)
  }

  private func names(_ events: [JSON], _ category: String) -> Set<String> {
    Set(events.filter { $0["cat"]?.stringValue == category }.compactMap { $0["name"]?.stringValue })
  }

  @Test(arguments: [false, true])
  func traceHasAllKindsOfSpans(isRecorded: Bool) throws {
    var model = GitHubModel()
    model.add(title: "Issue 1", at: .now)
    let github = GitHubServer(model)
    let record = isRecorded ? ["--record", folder.path("session.txt")] : []
    let server = try start(
      ["--source", "github:octo/tasks", "--github-url", github.url, "--sync", "manual"] + record)
    _ = server.initialize()
    _ = server.request(
      "register", ["username": "ann.lee@home", "password": .string(Self.password)])
    _ = server.request("loadTodos")
    #expect(server.request("editTodo", ["id": "no such todo"])?["error"]?["code"] == -32803)
    _ = server.request(Self.password)
    _ = server.request("shutdown")
    server.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(server.waitForEnd() == 0)

    let text = try #require(FileTree.text(of: path))
    let events = try events(text)
    #expect(names(events, "request").isSuperset(of: ["register", "loadTodos", "another method"]))
    #expect(names(events, "action").contains { $0.hasPrefix("TodoWorkflow.") })
    #expect(names(events, "render").contains("render RootWorkflow"))
    #expect(names(events, "worker").contains("LoadWorker"), "\(names(events, "worker"))")
    #expect(names(events, "sqlite").contains { $0.hasPrefix("INSERT INTO todo ") })
    #expect(names(events, "http").contains { $0.hasSuffix("/repos/octo/tasks/issues") })
    // Each span that begins ends, with a result.
    let began = events.filter { $0["ph"] == "b" && $0["cat"] != "worker" }
    let ended = events.filter { $0["ph"] == "e" && $0["cat"] != "worker" }
    #expect(began.count == ended.count)
    #expect(ended.contains { $0["args"]?["error"] == -32803 })
    #expect(events.allSatisfy { $0["pid"] != nil && $0["tid"] != nil && $0["name"] != nil })
    #expect(!text.contains(Self.password) && !text.contains(Self.token))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  /// The trace of a killed server lacks only the closing bracket, which trace viewers do not need.
  @Test func traceOfAKilledServerLacksOnlyTheLastBracket() throws {
    let server = try start(["--store", "memory"])
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    server.signalEnd(SIGKILL)
    #expect(server.waitForEnd() == -SIGKILL)
    let text = try #require(FileTree.text(of: path))
    #expect(names(try events(text + "]"), "request").contains("login"))
  }

  @Test func unwritableTraceIsReportedAtTheStart() throws {
    let run = try CommandRun(["--trace", folder.path("no/such/folder"), "--store", "memory"])
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("--trace: \(folder.path("no/such/folder")) cannot be written"))
  }
}
