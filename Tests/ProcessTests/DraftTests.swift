import JSONRPC
import System
import TestSupport
import Testing

/// Tests that unsaved text survives the end of the server.
@Suite struct DraftTests {
  private let folder = TemporaryFolder()
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }
  private var dataFolder: String { folder.path("todo-server") }

  private var draftFiles: [String] {
    FileTree.files(below: dataFolder).filter { $0.contains("todos.sqlite.drafts-") }
  }

  /// Logs in, and waits for the list.
  private func logIn(_ server: ServerProcess) {
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    _ = server.request("loadTodos")
  }

  /// Opens the form of the todo, and returns the values of its fields.
  private func open(_ id: JSON, on server: ServerProcess) throws -> [String: String] {
    _ = server.request(
      "screen/act", .object(["screen": "todoList", "action": "open", "item": id]))
    let answer = try #require(server.request("workflow/rendering"))
    let screen = try #require(answer["result"]?["rendering"]?["items"]?.arrayValue?.last?["screen"])
    #expect(screen["name"] == "todoEdit")
    let fields = screen["body"]?["fields"]?.arrayValue ?? []
    return Dictionary(
      uniqueKeysWithValues: fields.map {
        ($0["name"]?.stringValue ?? "", $0["value"]?.stringValue ?? "")
      })
  }

  private func type(_ note: String, _ server: ServerProcess) {
    _ = server.request(
      "screen/change", ["screen": "todoEdit", "values": ["note": .string(note)]])
  }

  private func addTodo(_ server: ServerProcess) throws -> JSON {
    let added = try #require(server.request("addTodo", ["title": "Buy milk"]))
    return try #require(added["result"]?["todo"]?["id"])
  }

  @Test func textSurvivesKills() throws {
    var server = try ServerProcess(environment: environment)
    logIn(server)
    let id = try addTodo(server)
    var text = ""
    for round in 0..<5 {
      #expect(try open(id, on: server)["note"] == text)
      text += "Line \(round)\n"
      type(text, server)
      let written = JSON.string(text).compactText
      while !draftFiles.contains(where: { FileTree.text(of: $0)?.contains(written) ?? false }) {
        usleep(10_000)
      }
      for file in draftFiles { #expect(FileMode(of: file)?.description == "600") }
      server.signalEnd(SIGKILL)
      _ = server.waitForEnd()
      server = try ServerProcess(environment: environment)
      logIn(server)
    }
    #expect(try open(id, on: server)["note"] == text)
    _ = server.request("screen/act", ["screen": "todoEdit", "action": "save"])
    server.closeInput()
    _ = server.waitForEnd()
    #expect(draftFiles.isEmpty)
    let last = try ServerProcess(environment: environment)
    logIn(last)
    let kept = try #require(last.request("getTodo", .object(["id": id])))
    #expect(kept["result"]?["todo"]?["note"]?.stringValue == text)
  }

  /// Drafts are written at most once a second. But if a save needs a decision of the user, the
  /// response to the save waits until the draft is written.
  @Test func textOfASaveThatNeedsADecisionSurvivesAnImmediateKill() throws {
    let server = try ServerProcess(environment: environment)
    logIn(server)
    let id = try addTodo(server)
    _ = try open(id, on: server)
    type("One", server)
    while !draftFiles.contains(where: { FileTree.text(of: $0)?.contains("One") ?? false }) {
      usleep(10_000)
    }
    _ = server.request("editTodo", .object(["id": id, "note": "Two"]))
    let answer = server.request(
      "screen/act",
      ["screen": "todoEdit", "action": "save", "values": ["note": "Three"], "stay": true])
    #expect(answer?["result"]?["outcome"] == "asks")
    server.signalEnd(SIGKILL)
    _ = server.waitForEnd()
    let next = try ServerProcess(environment: environment)
    logIn(next)
    let drafts = try #require(next.request("listDrafts"))
    #expect(drafts["result"]?.compactText.contains("Three") == true)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func textSurvivesASignalImmediately(signal: Int32) throws {
    let server = try ServerProcess(environment: environment)
    logIn(server)
    let id = try addTodo(server)
    _ = try open(id, on: server)
    type("Two", server)
    type("Two litres", server)
    server.signalEnd(signal)
    _ = server.waitForEnd()
    let next = try ServerProcess(environment: environment)
    logIn(next)
    #expect(try open(id, on: next)["note"] == "Two litres")
    #expect(draftFiles.isEmpty)
  }

  /// A logout and a login arrive together, so the server reads both in one step of its loop. The
  /// typed text must survive.
  @Test func textSurvivesALogoutAndLoginInOneStep() throws {
    let server = try ServerProcess(environment: environment)
    logIn(server)
    let id = try addTodo(server)
    _ = try open(id, on: server)
    type("Two litres", server)
    var bytes: [UInt8] = []
    let requests: [JSON] = [
      ["jsonrpc": "2.0", "id": "out", "method": "logout"],
      ["jsonrpc": "2.0", "id": "in", "method": "login", "params": ["name": "ann"]],
    ]
    for request in requests {
      FrameWriter(framing: .headers).append(to: &bytes) { $0.value(request) }
    }
    server.send(bytes)
    _ = server.request("loadTodos")
    #expect(try open(id, on: server)["note"] == "Two litres")
  }

  @Test func textOfARunningServerIsItsOwn() throws {
    let one = try ServerProcess(environment: environment)
    logIn(one)
    let id = try addTodo(one)
    _ = try open(id, on: one)
    type("Two litres", one)
    while draftFiles.isEmpty { usleep(10_000) }
    let two = try ServerProcess(environment: environment)
    logIn(two)
    #expect(try open(id, on: two)["note"] == "")
  }

  @Test func discardedTextLeavesNoFile() throws {
    let server = try ServerProcess(environment: environment)
    logIn(server)
    let id = try addTodo(server)
    _ = try open(id, on: server)
    type("Two litres", server)
    while draftFiles.isEmpty { usleep(10_000) }
    _ = server.request("screen/act", ["screen": "todoEdit", "action": "discard"])
    server.closeInput()
    _ = server.waitForEnd()
    #expect(draftFiles.isEmpty)
  }

  @Test func discardedDraftDoesNotReturnAfterAKill() throws {
    let first = try ServerProcess(environment: environment)
    logIn(first)
    let id = try addTodo(first)
    _ = try open(id, on: first)
    type("Two litres", first)
    first.signalEnd(SIGTERM)
    _ = first.waitForEnd()
    let second = try ServerProcess(environment: environment)
    logIn(second)
    #expect(try open(id, on: second)["note"] == "Two litres")
    _ = second.request("screen/act", ["screen": "todoEdit", "action": "discard"])
    second.signalEnd(SIGKILL)
    _ = second.waitForEnd()
    let third = try ServerProcess(environment: environment)
    logIn(third)
    #expect(try open(id, on: third)["note"] == "")
  }

  @Test func storeInMemoryHasNoDrafts() throws {
    let server = try ServerProcess(["--store", "memory"], environment: environment)
    logIn(server)
    let id = try addTodo(server)
    _ = try open(id, on: server)
    type("Two litres", server)
    server.signalEnd(SIGTERM)
    _ = server.waitForEnd()
    #expect(FileTree.files(below: folder.path).isEmpty)
  }

  /// If a draft exceeds the limit on the size of files, the server keeps running, and warns once, in
  /// its log and on the front screen.
  @Test func textThatCannotBeWrittenIsReportedOnce() async throws {
    let server = try ServerProcess(
      ["-c", "ulimit -f 1024; exec \"$0\" \"$@\"", ServerProcess.program],
      environment: environment, program: "/bin/sh")
    logIn(server)
    let id = try addTodo(server)
    _ = try open(id, on: server)
    let text = String(repeating: "x", count: 900_000)
    for round in 0..<3 {
      type("\(round) \(text)", server)
      try await Task.sleep(for: .milliseconds(1_100))
    }
    let shown = try #require(server.request("workflow/rendering")?["result"]).compactText
    #expect(shown.contains("Unsaved text is not kept in"))
    type("short", server)
    server.signalEnd(SIGTERM)
    _ = server.waitForEnd()
    let errors = String(decoding: server.readErrors(), as: UTF8.self)
    let warnings = errors.split(separator: "\n").filter { $0.contains("Unsaved text") }
    #expect(warnings.count == 1, "\(errors)")
    #expect(warnings.first?.contains("warning: Unsaved text is not kept in") == true)
    let next = try ServerProcess(environment: environment)
    logIn(next)
    #expect(try open(id, on: next)["note"] == "short")
  }
}
