import JSONRPC
import System
import TestSupport
import Testing

/// Tests pipes that are not read or are closed, stray output, and signals while a call hangs.
@Suite struct PipeTests {
  /// Returns a request for each of the IDs, which have six digits. Each request has 9,000 bytes
  /// that the server ignores. Therefore, a small number of requests fills the server's queue, and
  /// the test does not need 100,000 responses.
  private func frames(_ ids: Range<Int>, _ method: String) -> [UInt8] {
    let start = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    let ignored = String(repeating: "x", count: 9_000)
    let end = Array(#","method":"\#(method)","params":{"ignored":"\#(ignored)"}}"#.utf8)
    let header = Array("Content-Length: \(start.count + 6 + end.count)\r\n\r\n".utf8)
    var bytes: [UInt8] = []
    for id in ids { bytes += header + start + Array("\(id)".utf8) + end }
    return bytes
  }

  /// Resident memory in kilobytes.
  private func residentKilobytes(_ processID: pid_t) throws -> Int {
    let status = try #require(FileTree.text(of: "/proc/\(processID)/status"))
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.split(whereSeparator: { " \t".contains($0) })[1]))
  }

  @Test func clientThatNeverReadsIsBlocked() throws {
    let server = try ServerProcess(["--store", "memory"])
    _ = server.initialize()
    // From now on only responses arrive.
    _ = server.request("workflow/rendering")
    let ids = 100_000..<109_000
    let requests = frames(ids, "workflow/rendering")
    // The server reads until its queue and the pipes are full.
    let takenCount = server.sendWhatIsTaken(requests)
    #expect(takenCount < requests.count)
    #expect(try residentKilobytes(server.processID) < 128_000)
    // When the client reads again, everything is answered, in order.
    let answered = ids.prefix(takenCount * ids.count / requests.count)
    let inOrder = answered.prefix { id in
      server.nextBody()?.starts(with: #"{"jsonrpc":"2.0","id":\#(id),"result":{"#.utf8) == true
    }
    #expect(inOrder == answered)
  }

  @Test func unreadStderrDoesNotBlock() throws {
    let server = try ServerProcess(["--store", "memory", "--log-level", "debug"])
    _ = server.initialize()
    // Each is logged, many times the capacity of a pipe.
    let frames = FrameWriter(framing: .headers)
    var bytes: [UInt8] = []
    for _ in 0..<5_000 {
      frames.append(to: &bytes) { $0.value(["jsonrpc": "2.0", "method": "no/such/notification"]) }
    }
    server.send(bytes)
    #expect(server.request("workflow/rendering")?["result"] != nil)
    let lines = String(decoding: server.readWaitingErrors(), as: UTF8.self)
    #expect(lines.contains("no/such/notification"))
    // The next line reports how many lines were dropped.
    server.send(["jsonrpc": "2.0", "method": "no/such/notification"])
    #expect(server.request("workflow/rendering")?["result"] != nil)
    let later = String(decoding: server.readWaitingErrors(), as: UTF8.self)
    #expect(later.contains("log lines were dropped"))
  }

  @Test func closedReaderEndsTheServer() throws {
    let server = try ServerProcess(["--store", "memory"])
    _ = server.initialize()
    server.closeOutput()
    #expect(server.waitForEnd() == 1)
  }

  @Test func strayOutputDoesNotReachTheFrontEnd() throws {
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
  func hangingWorkDoesNotKeepTheServerRunning(number: Int32) throws {
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
