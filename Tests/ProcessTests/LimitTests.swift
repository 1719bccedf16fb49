import JSONRPC
import System
import TestSupport
import Testing

/// Tests limits of the process and the machine: they are reported, and the program keeps running.
@Suite struct LimitTests {
  private let folder = TemporaryFolder()
  private var store: String { folder.path("todos.sqlite") }

  /// Runs the program with limits set by the shell.
  private func limited(
    _ limits: String, _ arguments: String, environment: [String: String] = [:]
  ) throws -> ServerProcess {
    try ServerProcess(
      ["-c", "\(limits) && exec \"$0\" \(arguments)", ServerProcess.program],
      environment: ["HOME": folder.path].merging(environment) { $1 }, program: "/bin/sh")
  }

  private func makeStore() throws {
    let lines = "{\"format\":\"todo-server\",\"version\":1}\n{\"title\":\"x\"}\n"
    let imported = try CommandRun(
      ["import", "--name", "ann", "--store", "sqlite:\(store)"], input: Array(lines.utf8))
    try #require(imported.exitCode == 0, "\(imported.errors)")
  }

  @Test func fileSizeLimitIsAStorageError() throws {
    try makeStore()
    let server = try limited("ulimit -f 2048", "--store sqlite:\(store)")
    #expect(server.initialize()?["result"] != nil)
    _ = server.request("login", ["name": "ann"])
    let note = JSON.string(String(repeating: "n", count: 1_000_000))
    var error: JSON?
    for _ in 0..<5 where error == nil {
      let answer = try #require(server.request("addTodo", ["title": "Long", "note": note]))
      error = answer["error"]
    }
    #expect(error?["data"]?["kind"] == "storage")
    #expect(error?["message"]?.stringValue?.contains("(ulimit -f") == true, "\(error as Any)")
    // The server keeps running, and the store is intact.
    #expect(server.request("listTodos")?["result"]?["todos"] != nil)
    #expect(server.request("shutdown")?["result"] == .null)
    server.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(server.waitForEnd() == 0)
    #expect(try CommandRun(["doctor", "--store", "sqlite:\(store)"]).exitCode == 0)
  }

  /// When the descriptors run out, the error names their limit. This does not depend on the file
  /// that cannot be opened.
  @Test(arguments: 5...12)
  func missingDescriptorsAreNamed(limit: Int) throws {
    try makeStore()
    let run = try limited("ulimit -n \(limit)", "export --store sqlite:\(store)")
    run.closeInput()
    let exitCode = run.waitForEnd()
    let errors = String(decoding: run.readErrors(), as: UTF8.self)
    if exitCode == 0 {
      #expect(errors.isEmpty && limit > 5, "\(errors)")
    } else {
      #expect(errors.contains("Raise its limit (ulimit -n)"), "\(errors)")
      #expect(!errors.contains("yours") && !errors.contains("Choose another place"), "\(errors)")
    }
  }

  @Test func temporaryFolderThatCannotBeWrittenIsNamed() throws {
    let environment = ["TMPDIR": folder.path("absent")]
    let run = try CommandRun(
      ["import", "--name", "ann", "--store", "sqlite:\(store)"], environment: environment)
    #expect(run.exitCode == 1)
    #expect(
      run.errors == "todo-server: The input is kept in a temporary file first, and none can be "
        + "written in \(folder.path("absent")): No such file or directory. Set TMPDIR to a folder "
        + "that you may write, or import from a file: todo-server import < FILE\n")
  }
}
