import JSONRPC
import Testing

/// Ids and progress tokens are repeated in responses, so their length is limited.
struct IDLengthTests {
  private static let rules = ConnectionRules(
    tokenPaths: [["workDoneToken"], ["_meta", "progressToken"]])

  private func letters(_ byteCount: Int) -> String { String(repeating: "i", count: byteCount) }

  private func request(_ id: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"a","params":\#(params)}"#
  }

  /// Returns the responses to one message. Every call is answered with `true`.
  private func answer(to message: String, bytesMax: Int = 1_024) throws -> [JSON] {
    var connection = JSONRPCConnection<JSON>(
      rules: Self.rules, limits: ConnectionLimits(message: MessageLimits(idBytesMax: bytesMax)))
    connection.receive(Array((message + "\n").utf8))
    while let arrival = connection.next() {
      if case .call(let call) = arrival { connection.answer(call.address, true) }
    }
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let written = connection.withPendingBytes { Array($0) }
    guard !written.isEmpty else { return [] }
    let json = try JSON(parsing: written)
    return json.arrayValue ?? [json]
  }

  private func isRefused(_ answer: JSON) -> Bool {
    answer["id"] == .null && answer["error"]?["code"] == -32600
  }

  @Test func idOfTheLimitComesBackAndALongerOneIsRefusedWithoutAnID() throws {
    #expect(try answer(to: request("\"\(letters(1_024))\"")).first?["result"] == true)
    let refused = try answer(to: request("\"\(letters(1_025))\""))
    #expect(refused.map(isRefused) == [true])
    #expect(
      refused.first?["error"]?["message"] == "id: over the limit of 1024 bytes")
  }

  @Test(arguments: [#"\u0041"#, #"\n"#, "ä", "😀", #"\ud83d\ude00"#])
  func lengthIsThatOfTheTextAndNotOfItsEscapes(character: String) throws {
    let text = try JSON(parsing: Array("\"\(character)\"".utf8)).stringValue ?? ""
    let id = "\"" + String(repeating: character, count: 12 / text.utf8.count) + "\""
    #expect(try answer(to: request(id), bytesMax: 12).first?["result"] == true)
    #expect(try answer(to: request(id), bytesMax: 11).map(isRefused) == [true])
  }

  @Test func eachMessageOfABatchIsRefusedInAFewBytes() throws {
    let messages = (0..<100).map { request("\"\($0)\(letters(14 << 10))\"") }
    let refused = try answer(to: "[\(messages.joined(separator: ","))]")
    #expect(refused.count == 100)
    #expect(refused.allSatisfy(isRefused))
  }

  @Test(arguments: [
    #"{"workDoneToken":T}"#, #"{"x":1,"work\u0044oneToken":T}"#, #"{"_meta":{"progressToken":T}}"#,
  ])
  func longTokenIsRefusedAsALongIDIs(text: String) throws {
    func params(_ token: String) -> String { text.replacing("T}", with: token + "}") }
    #expect(try answer(to: request("1", params("\"\(letters(1_024))\""))).first?["result"] == true)
    #expect(try answer(to: request("1", params("\"\(letters(1_025))\""))).map(isRefused) == [true])
    let batch = "[\(request("1", params("\"\(letters(1_025))\""))),\(request("2"))]"
    #expect(try answer(to: batch).map { $0["id"] } == [.null, 2])
  }

  @Test(arguments: [#"{"workDoneToken":[@]}"#, #"{"_meta":[@],"x":{"workDoneToken":@}}"#, "[@]"])
  func longTextInAnotherMemberIsAccepted(params: String) throws {
    let params = params.replacing("@", with: "\"\(letters(2_000))\"")
    #expect(try answer(to: request("1", params)).first?["result"] == true)
  }

  @Test func cancelOfALongIDIsRefused() throws {
    let cancel =
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"\#(letters(1_025))"}}"#
    #expect(try answer(to: cancel).map(isRefused) == [true])
  }

  @Test func responseWithALongIDIsDropped() throws {
    let response = #"{"jsonrpc":"2.0","id":"\#(letters(1_025))","result":1}"#
    #expect(try answer(to: response).isEmpty)
  }

  @Test func decodedMessageHasNoLongID() {
    guard
      case .single(.invalid(nil, let error)) = decode(
        Array(request("\"\(letters(9))\"").utf8),
        limits: MessageLimits(idBytesMax: 8))
    else {
      Issue.record("the id is taken")
      return
    }
    #expect(error.code == -32600)
  }
}
