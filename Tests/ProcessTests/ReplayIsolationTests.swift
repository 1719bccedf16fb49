import System
import TestSupport
import Testing

/// Tests that a replay of an untrusted transcript reads and changes no file of the user.
@Suite struct ReplayIsolationTests {
  private let folder = TemporaryFolder()
  private var store: String { folder.path("home/todo-server/todos.sqlite") }

  /// The variables of the environment that could lead a replay to the user's files.
  private var environment: [String: String] {
    [
      "HOME": folder.path("home"), "XDG_DATA_HOME": folder.path("home"),
      "TODO_SERVER_STORE": "sqlite:\(store)", "TODO_SERVER_SOURCE": "github:octo/tasks",
      "TODO_SERVER_RECORD": folder.path("record"), "TODO_SERVER_TRACE": folder.path("trace"),
      "TODO_SERVER_LOG_FILE": folder.path("log"), "TODO_SERVER_CREDENTIALS": "file",
      "TODO_SERVER_REGISTER_URL": "http://127.0.0.1:9/register",
      "GITHUB_TOKEN": "the user's token",
    ]
  }

  /// Creates a store in which the profile `ann` has one todo.
  private func makeStore() throws {
    let lines = "{\"format\":\"todo-server\",\"version\":1}\n{\"title\":\"Mine\",\"id\":\"mine\"}\n"
    let imported = try CommandRun(
      ["import", "--name", "ann", "--store", "sqlite:\(store)"], input: Array(lines.utf8))
    try #require(imported.exitCode == 0, "\(imported.errors)")
  }

  private func export() throws -> String {
    try CommandRun(["export", "--store", "sqlite:\(store)"]).output
  }

  private func replay(_ transcript: String, _ arguments: String...) throws -> CommandRun {
    try #require(writeFile(transcript, folder.path("attack.txt")))
    return try CommandRun(
      ["replay", folder.path("attack.txt")] + arguments, environment: environment)
  }

  private static let changes = """
    --> {"id":2,"method":"login","params":{"name":"ann"}}
    --> {"id":3,"method":"removeTodo","params":{"id":"mine"}}
    --> {"id":4,"method":"addTodo","params":{"title":"Theirs"}}
    --> {"id":5,"method":"shutdown"}
    --> {"method":"exit"}

    """

  private func transcript(headers: String = "", options: String = "{}") -> String {
    """
    An attack.
    \(headers)

    --> {"id":1,"method":"initialize","params":{"initializationOptions":\(options)}}
    \(Self.changes)
    """
  }

