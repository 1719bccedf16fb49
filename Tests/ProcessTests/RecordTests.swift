import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// Tests that a recorded session is a transcript without secrets, which replays unchanged.
@Suite struct RecordTests {
  private let folder = TemporaryFolder()
  private static let password = "pa55worD-of-ann"
  private static let wrongPassword = "wr0ng-pa55worD"
  private static let shortPassword = "sh0rt"
  private static let token = "tok3n-of-the-service"
  private static let githubToken = "ghp-tok3n-of-github"

  private var transcript: String { folder.path("session.txt") }

  private func start(
    _ arguments: [String] = [], environment: [String: String] = [:], framing: Framing = .headers
  ) throws -> ServerProcess {
    var variables = ["XDG_DATA_HOME": folder.path, "HOME": folder.path]
    variables.merge(environment) { $1 }
    return try ServerProcess(
      ["--record", transcript] + arguments, environment: variables, framing: framing)
  }

  /// Ends the session, replays the transcript, and returns it.
  private func end(_ server: ServerProcess) throws -> String {
    _ = server.request("shutdown")
    server.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(server.waitForEnd() == 0)
    return try replayed()
  }

  private func replayed() throws -> String {
    let run = try CommandRun(["replay", transcript])
    #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    return try #require(FileTree.text(of: transcript))
  }

  private func checkSecrets(_ text: String) {
    for secret in [
      Self.password, Self.wrongPassword, Self.shortPassword, Self.token, Self.githubToken,
    ] {
      #expect(!text.contains(secret), "\(secret) is in the transcript")
    }
  }

  @Test func lineEndInAFieldOfOneLineReplays() throws {
    let server = try start(["--store", "memory"])
    _ = server.initialize()
    server.send(["jsonrpc": "2.0", "method": "initialized"])
    _ = server.request("login", ["name": "ann"])
    let todo = server.request("addTodo", ["title": "a"])?["result"]?["todo"]
    let id = try #require(todo?["id"])
    _ = server.request("screen/act", ["screen": "todoList", "action": "open", "item": id])
    _ = server.request(
      "screen/change", ["screen": "todoEdit", "values": ["title": "one\ntwo\r\nthree"]])
    #expect(try end(server).contains("== Title: one␊two\r␊three\n"))
  }

