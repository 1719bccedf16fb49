import JSONRPC
import Testing
import TodoServer

/// The findings of the fuzzer, one test each. The inputs lie in Tests/Fuzz/corpus.
@Suite struct FuzzFindingTests {
  private func code(_ json: JSON?) -> Int64? { json?["error"]?["code"]?.integerValue }

  /// An invalid message got no answer, and nor did the batch that it was part of.
  @Test func invalidMessageAfterExitIsAnswered() {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","method":"exit"}"#, "{", "1", request(2, "x"))
    #expect(driver.read().map { code($0) } == [-32700, -32600, -32800])
    #expect(driver.exitCode == 1)
  }

  @Test func aBatchWithExitInItIsAnswered() {
    let driver = LoopDriver.ready()
    driver.send(
      "[\(request(1, "x")),{\"jsonrpc\":\"2.0\",\"method\":\"exit\"},7,\(request(2, "x"))]")
    let answers = driver.read().first?.arrayValue ?? []
    #expect(answers.map { code($0) } == [-32601, -32600, -32800])
    #expect(driver.exitCode == 1)
  }
}
