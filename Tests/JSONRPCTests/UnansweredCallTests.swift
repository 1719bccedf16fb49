import JSONRPC
import Testing

/// Tests connections for protocols that do not answer cancelled calls, and for protocols with a
/// fixed framing.
struct UnansweredCallTests {
  private static let rules = ConnectionRules(
    cancelMethod: "cancelled", cancelledIDMember: "requestId", answersCancelled: false)

  private func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

  private func said(_ connection: inout JSONRPCConnection<JSON>) -> [String] {
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let text = connection.withPendingBytes { String(decoding: $0, as: UTF8.self) }
    connection.didWrite(text.utf8.count)
    return text.split(separator: "\n").map(String.init)
  }

  private func calls(_ connection: inout JSONRPCConnection<JSON>) -> [ReplyAddress] {
    var calls: [ReplyAddress] = []
    while let arrival = connection.next() {
      if case .call(let call) = arrival { calls.append(call.address) }
    }
    return calls
  }

  private let call = #"{"jsonrpc":"2.0","id":1,"method":"a"}"#
  private let cancel = #"{"jsonrpc":"2.0","method":"cancelled","params":{"requestId":1}}"#

  @Test func aCallThatIsCancelledBeforeItBeginsIsNotAnswered() {
    var connection = JSONRPCConnection<JSON>(rules: Self.rules)
    connection.receive(line(call) + line(cancel))
    let started = calls(&connection)
    #expect(started.isEmpty)
    let silence = said(&connection)
    #expect(silence.isEmpty)
    connection.receive(line(call))
    let again = calls(&connection)
    #expect(again.count == 1, "the id is free again")
  }

  @Test func aCallThatIsDroppedIsNotAnswered() throws {
    var connection = JSONRPCConnection<JSON>(rules: Self.rules)
    connection.receive(line(call))
    let started = calls(&connection)
    connection.drop(try #require(started.first))
    let silence = said(&connection)
    #expect(silence.isEmpty)
    connection.receive(line(call))
    let again = calls(&connection)
    #expect(again.count == 1, "the id is free again")
  }

  @Test func aBatchIsAnsweredWithoutTheCallThatWasDropped() throws {
    var connection = JSONRPCConnection<JSON>(rules: Self.rules)
    connection.receive(line("[\(call),{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"b\"}]"))
    let started = calls(&connection)
    try #require(started.count == 2)
    connection.answer(started[1], "done")
    connection.drop(started[0])
    let answer = said(&connection)
    #expect(answer == [#"[{"jsonrpc":"2.0","id":2,"result":"done"}]"#])
  }

  @Test func batchWithoutRemainingCallsIsNotAnswered() throws {
    var connection = JSONRPCConnection<JSON>(rules: Self.rules)
    connection.receive(line("[\(call)]"))
    let started = calls(&connection)
    connection.drop(try #require(started.first))
    let silence = said(&connection)
    #expect(silence.isEmpty)
  }

  @Test func fixedFramingIsIndependentOfTheFirstByte() {
    var connection = JSONRPCConnection<JSON>(framing: .lines)
    connection.receive(line("hello") + line(call))
    let started = calls(&connection)
    #expect(started.count == 1)
    let answer = said(&connection)
    #expect(answer.count == 1)
    #expect(answer.first?.contains("-32700") == true)
  }
}
