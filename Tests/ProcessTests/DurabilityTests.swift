import JSONRPC
import System
import TestSupport
import Testing

/// Tests that a change is stored before its response, whatever happens to the process.
@Suite struct DurabilityTests {
  private let folder = TemporaryFolder()
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

  @Test func answeredEditSurvivesAKill() throws {
    var title = ""
    var id: JSON = .null
    for round in 0..<5 {
      let server = try ServerProcess(environment: environment)
      _ = server.initialize()
      _ = server.request("login", ["name": "ann"])
      if round == 0 {
        let added = try #require(server.request("addTodo", ["title": "first"]))
        id = try #require(added["result"]?["todo"]?["id"])
      } else {
        let kept = try #require(server.request("getTodo", .object(["id": id])))
        #expect(kept["result"]?["todo"]?["title"]?.stringValue == title)
      }
      title = "round \(round)"
      let edited = server.request("editTodo", .object(["id": id, "title": .string(title)]))
      #expect(edited?["result"]?["todo"]?["title"]?.stringValue == title)
      server.signalEnd(SIGKILL)
      #expect(server.waitForEnd() == -SIGKILL)
    }
  }

  @Test func cleanEndLeavesEverythingInTheMainFile() throws {
    let path = folder.path("todo-server/todos.sqlite")
    for round in 0..<2 {
      let server = try ServerProcess(environment: environment)
      _ = server.initialize()
      _ = server.request("login", ["name": "ann"])
      let there = server.request("listTodos", [:])
      #expect(there?["result"]?["total"] == .integer(Int64(round)))
      _ = server.request("addTodo", ["title": "todo"])
      if round == 0 { server.closeInput() } else { server.signalEnd(SIGTERM) }
      _ = server.waitForEnd()
      for file in ["\(path)-wal", "\(path)-shm"] { remove(file) }
    }
    let last = try ServerProcess(environment: environment)
    _ = last.initialize()
    _ = last.request("login", ["name": "ann"])
    #expect(last.request("listTodos", [:])?["result"]?["total"] == 2)
    last.closeInput()
    _ = last.waitForEnd()
  }

  @Test func filesArePrivateToTheirOwner() throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    let registered = server.request(
      "register", ["username": "ann.lee@home", "password": "correct horse"])
    #expect(registered?["result"]?["username"]?.stringValue == "ann.lee@home")
    #expect(mode(folder.path("todo-server")) == 0o700)
    let files = FileTree.files(below: folder.path)
    #expect(files.contains(folder.path("todo-server/todos.sqlite")))
    #expect(files.contains(folder.path("todo-server/credentials.json")))
    for file in files { #expect(mode(file) == 0o600, "\(file)") }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func twoServersOnOneFileSeeEachOthersChanges() throws {
    let one = try ServerProcess(environment: environment)
    let two = try ServerProcess(environment: environment)
    for server in [one, two] {
      _ = server.initialize()
      _ = server.request("login", ["name": "ann"])
    }
    let added = try #require(one.request("addTodo", ["title": "shared"]))
    let id = try #require(added["result"]?["todo"]?["id"])
    _ = two.request("editTodo", .object(["id": id, "title": "theirs", "version": 1]))
    let stale = one.request("editTodo", .object(["id": id, "title": "mine", "version": 1]))
    #expect(stale?["error"]?["data"]?["kind"]?.stringValue == "conflict")
    #expect(stale?["error"]?["data"]?["theirs"]?["title"]?.stringValue == "theirs")
  }

  @Test func changeByOneServerIsShownByTheOther() throws {
    let one = try ServerProcess(environment: environment)
    let two = try ServerProcess(environment: environment)
    for server in [one, two] {
      _ = server.initialize()
      _ = server.request("login", ["name": "ann"])
      _ = server.request("loadTodos")
    }
    _ = one.request("addTodo", ["title": "from one"])
    var shown: JSON?
    while shown == nil, let message = two.next() {
      let screen = message["params"]?["rendering"]?["items"]?.arrayValue?.last?["screen"]
      shown = screen?["body"]?["items"]?.arrayValue?.first?["title"]
    }
    #expect(shown == "from one")
  }
}
