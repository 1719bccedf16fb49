import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// The real program, libcurl and sockets against a GitHub that fails: nothing is done twice, and
/// nothing is lost.
@Suite struct GitHubSyncTests {
  private let folder = TemporaryFolder()

  private func start(_ github: GitHubServer) throws -> ServerProcess {
    let server = try ServerProcess(
      [
        "--store", "sqlite:\(folder.path("todos.sqlite"))", "--source", "github:octo/tasks",
        "--github-url", github.url, "--sync", "manual",
      ], environment: ["XDG_DATA_HOME": folder.path, "HOME": folder.path])
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    return server
  }

  private func github(issues: Int = 1) -> GitHubServer {
    var model = GitHubModel()
    for number in 0..<issues { model.add(title: "Issue \(number + 1)", at: .now) }
    return GitHubServer(model)
  }

  @Test func onlyWhatChangedIsSent() throws {
    let github = github()
    let server = try start(github)
    let loaded = server.request("loadTodos")
    #expect(loaded?["result"]?["total"] == 1)
    let todo = try #require(server.request("listTodos")?["result"]?["todos"]?[0])
    let id = try #require(todo["id"])
    _ = server.request("editTodo", .object(["id": id, "title": "Edited"]))
    _ = server.request("addTodo", ["title": "Made", "note": "here"])
    let synced = try #require(server.request("syncTodos")?["result"])
    #expect(synced["pushed"] == 2 && synced["conflicts"] == 0)
    #expect(github.writes.map(\.method) == ["PATCH", "POST"])
    #expect(github.writes.first?.bodyText == #"{"title":"Edited"}"#)
    let titles = github.change { $0.issues.values.map(\.title).sorted() }
    #expect(titles == ["Edited", "Made"])
    #expect(github.change { $0.issues[2]?.note } == "here")
  }

  /// An answer that never comes has no second effect: libcurl itself repeats nothing, and what
  /// was made is found.
  @Test(arguments: [
    GitHubServer.Fault.dropAfter, .halfBody, .page(status: 502, isCarriedOut: true),
  ])
  func anIssueWhoseAnswerIsLostIsMadeOnce(fault: GitHubServer.Fault) throws {
    let github = github()
    let server = try start(github)
    _ = server.request("loadTodos")
    _ = server.request("addTodo", ["title": "Made"])
    github.fail(fault, next: "POST")
    let first = try #require(server.request("syncTodos"))
    #expect(first["error"]?["data"]?["kind"]?.stringValue != nil)
    let second = try #require(server.request("syncTodos"))
    // What was fetched may have brought it before it was looked for.
    #expect(second["result"] != nil)
    #expect(github.requests.count { $0.method == "POST" } == 1)
    #expect(github.change { $0.issues.count } == 2)
    let todos = server.request("listTodos")?["result"]?["todos"]?.arrayValue ?? []
    #expect(todos.allSatisfy { $0["sync"]?.stringValue == "synced" })
  }

  @Test func whatNeverArrivedIsSentOnceMore() throws {
    let github = github()
    let server = try start(github)
    _ = server.request("loadTodos")
    _ = server.request("addTodo", ["title": "Made"])
    github.fail(.dropBefore, next: "POST")
    _ = server.request("syncTodos")
    #expect(server.request("syncTodos")?["result"]?["pushed"] == 1)
    #expect(github.requests.count { $0.method == "POST" } == 2)
    #expect(github.change { $0.issues.count } == 2)
  }

  /// The process is killed while GitHub has the request, and another one goes on.
  @Test(arguments: ["POST", "PATCH"])
  func aKillBetweenRequestAndAnswerHasNoSecondEffect(method: String) throws {
    let github = github()
    var server = try start(github)
    _ = server.request("loadTodos")
    let id = server.request("listTodos")?["result"]?["todos"]?[0]?["id"]
    if method == "POST" {
      _ = server.request("addTodo", ["title": "Made"])
    } else {
      _ = server.request("editTodo", .object(["id": try #require(id), "title": "Edited"]))
    }
    let (arrived, gate) = (Gate(), Gate())
    github.fail(.delay(arrived: arrived, until: gate), next: method)
    server.send(["jsonrpc": "2.0", "id": "s", "method": "syncTodos"])
    arrived.wait()
    server.signalEnd(SIGKILL)
    #expect(server.waitForEnd() == -SIGKILL)
    gate.open()
    server = try start(github)
    let synced = server.request("syncTodos")
    #expect(synced?["result"] != nil)
    #expect(github.requests.count { $0.method == method } == 1)
    let todos = server.request("listTodos")?["result"]?["todos"]?.arrayValue ?? []
    #expect(todos.count == (method == "POST" ? 2 : 1))
    #expect(todos.allSatisfy { $0["sync"]?.stringValue == "synced" })
  }

  /// Not one request before the allowed instant: by this server, by another one on the same file,
  /// and after a restart.
  @Test(arguments: GitHubLimits.Says.allCases)
  func aLimitIsRespectedByEveryServer(says: GitHubLimits.Says) throws {
    let github = github()
    let server = try start(github)
    _ = server.request("loadTodos")
    let until = Timestamp(milliseconds: Timestamp.now.milliseconds + 3_600_000)
    github.change { $0.limits.begin(.init(status: 403, until: until, says: says)) }
    #expect(server.request("syncTodos")?["result"]?["retryAt"]?.stringValue != nil)
    let count = github.requests.count
    _ = server.request("addTodo", ["title": "Local things go on"])
    #expect(server.request("syncTodos")?["result"]?["retryAt"]?.stringValue != nil)
    let other = try start(github)
    #expect(other.request("syncTodos")?["result"]?["retryAt"]?.stringValue != nil)
    #expect(other.request("listTodos")?["result"]?["total"] == 2)
    #expect(github.requests.count == count)
  }

  @Test func bothSidesOfANoteAreAConflictAndNothingIsSent() throws {
    let github = github()
    let server = try start(github)
    _ = server.request("loadTodos")
    let id = try #require(server.request("listTodos")?["result"]?["todos"]?[0]?["id"])
    _ = server.request("editTodo", .object(["id": id, "note": "mine"]))
    github.change { $0.edit(1, at: .now) { $0.setNote("theirs") } }
    #expect(server.request("syncTodos")?["result"]?["conflicts"] == 1)
    #expect(github.writes.isEmpty)
    let conflict = try #require(
      server.request("listConflicts")?["result"]?["conflicts"]?[0])
    #expect(conflict["mine"]?["note"] == "mine" && conflict["theirs"]?["note"] == "theirs")
    let version = try #require(conflict["version"])
    _ = server.request(
      "resolveConflict",
      .object(["id": id, "version": version, "keep": "merged", "note": "both"]))
    #expect(server.request("syncTodos")?["result"]?["pushed"] == 1)
    #expect(github.change { $0.issues[1]?.note } == "both")
    #expect(github.writes.map(\.bodyText) == [#"{"body":"both"}"#])
  }
}
