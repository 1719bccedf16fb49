import JSONRPC
import Testing
import TodoServer

/// Tests the findings of the fuzzer. Their inputs are in Tests/Fuzz/corpus.
@Suite struct FuzzFindingTests {
  private func code(_ json: JSON?) -> Int64? { json?["error"]?["code"]?.integerValue }

  /// Before the fix, the server sent no response to an invalid message after `exit`, or to a batch
  /// with such a message.
  @Test func invalidMessageAfterExitIsAnswered() {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","method":"exit"}"#, "{", "1", request(2, "x"))
    #expect(driver.read().map { code($0) } == [-32700, -32600, -32800])
    #expect(driver.exitCode == 1)
  }

  @Test func batchWithExitIsAnswered() {
    let driver = LoopDriver.ready()
    driver.send(
      "[\(request(1, "x")),{\"jsonrpc\":\"2.0\",\"method\":\"exit\"},7,\(request(2, "x"))]")
    let answers = driver.read().first?.arrayValue ?? []
    #expect(answers.map { code($0) } == [-32601, -32600, -32800])
    #expect(driver.exitCode == 1)
  }
}