  @Test(arguments: [[], ["--update"]])
  func storeInHeaderIsRefused(arguments: [String]) throws {
    try makeStore()
    let before = try export()
    let attack = transcript(headers: "store: sqlite:\(store)")
    try #require(writeFile(attack, folder.path("attack.txt")))
    let run = try CommandRun(["replay", folder.path("attack.txt")] + arguments)
    #expect(run.exitCode == 1)
    #expect(
      run.lines.first
        == "FAILED   \(folder.path("attack.txt")): store: A replay opens no file, so the store "
        + "sqlite:\(store) was not used. Write memory instead.")
    #expect(try export() == before)
    #expect(FileTree.text(of: folder.path("attack.txt")) == attack)
  }

  @Test func storeInInitializationOptionsIsRefused() throws {
    try makeStore()
    let before = try export()
    let run = try replay(transcript(options: "{\"store\":\"sqlite:\(store)\"}"), "--update")
    #expect(run.exitCode == 1)
    #expect(
      run.output.contains("line 4: A replay opens no file, so the store sqlite:\(store) was"))
    #expect(try export() == before)
  }

  @Test func refusalCannotBeExpectedByTheTranscript() throws {
    try makeStore()
    let attack = """
      An attack.

      --> {"id":1,"method":"initialize","params":{"initializationOptions":{"store":"sqlite:x"}}}
      <-- {"id":1,"error":"<any>"}

      """
    #expect(try replay(attack).exitCode == 1)
    #expect(access("x", F_OK) != 0)
  }

  /// A replay uses no variable of the environment: neither for a store nor for tokens, logs or
  /// anything else.
  @Test func environmentIsNotUsed() throws {
    try makeStore()
    let before = try export()
    let filesBefore = FileTree.files(below: folder.path)
    for headers in [
      "", "store: sqlite", "register: http://127.0.0.1:9/r\nsource: github:octo/tasks",
    ] {
      let run = try replay(transcript(headers: headers), "--update")
      #expect(run.lines.last == "0 passed, 0 failed, 1 updated", "\(run.output)")
      let updated = try #require(FileTree.text(of: folder.path("attack.txt")))
      #expect(!updated.contains("the user's token") && !updated.contains("Mine"))
    }
    #expect(try export() == before)
    let files = FileTree.files(below: folder.path)
    #expect(Set(files) == Set(filesBefore + [folder.path("attack.txt")]))
  }

  /// Responses of services are read from the transcript's folder only.
  @Test(arguments: ["../secret.http", "PATH", "link.http", "./inside.http", "folder/secret.http"])
  func answerOutsideTheFolderIsRefused(name: String) throws {
    let answer = "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]\n"
    try #require(mkdir(folder.path("own"), 0o700) == 0)
    try #require(writeFile(answer, folder.path("secret.http")))
    try #require(writeFile(answer, folder.path("own/inside.http")))
    try #require(symlink("../secret.http", folder.path("own/link.http")) == 0)
    try #require(symlink("..", folder.path("own/folder")) == 0)
    let name = name == "PATH" ? folder.path("secret.http") : name
    let attack = """
      An attack.
      source: github:octo/tasks

      --> {"id":1,"method":"initialize"}
      --> {"id":2,"method":"login","params":{"name":"ann"}}
      ~~> file \(name)

      """
    try #require(writeFile(attack, folder.path("own/attack.txt")))
    let run = try CommandRun(["replay", folder.path("own/attack.txt")], environment: environment)
    #expect(run.exitCode == 1)
    #expect(
      run.output.contains(
        "~~> file \(name): is outside of \(folder.path("own")), or a link. Name a file in that "
          + "folder."), "\(run.output)")
    let plain = attack.replacing(name, with: "inside.http")
    try #require(writeFile(plain, folder.path("own/attack.txt")))
    let passed = try CommandRun(
      ["replay", folder.path("own/attack.txt"), "--update"], environment: environment)
    #expect(passed.exitCode == 0, "\(passed.output)")
  }

  /// No link leads out of an untrusted folder, and no FIFO in it blocks a replay.
  @Test func folderIsNotLeftByALink() throws {
    try #require(mkdir(folder.path("own"), 0o700) == 0)
    try #require(writeFile("Why.\n\n--> {\"method\":\"initialized\"}\n", folder.path("a.txt")))
    try #require(symlink("../a.txt", folder.path("own/link.txt")) == 0)
    try #require(mkfifo(folder.path("own/pipe.txt"), 0o600) == 0)
    let run = try CommandRun(["replay", folder.path("own")])
    let own = folder.path("own")
    #expect(
      run.lines == [
        "FAILED   \(own)/link.txt: is a link to a file outside of \(own). "
          + "Replay that file by its path.",
        "FAILED   \(own)/pipe.txt: is not a regular file", "0 passed, 2 failed",
      ])
    #expect(try CommandRun(["replay", folder.path("own/link.txt")]).exitCode == 0)
  }

  /// An untrusted folder may contain a link at a likely path of a temporary file. `--update` does
  /// not write through the link.
  @Test func updateWritesThroughNoLink() throws {
    try #require(writeFile("keep", folder.path("victim")))
    try #require(symlink("victim", folder.path("attack.txt.new")) == 0)
    let run = try replay("Why.\n\n--> {\"id\":1,\"method\":\"shutdown\"}\n", "--update")
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(FileTree.text(of: folder.path("victim")) == "keep")
    #expect(FileTree.names(in: folder.path) == ["attack.txt", "attack.txt.new", "victim"])
  }
}
