import JSONRPC
import Testing

/// Tests the output of the example as a separate process.
@Suite struct PipeTests {
  private func run(
    _ messages: [JSON], framing: Framing
  ) throws -> (said: [JSON], exitCode: Int32) {
    var bytes: [UInt8] = []
    for message in messages {
      FrameWriter(framing: framing).append(to: &bytes) { $0.value(message) }
    }
    let (answer, exitCode) = try CounterProcess().converse(bytes)
    var parser = FrameParser()
    parser.append(answer)
    var said: [JSON] = []
    while case .frame(let body)? = parser.next() { said.append(try JSON(parsing: body)) }
    #expect(parser.framing == framing)
    return (said, exitCode)
  }

  private func request(_ id: Int64, _ method: String, _ params: JSON = [:]) -> JSON {
    ["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params]
  }

  @Test(arguments: [Framing.lines, .headers])
  func answersPushesAndEnds(framing: Framing) throws {
    let (said, exitCode) = try run(
      [request(1, "counter/add", ["by": 12]), request(2, "counter/factor")], framing: framing)
    #expect(
      said == [
        ["jsonrpc": "2.0", "method": "counter/changed", "params": ["count": 12]],
        ["jsonrpc": "2.0", "id": 1, "result": ["count": 12]],
        ["jsonrpc": "2.0", "method": "counter/changed", "params": ["count": 12, "factors": nil]],
        ["jsonrpc": "2.0", "id": 2, "result": ["count": 12, "factors": nil]],
        [
          "jsonrpc": "2.0", "method": "counter/changed",
          "params": ["count": 12, "factors": [2, 2, 3]],
        ],
      ])
    #expect(exitCode == 0)
  }

  /// A new count stops the worker for the old count, which would take too long to factor. The
  /// output of the old worker does not become the factors of the new count.
  @Test func changedCountReplacesTheWorker() throws {
    let (said, exitCode) = try run(
      [
        request(1, "counter/set", ["count": 9_223_372_036_854_775_783]),
        request(2, "counter/factor"), request(3, "counter/set", ["count": 35]),
      ], framing: .lines)
    #expect(said.last?["params"] == ["count": 35, "factors": [5, 7]])
    #expect(said.count == 7)
    #expect(exitCode == 0)
  }

  @Test func invalidMessageIsAnsweredAndReadingContinues() throws {
    let (said, exitCode) = try run([5, request(1, "counter/get")], framing: .headers)
    #expect(said.first?["error"]?["code"] == -32600)
    #expect(said.last?["result"] == ["count": 0])
    #expect(exitCode == 0)
  }
}
