import CSQLite
import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// Tests that `todo-server doctor` reports the state of the installation and changes nothing.
@Suite struct DoctorTests {
  private let folder = TemporaryFolder()
  private static let token = "ghp-tok3n-of-github"

  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }
  private var store: String { folder.path("todo-server/todos.sqlite") }

  private func doctor(
    _ arguments: [String] = ["doctor"], _ more: [String: String] = [:]
  ) throws -> CommandRun {
    try CommandRun(arguments, environment: environment.merging(more) { $1 })
  }

  /// Adds two todos, and ends the server cleanly or by SIGKILL.
  private func fill(thenKill isKilled: Bool = false) throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    for title in ["one", "two"] { _ = server.request("addTodo", ["title": .string(title)]) }
    if isKilled { server.signalEnd(SIGKILL) } else { server.closeInput() }
    _ = server.waitForEnd()
  }

  /// Returns every file with its bytes.
  private var contents: [String: [UInt8]] {
    FileTree.files(below: folder.path).reduce(into: [:]) { contents, file in
      contents[file] = RecordedResponse.bytes(of: file)
    }
  }

  @Test func doctorDoesNotCreateAMissingStore() throws {
    let run = try doctor()
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(run.lines.first == "ok: todo-server \(Product.version)")
    #expect(run.lines.contains("note: store: \(store) does not exist; the first start creates it"))
    #expect(FileTree.names(in: folder.path).isEmpty)
  }

  /// `doctor --json` prints the same findings as JSON, on one line.
  @Test func jsonHasTheSameFindings() throws {
    try fill()
    _ = chmod(store, 0o644)
    let run = try doctor(["doctor", "--json"])
    let plain = try doctor()
    #expect(run.exitCode == 1 && plain.exitCode == 1 && run.lines.count == 1)
    let report = try JSON(parsing: Array(run.output.utf8))
    #expect(report["ok"] == false && report["version"]?.stringValue == Product.version)
    let findings = try #require(report["findings"]?.arrayValue)
    let lines = findings.map { finding in
      "\(finding["verdict"]?.stringValue ?? ""): \(finding["text"]?.stringValue ?? "")"
    }
    #expect(lines == plain.lines)
    #expect(findings.last?["verdict"] == "problem" && findings.last?["topic"] == "store")
    let topics = findings.compactMap { $0["topic"]?.stringValue }
    #expect(topics.contains("GitHub token"))
  }

  @Test func jsonIsForDoctorAlone() throws {
    let run = try CommandRun(["export", "--json"], environment: environment)
    #expect(run.exitCode == 64 && run.errors.contains("--json is for doctor"))
  }

  @Test(arguments: [false, true])
  func doctorDoesNotChangeTheStore(isKilled: Bool) throws {
    try fill(thenKill: isKilled)
    let before = contents
    let run = try doctor()
    #expect(run.exitCode == 0, "\(run.output)")
    for line in [
      "ok: store: \(store), mode 600", "ok: folder: \(folder.path("todo-server")), mode 700",
      "ok: integrity: ok", "ok: content: 1 list, 2 todos, 0 accounts",
      "ok: source: local; nothing is loaded",
    ] {
      #expect(run.lines.contains(line), "\(line) is not in \(run.output)")
    }
    #expect(run.errors.isEmpty)
    #expect(contents == before)
  }

  @Test func doctorReadsAStoreInUse() throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    _ = server.request("addTodo", ["title": "one"])
    let run = try doctor()
    #expect(run.lines.contains("ok: content: 1 list, 1 todo, 0 accounts"), "\(run.output)")
    let added = server.request("addTodo", ["title": "two"])
    #expect(added?["result"]?["todo"] != nil)
    let again = try doctor()
    #expect(again.lines.contains("ok: content: 1 list, 2 todos, 0 accounts"), "\(again.output)")
  }

  @Test(arguments: [
    ["doctor", "--store", "memory"], ["--store", "memory", "doctor"],
    ["serve", "--store=memory", "doctor"], ["doctor", "serve", "--store", "memory"],
  ])
  func commandComesBeforeOrAfterTheOptions(arguments: [String]) throws {
    let run = try doctor(arguments)
    #expect(run.exitCode == 0)
    #expect(run.output.contains("note: store: in memory"))
  }

  @Test(arguments: [["doctor", "twice"], ["doctor", "--unknown"], ["heal"]])
  func unknownArgumentIsAUsageError(arguments: [String]) throws {
    let run = try doctor(arguments)
    #expect(run.exitCode == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("unknown argument"))
  }

  @Test func filesOpenToOthersAreAProblem() throws {
    try fill()
    let credentials = folder.path("todo-server/credentials.json")
    let file = fopen(credentials, "wb")
    fputs(#"{"accounts":{"ann":"\#(Self.token)"}}"#, file)
    fclose(file)
    for path in [store, folder.path("todo-server"), credentials] { chmod(path, 0o755) }
    let run = try doctor()
    #expect(run.exitCode == 1)
    for remedy in [
      "chmod 600 \(store)", "chmod 700 \(folder.path("todo-server"))",
    ] {
      #expect(
        run.lines.contains { $0.hasPrefix("problem: ") && $0.hasSuffix(remedy) }, "\(run.output)")
    }
    #expect(run.lines.contains { $0.hasPrefix("problem: credentials: ") })
    #expect(!run.output.contains(Self.token))
    chmod(folder.path("todo-server"), 0o700)
    chmod(store, 0o600)
    let second = try doctor()
    #expect(second.lines.last?.contains("chmod 600 \(credentials)") == true)
    chmod(credentials, 0o600)
    let third = try doctor()
    #expect(third.lines.contains("ok: credentials: \(credentials), mode 600, 1 token"))
    #expect(third.exitCode == 0)
  }

  /// `doctor` escapes unprintable characters in paths, because another user may have chosen the
  /// path, and the output may go to a terminal.
  @Test func pathsArePrintable() throws {
    let name = folder.path("a\u{1b}[31m\u{9b}2J\u{202e}\u{200b}b")
    for arguments in [["doctor"], ["doctor", "--json"]] {
      let run = try doctor(arguments + ["--store", "sqlite:\(name)/todos.sqlite"])
      #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable })
      #expect(run.output.contains(#"u{9b}2J"#))
    }
  }

  @Test func fileOfAnotherUserIsAProblem() throws {
    try fill()
    let locks = store + "-hosts"
    close(creat(locks, 0o600))
    chmod(locks, 0o622)
    chmod(folder.path, 0o777)
    let run = try doctor()
    #expect(run.exitCode == 1)
    #expect(run.lines.contains { $0.hasPrefix("problem: ") && $0.hasSuffix("chmod go-w \(locks)") })
    #expect(
      run.lines.contains { $0.hasPrefix("problem: ") && $0.hasSuffix("chmod go-w \(folder.path)") })
    chmod(folder.path, 0o1777)
    chmod(locks, 0o600)
    #expect(try doctor().exitCode == 0)
    guard geteuid() == 0 else { return }
    for name in ["todo-server/todos.sqlite-hosts", "todo-server"] {
      let path = folder.path(name)
      chown(path, 65_534, 65_534)
      let run = try doctor()
      #expect(run.exitCode == 1)
      #expect(
        run.lines.contains { $0.hasPrefix("problem: ") && $0.hasSuffix("chown 0 \(path)") },
        "\(run.output)")
      chown(path, 0, 0)
    }
    // The owner of a folder above can replace the folder below.
    chown(folder.path, 65_534, 65_534)
    let above = try doctor()
    #expect(above.exitCode == 1)
    #expect(above.output.contains("store: \(folder.path) belongs to another user (number 65534), "))
    chown(folder.path, 0, 0)
  }

  /// If a FIFO has the place of a file that SQLite opens beside the store, `doctor` reports the
  /// FIFO and does not open it. Opening the FIFO would block until it has a writer.
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func pipeBesideTheStoreDoesNotBlock(suffix: String) throws {
    try fill()
    for suffix in ["-wal", "-shm", "-journal"] { unlink(store + suffix) }
    mkfifo(store + suffix, 0o600)
    let run = try doctor()
    #expect(run.exitCode == 1)
    let said = run.lines.filter { $0.contains("\(store)\(suffix) is a pipe, a device or a folder") }
    #expect(said.count == 1 && said.first?.hasPrefix("problem: store: ") == true, "\(run.output)")
  }

  @Test func unknownTablesAreAProblem() throws {
    try fill()
    var database: OpaquePointer?
    #expect(sqlite3_open(store, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "CREATE VIEW evil AS SELECT 1", nil, nil, nil) == SQLITE_OK)
    sqlite3_close_v2(database)
    let run = try doctor()
    #expect(run.exitCode == 1)
    #expect(run.lines.last?.hasPrefix("problem: schema: ") == true)
    #expect(run.lines.last?.contains("has a view evil that is not ours") == true)
    let export = try doctor(["export"])
    #expect(export.exitCode == 1 && export.errors.contains("has a view evil that is not ours"))
  }

  @Test func damagedStoreIsAProblemAndIsNotMoved() throws {
    try fill()
    // Checkpoints the write-ahead log into the file.
    _ = try CommandRun(["export", "--name", "ann"], environment: environment)
    let file = fopen(store, "r+b")
    fseek(file, 4_096 + 100, SEEK_SET)
    fputs(String(repeating: "x", count: 20_000), file)
    fclose(file)
    let before = contents
    let run = try doctor()
    #expect(run.exitCode == 1)
    #expect(run.lines.last?.hasPrefix("problem: ") == true)
    #expect(contents == before)
    // An empty export would replace an earlier one.
    let export = try doctor(["export"])
    #expect(export.exitCode == 1 && export.output.isEmpty)
    #expect(export.errors.contains("is damaged. It was not changed"))
    #expect(contents == before)
  }

  @Test func tablesThatCannotBeReadAreAProblem() throws {
    try fill()
    var database: OpaquePointer?
    #expect(sqlite3_open(store, &database) == SQLITE_OK)
    let sql = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = NULL WHERE name = 'todo'"
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close_v2(database)
    let before = contents
    let run = try doctor()
    #expect(run.exitCode == 1)
    #expect(run.lines.last?.hasPrefix("problem: schema: ") == true, "\(run.output)")
    #expect(run.lines.last?.contains("has lost what the table todo is") == true)
    #expect(contents == before)
  }

  @Test func doctorRejectsNonDatabaseFile() throws {
    let path = folder.path("notes.txt")
    let file = fopen(path, "wb")
    fputs("These are my notes.", file)
    fclose(file)
    chmod(path, 0o600)
    let run = try doctor(["doctor", "--store", "sqlite:\(path)"])
    #expect(run.exitCode == 1)
    #expect(run.lines.last?.contains("is not a database") == true)
    let folderRun = try doctor(["doctor", "--store", "sqlite:\(folder.path)"])
    #expect(folderRun.lines.last?.contains("is not a file") == true)
  }

  @Test func damagedStoresSetAsideAreListed() throws {
    try fill()
    for name in ["damaged-2026-01-01T000000Z", "damaged-2026-01-01T000000Z-wal", "schema-1-2026"] {
      fclose(fopen("\(store).\(name)", "wb"))
    }
    let run = try doctor()
    #expect(run.exitCode == 0)
    let notes = run.lines.filter { $0.contains("set aside: ") || $0.contains("backup: ") }
    #expect(notes.count == 2, "\(run.output)")
  }

  @Test func sourceReceivesOneRequest() throws {
    let service = LoopbackServer { _ in .json("[]") }
    let arguments = ["doctor", "--source", "github:octo/tasks", "--github-url", service.url]
    let run = try doctor(arguments, ["GH_TOKEN": Self.token])
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(run.lines.contains("ok: GitHub token: from GH_TOKEN"))
    #expect(run.output.contains("answers with status 200"))
    #expect(service.requests.count == 1)
    #expect(service.requests.first?["Authorization"] == "Bearer \(Self.token)")
    #expect(!run.output.contains(Self.token))
  }

  @Test func refusingSourceIsAProblem() throws {
    let service = LoopbackServer { request in
      .json(#"{"message":"Bad: \#(request["Authorization"] ?? "")"}"#, status: 401)
    }
    let arguments = ["doctor", "--source", "github:octo/tasks", "--github-url", service.url]
    let run = try doctor(arguments, ["GITHUB_TOKEN": Self.token])
    #expect(run.exitCode == 1)
    #expect(run.lines.last?.hasPrefix("problem: source: github:octo/tasks") == true)
    #expect(!run.output.contains(Self.token))
    let closed = LoopbackSocket()
    let offline = try doctor([
      "doctor", "--source", "github:octo/tasks", "--github-url",
      "http://127.0.0.1:\(closed.port)",
    ])
    #expect(offline.exitCode == 1)
  }

  @Test(arguments: [
    ("https://example.org/register", "ok: register URL: https://example.org:443 is allowed", 0),
    ("http://example.org/register", "plain http to example.org", 1),
    ("example", "http or https", 1),
  ])
  func registerURLIsChecked(url: String, text: String, exitCode: Int32) throws {
    let run = try doctor(["doctor", "--register-url", url])
    #expect(run.exitCode == exitCode)
    #expect(run.lines.contains { $0.contains(text) }, "\(run.output)")
  }
}
