import JSONRPC
import Testing
import TodoServer

/// What the fuzzer found, one test a finding. The inputs lie in Tests/Fuzz/corpus.
@Suite struct FuzzFindingTests {
  private func code(_ json: JSON?) -> Int64? { json?["error"]?["code"]?.integerValue }

  /// What was no message was forgotten, and with it the batch that it was part of.
  @Test func whatIsNoMessageIsAnsweredBehindExit() {
    let driver = LoopDriver.ready()
    driver.say(#"{"jsonrpc":"2.0","method":"exit"}"#, "{", "1", request(2, "x"))
    #expect(driver.read().map { code($0) } == [-32700, -32600, -32800])
    #expect(driver.exitCode == 1)
  }

  @Test func aBatchWithExitInItIsAnswered() {
    let driver = LoopDriver.ready()
    driver.say(
      "[\(request(1, "x")),{\"jsonrpc\":\"2.0\",\"method\":\"exit\"},7,\(request(2, "x"))]")
    let answers = driver.read().first?.arrayValue ?? []
    #expect(answers.map { code($0) } == [-32601, -32600, -32800])
    #expect(driver.exitCode == 1)
  }
}
