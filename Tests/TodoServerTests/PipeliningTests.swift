import JSONRPC
import Testing
import TodoServer

/// Tests requests that are sent before the responses to earlier ones.
@Suite struct PipeliningTests {
  /// Returns a driver whose front-end applies patches.
  private func patching() -> LoopDriver {
    let driver = LoopDriver()
    driver.send(
      request(100, "initialize", #"{"capabilities":{"render":{"patch":true}}}"#),
      #"{"jsonrpc":"2.0","method":"initialized"}"#)
    _ = driver.read()
    return driver
  }

  private func typed(_ id: Int, _ name: String) -> String {
    request(id, "screen/change", #"{"screen":"welcome","values":{"name":"\#(name)"}}"#)
  }

  private func isRendering(_ message: JSON) -> Bool { message["method"] == "workflow/render" }

  @Test func renderingInAResponseMatchesItsRevision() throws {
    let driver = patching()
    driver.send(request(1, "workflow/rendering"), typed(2, "ann"), typed(3, "bob"))
    let messages = driver.read()
    let answer = try #require(messages.first { $0["id"] == 1 }?["result"])
    let sent = try #require(messages.first(where: isRendering)?["params"])
    #expect(answer["revision"] == sent["revision"])
    let fields = answer["rendering"]?["items"]?[0]?["screen"]?["body"]?["fields"]
    #expect(fields?[0]?["value"] == "bob")
  }

  @Test func revertedChangeIsNotPushed() {
    let driver = patching()
    driver.send(typed(1, "ann"))
    let before = driver.read().first(where: isRendering)?["params"]?["revision"]
    driver.send(typed(2, "bob"), typed(3, "ann"))
    let messages = driver.read()
    #expect(!messages.contains(where: isRendering))
    #expect(messages.map { $0["result"]?["revision"] } == [before, before])
    driver.send(typed(4, "carl"))
    let next = driver.read().first(where: isRendering)?["params"]
    #expect(next?["base"] == before)
  }

  @Test func idQueuedBehindALoginOrInABatchIsInFlight() async {
    let driver = LoopDriver.ready()
    driver.send(request(1, "login", #"{"name":"ann"}"#), request(2, "listTodos"))
    driver.send(request(2, "listTodos"))
    driver.send("[\(request(3, "listTodos")),\(request(3, "listTodos"))]")
    driver.send(request(4, "shutdown"), request(4, "shutdown"))
    await driver.runWorkers()
    func codes(_ message: JSON) -> [String] {
      (message.arrayValue ?? [message]).compactMap { answer in
        guard let id = answer["id"]?.integerValue else { return nil }
        return "\(id) \(answer["error"]?["code"]?.integerValue ?? 0)"
      }
    }
    let answered = driver.read().flatMap(codes)
    #expect(
      answered.sorted() == ["1 0", "2 -32600", "2 0", "3 -32600", "3 0", "4 -32600", "4 0"])
  }

  @Test func shutdownIsFollowedByExitWithoutATimeout() async {
    let driver = LoopDriver.ready()
    let form = #"{"username":"annabella","password":"correct horse"}"#
    driver.send(request(1, "register", form), request(2, "shutdown"))
    func hasGracePeriod() -> Bool {
      driver.effects.contains { if case .startGracePeriod = $0 { true } else { false } }
    }
    #expect(hasGracePeriod())
    #expect(driver.read().filter { $0["id"] != nil }.isEmpty)
    driver.handle(.gracePeriodEnded)
    let answers = driver.read().filter { $0["id"] != nil }
    #expect(answers.map { $0["error"]?["code"]?.integerValue } == [-32800, nil])
    #expect(driver.exitCode == nil)
    driver.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    #expect(driver.exitCode == 0)
  }

  @Test func requestsOfAScriptAreFinishedAfterItsInputEnds() async {
    let driver = LoopDriver(framing: .lines)
    driver.send(
      request(1, "initialize"), request(2, "login", #"{"name":"ann"}"#), request(3, "loadTodos"))
    driver.handle(.inputEnded)
    for effect in driver.effects {
      if case .startGracePeriod = effect { Issue.record("a script has no grace period") }
    }
    #expect(driver.exitCode == nil)
    await driver.runWorkers()
    let answers = driver.read().filter { $0["id"] != nil }
    #expect(answers.map { $0["result"] != nil } == [true, true, true])
    #expect(driver.exitCode == 0)
  }

  @Test func windowBeyondTheEndOfAnEmptyListStartsAtZero() async {
    let driver = await LoopDriver.loggedIn()
    let window = #"{"screen":"todoList","offset":50,"limit":10}"#
    driver.send(request(1, "screen/window", window), request(2, "workflow/rendering"))
    await driver.runWorkers()
    let answer = driver.read().first { $0["id"] == 2 }?["result"]
    let screens = answer?["rendering"]?["items"]?.arrayValue ?? []
    #expect(screens.last?["screen"]?["body"]?["offset"] == 0)
  }
}
