import JSONRPC
import Testing
import TodoServer

/// `bench/flood`, which shows how fast the server can push.
@Suite struct FloodTests {
  private static let request = """
    {"jsonrpc":"2.0","id":9,"method":"bench/flood","params":{"n":1000,"size":1000}}
    """

  @Test func aFloodWaitsForTheReaderAndIsAnsweredAtItsEnd() {
    let driver = LoopDriver.ready(isBenchmark: true)
    driver.say(Self.request)
    let unwrittenCount = driver.loop.face.withUnwritten { $0.count }
    #expect(unwrittenCount < 1 << 17)
    let messages = driver.read()
    #expect(messages.count { $0["method"]?.stringValue == "bench/tick" } == 1_000)
    #expect(messages.last?["id"] == 9)
    #expect(messages.last?["result"] == .null)
  }

  @Test func aServerThatIsNotMeasuredKnowsNoFlood() {
    let driver = LoopDriver.ready()
    driver.say(Self.request)
    #expect(driver.read().last?["error"]?["code"]?.integerValue == -32601)
  }

  @Test(arguments: [#"{"n":1}"#, #"{"n":1,"size":-1}"#, #"{"n":1,"size":1000000}"#])
  func wrongParamsAreRefused(params: String) {
    let driver = LoopDriver.ready(isBenchmark: true)
    driver.say(#"{"jsonrpc":"2.0","id":9,"method":"bench/flood","params":\#(params)}"#)
    #expect(driver.read().last?["error"]?["code"]?.integerValue == -32602)
  }
}