  @Test func sessionWithASourceReplays() throws {
    var model = GitHubModel()
    for number in 0..<3 { model.add(title: "Issue \(number + 1)", at: .now) }
    model.pageSizeMax = 2
    let github = GitHubServer(model)
    let accounts = LoopbackServer { _ in .json(#"{"token":"\#(Self.token)"}"#) }
    let server = try start(
      [
        "--source", "github:octo/tasks", "--github-url", github.url, "--sync", "manual",
        "--register-url", accounts.url + "/register",
      ], environment: ["GITHUB_TOKEN": Self.githubToken])
    _ = server.initialize()
    let typed: JSON = [
      "screen": "welcome", "values": ["name": "ann.lee@home", "password": .string(Self.password)],
    ]
    _ = server.request("screen/change", typed)
    let short: JSON = ["username": "ann.lee@home", "password": .string(Self.shortPassword)]
    #expect(server.request("register", short)?["error"] != nil)
    let account: JSON = ["username": "ann.lee@home", "password": .string(Self.password)]
    #expect(server.request("register", account)?["result"] != nil)
    _ = server.request("logout")
    let wrong: JSON = ["name": "ann.lee@home", "password": .string(Self.wrongPassword)]
    #expect(server.request("login", wrong)?["error"] != nil)
    let right: JSON = ["name": "ann.lee@home", "password": .string(Self.password)]
    #expect(server.request("login", right)?["result"] != nil)
    #expect(server.request("loadTodos")?["result"]?["total"] == 3)
    let id = try #require(server.request("listTodos")?["result"]?["todos"]?[0]?["id"])
    _ = server.request("editTodo", .object(["id": id, "note": "mine"]))
    _ = server.request("addTodo", ["title": .string("Not \(Self.githubToken)")])
    github.change { $0.edit(3, at: .now) { $0.setNote("theirs") } }
    let synced = server.request("syncTodos")?["result"]
    #expect(synced?["conflicts"] == 1 && synced?["pushed"] == 1)
    let version = server.request("listConflicts")?["result"]?["conflicts"]?[0]?["version"]
    _ = server.request(
      "resolveConflict",
      .object(["id": id, "version": try #require(version), "keep": "merged", "note": "both"]))
    #expect(server.request("syncTodos")?["result"]?["pushed"] == 1)
    #expect(github.change { $0.issues[3]?.note } == "both")
    let text = try end(server)
    checkSecrets(text)
    #expect(text.contains("Issue 3") && text.contains("PATCH"))
  }

  @Test func recordingIncludesTheTodosOfTheStore() throws {
    let store = "sqlite:\(folder.path("todos.sqlite"))"
    let before = try ServerProcess(["--store", store])
    _ = before.initialize()
    _ = before.request("login", ["name": "ann"])
    for title in ["one", "two"] { _ = before.request("addTodo", ["title": .string(title)]) }
    let done = before.request("listTodos")?["result"]?["todos"]?[1]?["id"]
    _ = before.request("editTodo", .object(["id": try #require(done), "done": true]))
    before.closeInput()
    _ = before.waitForEnd()

    let server = try start(["--store", store])
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    let todos = server.request("listTodos")?["result"]?["todos"]
    #expect(todos?[0]?["title"] == "two" && todos?[1]?["done"] == true)
    let id = try #require(todos?[0]?["id"])
    #expect(
      server.request("editTodo", .object(["id": id, "note": "more", "version": 1]))?["result"]
        != nil)
    _ = server.request("addTodo", ["title": "three"])
    let text = try end(server)
    #expect(text.contains("~~> kept ") && text.contains("three"))
  }

  /// A text that is later sent as a password is replaced in the whole recording. This includes:
  /// - text in the same piece of input as the password
  /// - text beside a U+0000. The JSON parser accepts the escape of this character, but the JSON
  ///   writer never writes the character.
  @Test func textThatIsLaterASecretIsReplacedEverywhere() throws {
    let server = try start(["--store", "memory"])
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    _ = server.request("addTodo", ["title": .string("It is \(Self.password)")])
    let null =
      #"{"jsonrpc":"2.0","id":80,"method":"addTodo","params":{"title":"a\u0000\#(Self.password)"}}"#
    server.send(Array("Content-Length: \(null.utf8.count)\r\n\r\n\(null)".utf8))
    #expect(server.answer(to: 80)?["error"]?["data"]?["kind"] == "validation")
    var bytes: [UInt8] = []
    for (id, name) in ["bea", "cleo"].enumerated() {
      let login: JSON = [
        "jsonrpc": "2.0", "id": .integer(Int64(90 + id)), "method": "login",
        "params": ["name": .string(name), "password": .string(Self.password)],
      ]
      FrameWriter(framing: .headers).append(to: &bytes) { $0.value(login) }
    }
    server.send(bytes)
    #expect(server.answer(to: 91)?["error"]?["data"]?["kind"] == "alreadyLoggedIn")
    _ = server.request("listTodos")
    checkSecrets(try end(server))
  }

  /// The messages have mistakes of front-ends: invalid JSON, values of the wrong type, missing
  /// names.
  @Test(arguments: [Framing.headers, .lines])
  func recordedInvalidMessageHidesSecretsAndReplays(framing: Framing) throws {
    let server = try start(framing: framing)
    _ = server.initialize(["store": .string("sqlite:\(folder.path("todos.sqlite"))")])
    let broken = #"{"id":5,"method":"login","params":{"name":"ann","password":"\#(Self.password)"}"#
    let escaped = #"{"password":"\u0070a55worD-of-ann ü","x":\#(Self.password)}"#
    for text in [broken, escaped] {
      switch framing {
      case .lines: server.send(Array("\(text)\n".utf8))
      case .headers: server.send(Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))
      }
      #expect(server.answer(to: .null)?["error"]?["code"] == -32700)
    }
    if framing == .headers {
      server.send(Array("Authorization: \(Self.githubToken)\r\n\r\n".utf8))
      #expect(server.answer(to: .null)?["error"]?["code"] == -32600)
    }
    _ = server.request("login", [.string("ann"), .string(Self.password)])
    _ = server.request("login", ["name": "ann", "password": [.string(Self.password)]])
    server.send(["id": 90, "method": "login", "params": ["password": .string(Self.password)]])
    #expect(server.answer(to: 90)?["error"]?["code"] == -32600)
    #expect(server.request("login", ["name": "ann"])?["result"] != nil)
    checkSecrets(try end(server))
  }

  @Test func recordingIsPrivateToItsOwner() throws {
    #expect(writeFile("old", transcript))
    #expect(chmod(transcript, 0o644) == 0)
    let server = try start()
    _ = server.initialize()
    var status = stat()
    #expect(stat(transcript, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(!(try end(server)).contains("old"))
  }

  @Test func unwritableRecordingIsReportedAtTheStart() throws {
    let run = try CommandRun(["--record", folder.path("no/such/folder.txt"), "--store", "memory"])
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("--record: \(folder.path("no/such/folder.txt")) cannot be written"))
  }

  /// After a kill, everything up to the last event is on disk.
  @Test func killedSessionReplays() throws {
    let server = try start(["--store", "memory"])
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    _ = server.request("addTodo", ["title": "Buy milk"])
    server.signalEnd(SIGKILL)
    #expect(server.waitForEnd() == -SIGKILL)
    #expect(try replayed().contains("Buy milk"))
  }

  @Test func signalAndOfflineSourceReplay() throws {
    let server = try start([
      "--source", "github:octo/tasks", "--github-url", "http://127.0.0.1:1",
    ])
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    #expect(server.request("loadTodos")?["error"]?["data"]?["kind"] == "offline")
    server.signalEnd(SIGTERM)
    #expect(server.waitForEnd() == 1)
    #expect(try replayed().contains("~~> signal"))
  }
}
