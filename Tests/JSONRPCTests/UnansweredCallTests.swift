import JSONRPC
import Testing

/// Protocols that leave a cancelled call without an answer, and those with one framing.
struct UnansweredCallTests {
  private static let rules = ConversationRules(
    cancelMethod: "cancelled", cancelledIDMember: "requestId", answersCancelled: false)

  private func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

  private func said(_ conversation: inout Conversation<JSON>) -> [String] {
    conversation.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let text = conversation.withUnwritten { String(decoding: $0, as: UTF8.self) }
    conversation.wrote(text.utf8.count)
    return text.split(separator: "\n").map(String.init)
  }

  private func calls(_ conversation: inout Conversation<JSON>) -> [ReplyAddress] {
    var calls: [ReplyAddress] = []
    while let arrival = conversation.next() {
      if case .call(let call) = arrival { calls.append(call.address) }
    }
    return calls
  }

  private let call = #"{"jsonrpc":"2.0","id":1,"method":"a"}"#
  private let cancel = #"{"jsonrpc":"2.0","method":"cancelled","params":{"requestId":1}}"#

  @Test func aCallThatIsCancelledBeforeItBeginsIsNotAnswered() {
    var conversation = Conversation<JSON>(rules: Self.rules)
    conversation.receive(line(call) + line(cancel))
    let begun = calls(&conversation)
    #expect(begun.isEmpty)
    let silence = said(&conversation)
    #expect(silence.isEmpty)
    conversation.receive(line(call))
    let again = calls(&conversation)
    #expect(again.count == 1, "the id is free again")
  }

  @Test func aCallThatIsDroppedIsNotAnswered() throws {
    var conversation = Conversation<JSON>(rules: Self.rules)
    conversation.receive(line(call))
    let begun = calls(&conversation)
    conversation.drop(try #require(begun.first))
    let silence = said(&conversation)
    #expect(silence.isEmpty)
    conversation.receive(line(call))
    let again = calls(&conversation)
    #expect(again.count == 1, "the id is free again")
  }

  @Test func aBatchIsAnsweredWithoutTheCallThatWasDropped() throws {
    var conversation = Conversation<JSON>(rules: Self.rules)
    conversation.receive(line("[\(call),{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"b\"}]"))
    let begun = calls(&conversation)
    try #require(begun.count == 2)
    conversation.answer(begun[1], "done")
    conversation.drop(begun[0])
    let answer = said(&conversation)
    #expect(answer == [#"[{"jsonrpc":"2.0","id":2,"result":"done"}]"#])
  }

  @Test func aBatchOfWhichAllWasDroppedIsNotAnswered() throws {
    var conversation = Conversation<JSON>(rules: Self.rules)
    conversation.receive(line("[\(call)]"))
    let begun = calls(&conversation)
    conversation.drop(try #require(begun.first))
    let silence = said(&conversation)
    #expect(silence.isEmpty)
  }

  @Test func aGivenFramingHoldsWhateverComesFirst() {
    var conversation = Conversation<JSON>(framing: .lines)
    conversation.receive(line("hello") + line(call))
    let begun = calls(&conversation)
    #expect(begun.count == 1)
    let answer = said(&conversation)
    #expect(answer.count == 1)
    #expect(answer.first?.contains("-32700") == true)
  }
}
