import JSONRPC
import Testing

/// The encoding of messages and frames.
struct MessageWriterTests {
  @Test func aResponseHasExactlyOneOfResultAndError() {
    #expect(
      text { $0.response(id: 1, result: nil) } == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
    #expect(
      text { $0.response(id: "a", result: { $0.array { $0.integer(1) } }) }
        == #"{"jsonrpc":"2.0","id":"a","result":[1]}"#)
    #expect(
      text { $0.response(id: 1, result: { _ in }) } == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
    #expect(
      text { $0.response(id: nil, error: .parseError("no")) }
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#)
    #expect(
      text { $0.response(id: 2, error: .requestFailed("no", data: ["kind": "busy"])) }
        == #"{"jsonrpc":"2.0","id":2,"#
        + #""error":{"code":-32803,"message":"no","data":{"kind":"busy"}}}"#
    )
  }

  @Test func aResultWithoutAnIDCannotBeWritten() {
    #expect(
      text { $0.response(Response(id: nil, outcome: .success(1))) }
        == #"{"jsonrpc":"2.0","id":null,"#
        + #""error":{"code":-32603,"message":"a result without an id"}}"#
    )
  }

  @Test func aNotificationHasNoID() {
    #expect(text { $0.notification(method: "m") } == #"{"jsonrpc":"2.0","method":"m"}"#)
    #expect(
      text { $0.notification(method: "m", params: ["a": 1]) }
        == #"{"jsonrpc":"2.0","method":"m","params":{"a":1}}"#)
    #expect(
      text { $0.notification(method: "m", params: { $0.object { _ in } }) }
        == #"{"jsonrpc":"2.0","method":"m","params":{}}"#)
  }

  @Test func writtenMessagesDecodeToTheSameMessages() {
    let request = Request(id: "x", method: "m", params: [1])
    let notification = Notification(method: "n", params: ["a": nil])
    let response = Response(id: 3, error: .internalError("no", data: [1]))
    var buffer: [UInt8] = []
    request.write(to: &buffer)
    #expect(decode(buffer) == .single(.request(request)))
    buffer = []
    notification.write(to: &buffer)
    #expect(decode(buffer) == .single(.notification(notification)))
    buffer = []
    response.write(to: &buffer)
    #expect(decode(buffer) == .single(.response(response)))
  }

  @Test func aBatchOfResponsesIsOneArrayAndAnEmptyOneIsNothing() {
    let responses = [Response(id: 1, result: 2), Response(id: nil, error: .parseError("no"))]
    #expect(
      text { $0.batch(responses) }
        == #"[{"jsonrpc":"2.0","id":1,"result":2},"#
        + #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}]"#)
    #expect(text { $0.batch([]) } == "")
  }

  @Test(arguments: [
    (RPCError.parseError("m"), -32700), (.invalidRequest("m"), -32600),
    (.methodNotFound("m"), -32601), (.invalidParams("m"), -32602), (.internalError(), -32603),
    (.serverNotInitialized(), -32002), (.requestCancelled(), -32800),
    (.contentModified("m"), -32801),
    (.requestFailed("m"), -32803),
  ])
  func everyErrorHasItsCode(error: RPCError, code: Int) {
    #expect(error.code == code)
    #expect(!error.message.isEmpty)
  }

  // MARK: Frames

  @Test(arguments: [1, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 100_000])
  func headerContainsTheLengthOfTheBody(byteCount: Int) {
    let body = String(repeating: "1", count: byteCount)
    let frames = FrameWriter(framing: .headers)
    let expected = "before" + framed(body)
    var output = Array("before".utf8)
    frames.append(body.utf8, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
    output = Array("before".utf8)
    let start = frames.begin(in: &output)
    output.append(contentsOf: body.utf8)
    frames.end(start, in: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
    output = Array("before".utf8)
    frames.append(to: &output) { $0.raw(body.utf8) }
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }

  @Test func lineContainsOneLineFeedAtItsEnd() {
    let frames = FrameWriter(framing: .lines)
    var output = Array("{}\n".utf8)
    frames.append(to: &output) { $0.string("a\nb") }
    frames.append("{\n \"a\":\n1\n}".utf8, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "{}\n\"a\\nb\"\n{  \"a\": 1 }\n")
  }

  @Test(arguments: [Framing.headers, .lines])
  func emptyBodyWritesNoFrame(framing: Framing) {
    let frames = FrameWriter(framing: framing)
    var output = Array("x".utf8)
    frames.append(to: &output) { $0.batch([]) }
    frames.append([], to: &output)
    #expect(output == Array("x".utf8))
  }

  @Test func aStartThatDoesNotBelongToTheOutputIsIgnored() {
    let frames = FrameWriter(framing: .headers)
    var output: [UInt8] = []
    let start = frames.begin(in: &output)
    output = []
    frames.end(start, in: &output)
    #expect(output == [])
  }

  @Test(arguments: [Framing.headers, .lines])
  func writtenFramesParseToTheSameBodies(framing: Framing) {
    let frames = FrameWriter(framing: framing)
    var output: [UInt8] = []
    for count in 0..<50 {
      frames.append(to: &output) { writer in
        writer.array { writer in
          for number in 0..<count { writer.integer(number) }
        }
      }
    }
    let bodies = events(in: [output[...]], limits: .standard).map { event -> JSON? in
      guard case .frame(let body) = event else { return nil }
      return try? JSON(parsing: body)
    }
    #expect(bodies == (0..<50).map { count in .array((0..<count).map { .integer(Int64($0)) }) })
  }
}

private func text(_ encode: (inout JSONWriter) -> Void) -> String {
  var buffer: [UInt8] = []
  JSONWriter.write(to: &buffer, encode)
  return String(decoding: buffer, as: UTF8.self)
}
