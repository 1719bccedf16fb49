import JSONRPC
import Testing

/// The messages in a frame, as defined by JSON-RPC 2.0.
struct MessageTests {
  // MARK: Requests and notifications

  @Test func aRequestHasAnIDAndAMethod() {
    #expect(
      message(#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#)
        == .request(Request(id: 1, method: "m", params: ["a": 1])))
    #expect(
      message(#"{"method":"","id":"x","jsonrpc":"2.0"}"#)
        == .request(Request(id: "x", method: "")))
  }

  @Test func aNotificationHasNoID() {
    #expect(
      message(#"{"jsonrpc":"2.0","method":"m","params":[1]}"#)
        == .notification(Notification(method: "m", params: [1])))
  }

  @Test(arguments: ["0", "-1", "9223372036854775807", #""""#, #""é""#, #""1""#])
  func idIsRepeatedUnchanged(id: String) throws {
    let decoded = message(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
    guard case .request(let request) = decoded else {
      Issue.record("no request: \(decoded)")
      return
    }
    var buffer: [UInt8] = []
    Response(id: request.id, result: nil).write(to: &buffer)
    let text = String(decoding: buffer, as: UTF8.self)
    #expect(text == #"{"jsonrpc":"2.0","id":\#(id),"result":null}"#)
  }

  @Test(arguments: ["null", "1.5", "1.0", "1e2", "9223372036854775808", "true", "[1]", "{}"])
  func invalidIDIsAnsweredWithNull(id: String) {
    #expect(
      refusal(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
        == Refusal(id: nil, code: -32600))
  }

  @Test(arguments: ["null", "[]", "{}", "[1]", #"{"a":1}"#])
  func paramsMayBeNullAnArrayOrAnObject(params: String) {
    let decoded = message(#"{"jsonrpc":"2.0","id":1,"method":"m","params":\#(params)}"#)
    guard case .request(let request) = decoded else {
      Issue.record("no request: \(decoded)")
      return
    }
    #expect(request.params?.compactText == params)
  }

  @Test(arguments: ["1", "1.5", "true", #""secret""#])
  func paramsOfAnotherKindAreInvalidAndTheIDIsKept(params: String) {
    let text = #"{"jsonrpc":"2.0","id":7,"method":"m","params":\#(params)}"#
    #expect(refusal(text) == Refusal(id: 7, code: -32600))
  }

  @Test(arguments: [
    #"{"id":7,"method":"m"}"#, #"{"jsonrpc":"1.0","id":7,"method":"m"}"#,
    #"{"jsonrpc":2.0,"id":7,"method":"m"}"#, #"{"jsonrpc":null,"id":7,"method":"m"}"#,
    #"{"jsonrpc":"2.0","id":7}"#, #"{"jsonrpc":"2.0","id":7,"method":1}"#,
    #"{"jsonrpc":"2.0","id":7,"method":null}"#,
    #"{"jsonrpc":"2.0","id":7,"method":null,"result":1}"#,
    #"{"JSONRPC":"2.0","id":7,"method":"m"}"#,
  ])
  func anInvalidRequestKeepsItsID(text: String) {
    #expect(refusal(text) == Refusal(id: 7, code: -32600))
  }

  @Test(arguments: ["{}", "1", "null", #""text""#, "true", #"{"method":"m"}"#])
  func anInvalidMessageWithoutAnID(text: String) {
    #expect(refusal(text) == Refusal(id: nil, code: -32600))
  }

  @Test func unknownMembersAreIgnored() {
    #expect(
      message(#"{"jsonrpc":"2.0","id":1,"method":"m","extra":{},"result":1}"#)
        == .request(Request(id: 1, method: "m")))
  }

  // MARK: Responses

  @Test(
    arguments: [
      (#"{"jsonrpc":"2.0","id":1,"result":null}"#, Response(id: 1, result: nil)),
      (#"{"id":"a","result":[1]}"#, Response(id: "a", result: [1])),
      (
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m","data":2}}"#,
        Response(id: nil, error: RPCError(code: -1, message: "m", data: 2))
      ),
      (
        #"{"jsonrpc":"2.0","error":"no object"}"#,
        Response(id: nil, error: RPCError(code: -32603, message: ""))
      ),
    ] as [(String, Response)])
  func aResultOrAnErrorWithoutAMethodIsAResponse(text: String, expected: Response) {
    #expect(message(text) == .response(expected))
  }

  // MARK: Invalid JSON

  @Test(arguments: [
    ("", "invalid JSON: unexpected end of input at byte 0"),
    ("{\"jsonrpc\":\"2.0\",}", "invalid JSON: trailing comma at byte 16"),
    ("\u{feff}{}", "invalid JSON: byte order mark at byte 0"),
    ("secret", "invalid JSON: expected a value at byte 0"),
  ])
  func errorOfInvalidJSONHasTheByteOffset(text: String, message: String) {
    #expect(decodeText(text) == .single(.invalid(id: nil, .parseError(message))))
  }

  @Test func limitsOfJSONHoldForMessages() {
    let limits = MessageLimits(json: JSONLimits(depthMax: 1))
    let message = "invalid JSON: more than 1 levels of nesting at byte 1"
    #expect(
      decode("[[]]".utf8, limits: limits) == .single(.invalid(id: nil, .parseError(message))))
  }

  // MARK: Batches

  @Test func anEmptyBatchIsASingleInvalidRequest() {
    #expect(
      decodeText("[]") == .single(.invalid(id: nil, .invalidRequest("the batch is empty"))))
  }

  @Test func eachElementOfABatchIsAMessage() {
    let text = #"[{"jsonrpc":"2.0","id":1,"method":"m"},2,[],{"jsonrpc":"2.0","method":"n"}]"#
    guard case .batch(let messages) = decodeText(text) else {
      Issue.record("no batch")
      return
    }
    #expect(messages.count == 4)
    #expect(messages.first == .request(Request(id: 1, method: "m")))
    #expect(messages.last == .notification(Notification(method: "n")))
    #expect(messages[1...2].allSatisfy { Refusal($0) == Refusal(id: nil, code: -32600) })
  }

  @Test func aBatchMayBeAsLargeAsTheLimit() {
    let limits = MessageLimits(batchMessagesMax: 2)
    guard case .batch = decode("[1,2]".utf8, limits: limits) else {
      Issue.record("no batch")
      return
    }
    let message = "a batch of 3 messages is over the limit of 2"
    #expect(
      decode("[1,2,3]".utf8, limits: limits)
        == .single(.invalid(id: nil, .invalidRequest(message))))
  }

  // MARK: What errors say

  @Test func errorNamesTheExpectedAndTheActualKind() {
    let messages = [
      (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "id: expected integer or string, got boolean"),
      (#"{"id":1,"method":"m"}"#, #"jsonrpc: missing, expected "2.0""#),
      (#"{"jsonrpc":"1.0","method":"m"}"#, #"jsonrpc: expected "2.0", got another string"#),
      (#"{"jsonrpc":2,"method":"m"}"#, #"jsonrpc: expected "2.0", got number"#),
      (#"{"jsonrpc":"2.0"}"#, "method: missing, expected string"),
      (#"{"jsonrpc":"2.0","method":[]}"#, "method: expected string, got array"),
      (
        #"{"jsonrpc":"2.0","method":"m","params":"secret"}"#,
        "params: expected array or object, got string"
      ),
      ("7", "message: expected object, got number"),
    ]
    for (text, expected) in messages {
      guard case .invalid(_, let error) = message(text) else {
        Issue.record("not invalid: \(text)")
        continue
      }
      #expect(error.message == expected)
    }
  }

  @Test func errorRepeatsAtMostAHundredCharactersOfInput() {
    let name = String(repeating: "x", count: 100)
    #expect(RPCError.methodNotFound(name).message == "method not found: \(name)")
    #expect(RPCError.methodNotFound(name + "y").message == "method not found: \(name)…")
    let oneLongCharacter = "e" + String(repeating: "\u{301}", count: 1_000)
    #expect(RPCError.methodNotFound(oneLongCharacter).message.utf8.count < 300)
  }
}

func decodeText(_ text: String) -> Incoming {
  decode(Array(text.utf8))
}

/// The only message in a text.
func message(_ text: String) -> Message {
  guard case .single(let message) = decodeText(text) else {
    return .invalid(id: nil, .internalError("a batch"))
  }
  return message
}

/// The id and the error code of an invalid message.
struct Refusal: Equatable {
  var id: RequestID?
  var code: Int

  init(id: RequestID?, code: Int) {
    self.id = id
    self.code = code
  }

  init?(_ message: Message) {
    guard case .invalid(let id, let error) = message else { return nil }
    self.init(id: id, code: error.code)
  }
}

private func refusal(_ text: String) -> Refusal? {
  Refusal(message(text))
}

/// Tests a number that is out of the range of a `Double`.
@Suite struct NumberOfNoDoubleTests {
  @Test func requestIsRefusedAndNotificationIsNotAnswered() {
    let params = #""method":"m","params":{"n":1e400}}"#
    let refusal = RPCError.invalidParams("params: number out of range")
    #expect(
      decode(Array((#"{"jsonrpc":"2.0","id":1,"# + params).utf8))
        == .single(.invalid(id: 1, refusal)))
    #expect(
      decode(Array((#"{"jsonrpc":"2.0","# + params).utf8))
        == .single(.notification(Notification(method: "m"))))
  }
}
