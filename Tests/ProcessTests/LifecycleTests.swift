import JSONRPC
import System
import TestSupport
import Testing

/// Tests the start and the end of the program.
@Suite struct LifecycleTests {
  private func start(_ framing: Framing = .headers) throws -> ServerProcess {
    try ServerProcess(["--store", "memory"], framing: framing)
  }

  @Test func endOfInputEndsTheServer() throws {
    let server = try start()
    _ = server.initialize()
    server.closeInput()
    #expect(server.waitForEnd() == 1)
  }

  @Test func endOfInputInLinesFramingExitsWithZero() throws {
    let server = try start(.lines)
    _ = server.initialize()
    server.closeInput()
    #expect(server.waitForEnd() == 0)
  }

  @Test func requestsInOneWriteAreAnsweredBeforeTheEnd() throws {
    let server = try start()
    var bytes: [UInt8] = []
    let frames = FrameWriter(framing: .headers)
    func add(_ id: JSON?, _ method: String, _ params: JSON = .object([:])) {
      var message: JSONObject = ["jsonrpc": "2.0"]
      if let id { message["id"] = id }
      message["method"] = .string(method)
      message["params"] = params
      frames.append(to: &bytes) { $0.value(.object(message)) }
    }
    add("i", "initialize")
    add(nil, "initialized")
    add("l", "login", ["name": "ann"])
    for number in 0..<100 { add(.integer(Int64(number)), "addTodo", ["title": "\(number)"]) }
    add("s", "shutdown")
    add(nil, "exit")
    server.send(bytes)
    server.closeInput()
    var ids: [JSON] = []
    while let message = server.next() { if let id = message["id"] { ids.append(id) } }
    #expect(ids == ["i", "l"] + (0..<100).map { .integer($0) } + ["s"])
    #expect(server.waitForEnd() == 0)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func signalEndsTheServer(number: Int32) throws {
    let server = try start()
    _ = server.initialize()
    server.signalEnd(number)
    #expect(server.waitForEnd() == 1)
  }

  @Test func interruptOfTheFrontEndIsIgnored() throws {
    let server = try start()
    _ = server.initialize()
    server.signalEnd(SIGINT)
    #expect(server.request("workflow/rendering")?["result"] != nil)
  }

  @Test func serverEndsWithItsParent() throws {
    let parent = try start()
    let server = try start()
    _ = server.request("initialize", .object(["processId": .integer(Int64(parent.processID))]))
    parent.signalEnd(SIGKILL)
    // A process that has ended stays visible until `waitpid`.
    _ = parent.waitForEnd()
    #expect(server.waitForEnd() == 1)
  }

  @Test func invisibleParentProcessIsNotWatched() throws {
    let gone = try start()
    let processID = gone.processID
    gone.signalEnd(SIGKILL)
    _ = gone.waitForEnd()
    let server = try start()
    let answer = server.request(
      "initialize", .object(["processId": .integer(Int64(processID))]))
    #expect(answer?["result"] != nil)
    #expect(server.request("workflow/rendering")?["result"] != nil)
  }

  @Test(arguments: [
    ["--store"], ["--store", "cards"], ["--source=github:one"], ["--nonsense"], ["replay"],
    ["--max-frame-bytes", "-1"], ["--log-level", "loud"],
  ])
  func invalidCommandLineHasOneLineAndExitCode64(arguments: [String]) throws {
    let server = try ServerProcess(arguments)
    #expect(server.waitForEnd() == 64)
    #expect(server.stdout.isEmpty)
    let lines = String(decoding: server.readErrors(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 1)
  }

  @Test func versionAndHelpArePrinted() throws {
    for (flag, start) in [("--version", "todo-server "), ("--help", "todo-server:")] {
      let server = try ServerProcess([flag])
      #expect(server.waitForEnd() == 0)
      #expect(String(decoding: server.stdout, as: UTF8.self).hasPrefix(start))
    }
  }

  @Test func unusableStoreIsAStorageError() throws {
    let server = try ServerProcess(["--store", "sqlite:/dev/null/todos.sqlite"])
    let answer = server.initialize()
    #expect(answer?["error"]?["code"]?.integerValue == -32803)
    #expect(answer?["error"]?["data"]?["kind"]?.stringValue == "storage")
  }
}
