import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// Tests the real program, libcurl and sockets against a GitHub that fails: nothing is done twice,
/// and nothing is lost.
@Suite struct GitHubSyncTests {
  private let folder = TemporaryFolder()

  private func start(
    _ github: GitHubServer, in folder: TemporaryFolder? = nil
  ) throws -> ServerProcess {
    let folder = folder ?? self.folder
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

  @Test func onlyChangesAreSent() throws {
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

  /// A server, its store and a failing GitHub.
  private struct World {
    let github: GitHubServer
    let folder: TemporaryFolder
    var server: ServerProcess
  }

  private func world() throws -> World {
    let github = github()
    let folder = TemporaryFolder()
    return World(github: github, folder: folder, server: try start(github, in: folder))
  }

  /// Syncs all servers in parallel, after a pause of 10 s. A server waits this long after a write
  /// whose response was lost. During the pause, the thread of the test runs other tests.
  private func syncAll(_ worlds: [World]) async throws -> [JSON?] {
    try await Task.sleep(for: .seconds(10))
    for world in worlds {
      world.server.send(["jsonrpc": "2.0", "id": "s", "method": "syncTodos"])
    }
    return worlds.map { $0.server.answer(to: "s") }
  }

  /// A write whose response is lost has no second effect: libcurl repeats no request, and the
  /// server finds an issue that it has created. A request that never arrived is sent again.
  @Test func issueIsCreatedOnceWhicheverMessageIsLost() async throws {
    let faults: [(fault: GitHubServer.Fault, requestCount: Int)] = [
      (.dropAfter, 1), (.halfBody, 1), (.page(status: 502, isProcessed: true), 1),
      (.dropBefore, 2),
    ]
    let worlds = try faults.map { _ in try world() }
    for (world, fault) in zip(worlds, faults) {
      _ = world.server.request("loadTodos")
      _ = world.server.request("addTodo", ["title": "Made"])
      world.github.fail(fault.fault, next: "POST")
      let first = try #require(world.server.request("syncTodos"))
      #expect(first["error"]?["data"]?["kind"]?.stringValue != nil, "\(fault.fault)")
    }
    for (index, synced) in try await syncAll(worlds).enumerated() {
      let (world, fault) = (worlds[index], faults[index])
      #expect(synced?["result"] != nil, "\(fault.fault)")
      #expect(
        world.github.requests.count { $0.method == "POST" } == fault.requestCount,
        "\(fault.fault)")
      #expect(world.github.change { $0.issues.count } == 2)
      let todos = world.server.request("listTodos")?["result"]?["todos"]?.arrayValue ?? []
      #expect(todos.count == 2 && todos.allSatisfy { $0["sync"]?.stringValue == "synced" })
    }
  }

  /// A server is killed while GitHub handles its request, and another server continues the sync.
  @Test func killBetweenRequestAndResponseHasNoSecondEffect() async throws {
    let methods = ["POST", "PATCH"]
    var worlds = try methods.map { _ in try world() }
    for (index, method) in methods.enumerated() {
      let (github, server) = (worlds[index].github, worlds[index].server)
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
      worlds[index].server = try start(github, in: worlds[index].folder)
    }
    for (index, synced) in try await syncAll(worlds).enumerated() {
      let (world, method) = (worlds[index], methods[index])
      #expect(synced?["result"] != nil)
      #expect(world.github.requests.count { $0.method == method } == 1)
      let todos = world.server.request("listTodos")?["result"]?["todos"]?.arrayValue ?? []
      #expect(todos.count == (method == "POST" ? 2 : 1))
      #expect(todos.allSatisfy { $0["sync"]?.stringValue == "synced" })
    }
  }

  /// No server that uses the store file sends a request before the allowed time. This applies to
  /// the server whose request was refused, and to servers that start later.
  @Test(arguments: GitHubLimits.Says.allCases)
  func rateLimitAppliesToAllServers(says: GitHubLimits.Says) throws {
    let github = github()
    let server = try start(github)
    _ = server.request("loadTodos")
    let until = Timestamp(milliseconds: Timestamp.now.milliseconds + 3_600_000)
    github.change { $0.limits.begin(.init(status: 403, until: until, says: says)) }
    #expect(server.request("syncTodos")?["result"]?["retryAt"]?.stringValue != nil)
    let count = github.requests.count
    _ = server.request("addTodo", ["title": "Local changes continue"])
    #expect(server.request("syncTodos")?["result"]?["retryAt"]?.stringValue != nil)
    let other = try start(github)
    #expect(other.request("syncTodos")?["result"]?["retryAt"]?.stringValue != nil)
    #expect(other.request("listTodos")?["result"]?["total"] == 2)
    #expect(github.requests.count == count)
  }

  @Test func conflictingNotesAreNotSent() throws {
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
