import JSONRPC
import System
import TestSupport
import Testing

/// Pipes that nobody reads, nobody writes, or that are gone.
@Suite struct PipeTests {
  private func frames(_ count: Int, _ method: String) -> [UInt8] {
    let frames = FrameWriter(framing: .headers)
    var bytes: [UInt8] = []
    for id in 0..<count {
      frames.append(to: &bytes) {
        $0.value(["jsonrpc": "2.0", "id": .integer(Int64(id)), "method": .string(method)])
      }
    }
    return bytes
  }

  /// Resident memory in kilobytes.
  private func residentKilobytes(_ processID: pid_t) throws -> Int {
    let status = try #require(FileTree.text(of: "/proc/\(processID)/status"))
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.split(whereSeparator: { " \t".contains($0) })[1]))
  }

  @Test func aClientThatSendsAndNeverReadsIsMadeToWait() throws {
    let server = try ServerProcess(["--store", "memory"])
    _ = server.initialize()
    let requests = frames(200_000, "workflow/rendering")
    // As much as the pipes take and may wait; the rest is not taken.
    let takenCount = server.sendWhatIsTaken(requests)
    #expect(takenCount < requests.count)
    #expect(try residentKilobytes(server.processID) < 128_000)
    // When it reads again, everything is answered, in order.
    let frameBytes = requests.count / 200_000
    var ids: [Int64] = []
    while ids.count < takenCount / (frameBytes + 2), let message = server.next() {
      if let id = message["id"]?.integerValue { ids.append(id) }
    }
    #expect(ids == Array(0..<Int64(ids.count)))
  }

  @Test func aStderrThatNobodyReadsBlocksNothing() throws {
    let server = try ServerProcess(["--store", "memory", "--log-level", "debug"])
    _ = server.initialize()
    // Each is logged, which is many times what a pipe takes.
    let frames = FrameWriter(framing: .headers)
    var bytes: [UInt8] = []
    for _ in 0..<5_000 {
      frames.append(to: &bytes) { $0.value(["jsonrpc": "2.0", "method": "no/such/notification"]) }
    }
    server.send(bytes)
    #expect(server.request("workflow/rendering")?["result"] != nil)
    let lines = String(decoding: server.readWaitingErrors(), as: UTF8.self)
    #expect(lines.contains("no/such/notification"))
    // The next line says how many were lost.
    server.send(["jsonrpc": "2.0", "method": "no/such/notification"])
    #expect(server.request("workflow/rendering")?["result"] != nil)
    let later = String(decoding: server.readWaitingErrors(), as: UTF8.self)
    #expect(later.contains("log lines were dropped"))
  }

  @Test func aReaderThatIsGoneEndsTheServer() throws {
    let server = try ServerProcess(["--store", "memory"])
    _ = server.initialize()
    server.closeOutput()
    #expect(server.waitForEnd() == 1)
  }

  @Test func nothingPrintedByAccidentReachesTheFrontEnd() throws {
    let server = try ServerProcess(
      ["--store", "memory"], environment: ["TODO_SERVER_DEBUGGABLE": "1"])
    _ = server.initialize()
    #expect(link(server, 1) == link(server, 2))
    #expect(!link(server, 1).isEmpty)
  }

  private func link(_ server: ServerProcess, _ descriptor: Int) -> String {
    FileTree.destination(ofLink: "/proc/\(server.processID)/fd/\(descriptor)")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func workThatHangsDoesNotKeepTheServer(number: Int32) throws {
    let silent = LoopbackSocket.silent()
    let server = try ServerProcess([
      "--store", "memory", "--source", "github:octo/tasks",
      "--github-url", "http://127.0.0.1:\(silent.port)",
    ])
    _ = server.initialize()
    #expect(server.request("login", ["name": "ann"])?["result"] != nil)
    server.send(["jsonrpc": "2.0", "id": 9, "method": "loadTodos"])
    #expect(server.request("workflow/rendering")?["result"] != nil)
    server.signalEnd(number)
    #expect(server.answer(to: 9)?["error"]?["code"]?.integerValue == -32800)
    #expect(server.waitForEnd() == 1)
  }
}
