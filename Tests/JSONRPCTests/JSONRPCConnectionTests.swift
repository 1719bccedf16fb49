import JSONRPC
import Testing

/// Tests a connection. The test itself answers the calls that the connection receives.
struct JSONRPCConnectionTests {
  private func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

  private func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  /// The output, one line per message.
  private func said(_ connection: inout JSONRPCConnection<JSON>) -> [String] {
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let text = connection.withPendingBytes { String(decoding: $0, as: UTF8.self) }
    connection.didWrite(text.utf8.count)
    return text.split(separator: "\n").map(String.init)
  }

  private func calls(
    _ connection: inout JSONRPCConnection<JSON>, holding held: Set<String> = []
  ) -> [IncomingCall] {
    var calls: [IncomingCall] = []
    while let arrival = connection.next(holding: { held.contains($0) }) {
      if case .call(let call) = arrival { calls.append(call) }
    }
    return calls
  }

  private func first<Element>(_ elements: [Element]) throws -> Element {
    try #require(elements.first)
  }

  private func expect(
    _ said: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(said == expected, sourceLocation: sourceLocation)
  }

  private let inFlight =
    #""error":{"code":-32600,"message":"a request with this id is in flight"}}"#

  @Test func aCallIsAnsweredOnceAndItsIdIsFreeAgain() throws {
    var connection = JSONRPCConnection<JSON>()
    connection.receive(line(request("1", "a", #"{"x":[1,2]}"#)))
    let call = try first(calls(&connection))
    #expect(call.method == "a")
    #expect(try call.params?.parsed() == ["x": [1, 2]])
    connection.answer(call.address, "done")
    expect(said(&connection), [#"{"jsonrpc":"2.0","id":1,"result":"done"}"#])
    connection.receive(line(request("1", "a")))
    do {
      let started = calls(&connection)
      #expect(started.count == 1)
    }
  }

  @Test func anIdIsInFlightFromItsReceiptToItsEncodedAnswer() throws {
    var connection = JSONRPCConnection<JSON>()
    // Twice in a batch, and again behind a held call.
    connection.receive(line("[\(request("1", "a")),\(request("1", "a"))]"))
    connection.receive(line(request("2", "held")))
    connection.receive(line(request("2", "held")))
    let started = calls(&connection, holding: ["held"])
    #expect(started.map(\.method) == ["a"])
    expect(said(&connection), [#"{"jsonrpc":"2.0","id":2,"# + inFlight])
    connection.answer(started[0].address, 1)
    // Answered, but not encoded.
    connection.receive(line(request("1", "a")))
    _ = calls(&connection, holding: ["held"])
    expect(
      said(&connection),
      [
        #"[{"jsonrpc":"2.0","id":1,"# + inFlight + #",{"jsonrpc":"2.0","id":1,"result":1}]"#,
        #"{"jsonrpc":"2.0","id":1,"# + inFlight,
      ])
    connection.releaseHeld()
    do {
      let started = calls(&connection)
      #expect(started.map(\.method) == ["held"])
    }
  }

  @Test func queuedCallIsCancelledImmediatelyAndCallInFlightByTheHost() throws {
    var connection = JSONRPCConnection<JSON>()
    connection.receive(line(request("1", "a")) + line(request(#""b""#, "held")))
    let started = try first(calls(&connection, holding: ["held"]))
    for id in ["1", #""b""#, "7"] {
      connection.receive(
        line(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#))
    }
    let cancelled = #""error":{"code":-32800,"message":"the request was cancelled"}}"#
    expect(said(&connection), [#"{"jsonrpc":"2.0","id":"b","# + cancelled])
    guard case .cancelled(let address)? = connection.next() else {
      Issue.record("the cancellation is not reported")
      return
    }
    #expect(address == started.address)
    connection.refuse(address, .requestCancelled())
    expect(said(&connection), [#"{"jsonrpc":"2.0","id":1,"# + cancelled])
  }

  @Test func controlMethodIsReportedAheadOfQueuedMessages() throws {
    var connection = JSONRPCConnection<JSON>(
      rules: ConnectionRules(controlMethods: ["exit"]),
      limits: ConnectionLimits(callsInFlightMax: 1))
    for id in 1...100 { connection.receive(line(request("\(id)", "a"))) }
    connection.receive(line(#"{"jsonrpc":"2.0","method":"exit"}"#))
    guard case .controlCallReceived(let method)? = connection.next() else {
      Issue.record("exit is not noticed")
      return
    }
    #expect(method == "exit")
    do {
      let started = calls(&connection)
      #expect(started.count == 1)
    }
  }

  @Test func readingPausesByBytes() throws {
    var connection = JSONRPCConnection<JSON>(limits: ConnectionLimits(queuedBytesMax: 10_000))
    var wanted: [Bool] = []
    connection.receive(
      line(request("1", "held", #"{"x":"\#(String(repeating: "x", count: 9_000))"}"#)))
    wanted.append(connection.wantsInput)
    connection.receive(
      line(request("2", "held", #"{"x":"\#(String(repeating: "x", count: 1_000))"}"#)))
    wanted.append(connection.wantsInput)
    let callCount = calls(&connection).count
    wanted.append(connection.wantsInput)
    #expect(callCount == 2)
    #expect(wanted == [true, false, true])
  }

  @Test func noCallStartsWhileTooMuchOutputIsUnread() throws {
    var connection = JSONRPCConnection<JSON>(limits: ConnectionLimits(pendingOutputBytesMax: 1_000))
    for id in 1...3 { connection.receive(line(request("\(id)", "a"))) }
    func begin() -> IncomingCall? {
      if case .call(let call)? = connection.next() { call } else { nil }
    }
    let first = try #require(begin())
    connection.answer(
      first.address, .string(String(repeating: "x", count: 990)), estimatedByteCount: 990)
    let second = try #require(begin())
    connection.answer(second.address, 2)
    let third = begin()
    #expect(third == nil)
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    #expect(begin() == nil)
    connection.didWrite(connection.withPendingBytes { $0.count })
    #expect(begin() != nil)
  }

  @Test func aBatchHasABudgetAndKeepsItsSmallAnswers() throws {
    var connection = JSONRPCConnection<JSON>(
      limits: ConnectionLimits(batchAnswerBytesMax: 10_000))
    connection.receive(
      line("[\(request("1", "a")),\(request("2", "a")),\(request("3", "a"))]"))
    let large = JSON.string(String(repeating: "x", count: 6_000))
    for (index, call) in calls(&connection).enumerated() {
      connection.answer(
        call.address, index == 2 ? 3 : large, estimatedByteCount: index == 2 ? 10 : 6_000)
    }
    let answer = try first(said(&connection))
    let json = try JSON(parsing: Array(answer.utf8))
    #expect(json[0]?["result"] == large)
    #expect(json[1]?["error"]?["code"]?.integerValue == -32803)
    #expect(json[2]?["result"] == 3)
  }

  @Test func sentRequestGetsItsResponseOnce() throws {
    var connection = JSONRPCConnection<JSON>()
    connection.receive(line(#"{"jsonrpc":"2.0","method":"x"}"#))
    let id = connection.request("window/showDocument", ["uri": "a"])
    expect(
      said(&connection),
      [
        #"{"jsonrpc":"2.0","id":1,"method":"window/showDocument","params":{"uri":"a"}}"#
      ])
    let answer = #"{"jsonrpc":"2.0","id":1,"result":true}"#
    connection.receive(line(answer) + line(answer))
    var responses: [Response] = []
    var strayCount = 0
    while let arrival = connection.next() {
      switch arrival {
      case .response(let response): responses.append(response)
      case .unmatchedResponse: strayCount += 1
      case .call, .cancelled, .controlCallReceived: break
      }
    }
    #expect(responses == [Response(id: id, result: true)])
    #expect(strayCount == 1)
  }

  @Test(arguments: ["1e400", "1" + String(repeating: "0", count: 1_023)])
  func unreadNumberMayBeOfAnySize(number: String) throws {
    var connection = JSONRPCConnection<JSON>()
    connection.receive(
      line(#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":\#(number)},"y":\#(number)}"#))
    let call = try first(calls(&connection))
    let params = try Params(call.params)
    #expect(throws: RPCError.invalidParams("params.x: expected integer, got number")) {
      _ = try params.integer("x")
    }
  }

  @Test func implausibleLengthIsRefusedImmediately() throws {
    var connection = JSONRPCConnection<JSON>()
    let body = request("1", "a")
    connection.receive(Array("Content-Length: 9223372036854775807\r\n\r\n".utf8))
    connection.receive(Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
    do {
      let started = calls(&connection)
      #expect(started.count == 1)
    }
  }

  @Test func damagedMessageIsRefusedInOrderWithItsID() {
    var connection = JSONRPCConnection<JSON>()
    connection.receive(line(#"{"jsonrpc":"2.0","id":5,"method":7}"#) + line("{"))
    do {
      let started = calls(&connection)
      #expect(started.isEmpty)
    }
    expect(
      said(&connection),
      [
        #"{"jsonrpc":"2.0","id":5,"error":{"code":-32600,"#
          + #""message":"method: expected string, got number"}}"#,
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#
          + #""message":"invalid JSON: unexpected end of input at byte 1"}}"#,
      ])
  }

  @Test(arguments: [
    "0", "7", "-7", "999999999999999999", "1000000000000000000", "9223372036854775807",
    "-9223372036854775808",
  ])
  func anIDOfAnyLengthComesBack(id: String) {
    var connection = JSONRPCConnection<JSON>()
    connection.receive(line(request(id, "m")))
    for call in calls(&connection) { connection.answer(call.address, true) }
    expect(said(&connection), [#"{"jsonrpc":"2.0","id":\#(id),"result":true}"#])
  }

  /// A message may have more levels and keys than fit into a scanner's temporary storage.
  @Test func aMessageMayBeDeepAndWide() throws {
    let keys = (0..<40).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let deep = String(repeating: "[{\"a\":", count: 40) + "1" + String(repeating: "}]", count: 40)
    var connection = JSONRPCConnection<JSON>()
    connection.receive(line(request("1", "m", #"{"deep":\#(deep),\#(keys)}"#)))
    let params = try Params(first(calls(&connection)).params)
    #expect(params.names.count == 41)
    #expect(try params.integer("k39") == 39)
    connection.receive(line(request("2", "m", #"{"deep":\#(deep),\#(keys),"k20":1}"#)))
    let refused = calls(&connection)
    #expect(refused.isEmpty)
    #expect(said(&connection).last?.contains("duplicate key") == true)
  }
}
