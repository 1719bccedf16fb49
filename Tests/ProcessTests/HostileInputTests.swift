import JSONRPC
import TestSupport
import Testing

/// Sends invalid input to the real program: it must answer each as defined, and continue.
@Suite struct HostileInputTests {
  /// One process gets all inputs. After each input, the process must answer another request.
  @Test(arguments: [Framing.headers, .lines])
  func everyBodyHasItsDefinedResponse(framing: Framing) throws {
    let server = try ready(framing)
    let noJSON = HostileInput.noJSON.map { HostileInput($0, ["-32700 null"]) }
    for input in noJSON + HostileInput.messages + HostileInput.calls {
      var bytes: [UInt8] = []
      FrameWriter(framing: framing).append(input.bytes, to: &bytes)
      guard expect(server, bytes, input) else { return }
    }
    #expect(try server.peakKilobytes() < 60_000)
    try expectStillWorks(server)
  }

  @Test func everyPieceOfAStreamHasItsDefinedResponse() throws {
    let server = try ready(.headers)
    for input in HostileInput.frames {
      guard expect(server, input.bytes, input) else { return }
    }
    #expect(try server.peakKilobytes() < 40_000)
    try expectStillWorks(server)
  }

  @Test func moreThanThreeHundredInputsAreTested() {
    let count =
      HostileInput.noJSON.count + HostileInput.messages.count + HostileInput.calls.count
      + HostileInput.frames.count
    #expect(count > 300)
  }

  /// A length in a header costs no memory before the body arrives. Skipped bytes cost no memory.
  ///
  /// If the length cannot be right, no body is expected. The bytes that follow then count as a
  /// header that is too long.
  @Test(
    arguments: [
      ("60000000", 1), ("2147483648", 1), ("1000000000000000000", 2), ("9223372036854775807", 2),
    ])
  func announcedLengthAllocatesNothing(length: String, problemCount: Int) throws {
    let server = try ready(.headers)
    let before = try server.peakKilobytes()
    server.send(Array("Content-Length: \(length)\r\n\r\n".utf8))
    server.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
    // Everything has been read now except the contents of a pipe.
    #expect(try server.peakKilobytes() - before < 12_000)
    server.closeInput()
    #expect(
      server.restOfAnswers() == Array(repeating: "-32600 null", count: problemCount))
    #expect(server.waitForEnd() == 1)
  }

  /// A stream may end at any point. Each of these streams is sent to a new server.
  @Test(
    arguments: [
      ("", [], 1), (" \r\n\t", [], 1), ("x", ["-32600 null"], 1),
      ("Content-Length: 5\r", ["-32600 null"], 1),
      ("Content-Length: 5\r\n", ["-32600 null"], 1),
      ("Content-Length: 5\r\n\r\n", ["-32600 null"], 1),
      ("Content-Length: 5\r\n\r\n[1", ["-32600 null"], 1),
      ("Content-Length: 2\r\n\r\n[]", ["-32600 null"], 1),
      ("{", ["-32700 null"], 0), ("[", ["-32700 null"], 0), ("[]", ["-32600 null"], 0),
      (#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, ["-32002 7"], 0),
      (#"[{"jsonrpc":"2.0","id":7,"method":"x"},1]"#, ["[-32002 7,-32600 null]"], 0),
      ("[1]\nContent-Length: 2\r\n\r\n{}", ["[-32600 null]"] + four, 0),
      (#"{"jsonrpc":"2.0","method":"exit"}"#, [], 1),
      (#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#, ["-32002 7"], 0),
      (
        #"[{"jsonrpc":"2.0","method":"exit"},{"jsonrpc":"2.0","id":7,"method":"x"},1]"#,
        ["[-32800 7,-32600 null]"], 1
      ),
    ] as [(String, [String], Int32)])
  func aStreamMayEndAnywhere(text: String, answers: [String], code: Int32) throws {
    let server = try ServerProcess(["--store", "memory"])
    server.send(Array(text.utf8))
    server.closeInput()
    #expect(server.restOfAnswers() == answers)
    #expect(server.waitForEnd() == code)
  }

  // A header is two lines that are not JSON, and an object that is not a request.
  private static let four = ["-32700 null", "-32600 null"]

  // MARK: Single inputs

  private func ready(_ framing: Framing) throws -> ServerProcess {
    let server = try ServerProcess(
      ["--store", "memory", "--max-frame-bytes", "100000"], framing: framing)
    _ = server.initialize()
    #expect(server.request("login", ["name": "ann"])?["result"] != nil)
    #expect(server.request("addTodo", ["title": "Milk"])?["result"] != nil)
    return server
  }

  /// Sends the bytes of an input and another request. Expects the responses of the input, and
  /// returns whether the other request was answered.
  private func expect(
    _ server: ServerProcess, _ bytes: [UInt8], _ input: HostileInput
  ) -> Bool {
    server.send(bytes)
    let probe: JSON = "the next one"
    server.send(["jsonrpc": "2.0", "id": probe, "method": "workflow/rendering"])
    var answers: [String] = []
    var isProbeAnswered = false
    // A request that waits for the store may be answered after the probe.
    while !isProbeAnswered || answers.count < input.answers.count, let message = server.next() {
      if message["id"] == probe {
        isProbeAnswered = message["result"] != nil
      } else {
        answers += message.answerSummary.map { [$0] } ?? []
      }
    }
    #expect(isProbeAnswered, "no answer any more after \(input.testDescription)")
    #expect(answers == input.answers, "\(input.testDescription)")
    return isProbeAnswered
  }

  private func expectStillWorks(_ server: ServerProcess) throws {
    let todos = server.request("listTodos")?["result"]
    #expect(todos?["total"] == 1)
    #expect(!server.stdout.contains(0))
    #expect(!String(decoding: server.stdout, as: UTF8.self).contains(#"\u0000"#))
    #expect(server.request("shutdown")?["result"] == .null)
    server.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(server.waitForEnd() == 0)
  }
}

extension JSON {
  /// The code and id of a response; `nil` for other messages.
  fileprivate var answerSummary: String? {
    if let answers = arrayValue {
      return "[\(answers.map { $0.answerSummary ?? "?" }.joined(separator: ","))]"
    }
    guard let id = self["id"] else { return nil }
    let (result, error) = (self["result"], self["error"])
    guard self["jsonrpc"] == "2.0", (result == nil) != (error == nil) else { return "neither" }
    return "\(error?["code"]?.compactText ?? "ok") \(id.compactText)"
  }
}

extension ServerProcess {
  fileprivate func restOfAnswers() -> [String] {
    var answers: [String] = []
    while let message = next() { answers += message.answerSummary.map { [$0] } ?? [] }
    return answers
  }

  /// Returns the peak memory of the process.
  fileprivate func peakKilobytes() throws -> Int {
    let status = try #require(FileTree.text(of: "/proc/\(processID)/status"))
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(whereSeparator: { " \t".contains($0) })[1]))
  }
}
