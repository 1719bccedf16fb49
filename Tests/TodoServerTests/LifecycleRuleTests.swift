import JSONRPC
import Testing
import TodoServer

/// Tests LSP's rules about the lifecycle and `$/` messages. The name of each test begins with the
/// number that this project has given to the rule.
@Suite struct LifecycleRuleTests {
  private func answers(_ driver: LoopDriver) -> [JSON] { driver.read().filter { $0["id"] != nil } }

  private func code(_ json: JSON?) -> Int64? { json?["error"]?["code"]?.integerValue }

  @Test("L1: before initialize requests are refused and notifications dropped")
  func beforeInitialize() {
    let driver = LoopDriver()
    driver.send(
      #"{"jsonrpc":"2.0","method":"login","params":{"name":"ann"}}"#, request(1, "shutdown"),
      request(2, "x"), #"{"jsonrpc":"2.0","method":"initialized"}"#)
    #expect(driver.read().map { code($0) } == [-32002, -32002])
  }

  @Test("L2: nothing is sent before the response to initialize")
  func nothingBeforeInitialize() {
    let driver = LoopDriver()
    driver.send(request(1, "initialize"), #"{"jsonrpc":"2.0","method":"initialized"}"#)
    let messages = driver.read()
    #expect(messages.first?["id"] == 1)
    #expect(messages.last?["method"] == "workflow/render")
  }

  @Test("L3: initialize once, and a second initialized is ignored")
  func once() {
    let driver = LoopDriver.ready()
    driver.send(request(1, "initialize"), #"{"jsonrpc":"2.0","method":"initialized"}"#)
    #expect(driver.read().map { code($0) } == [-32600])
  }

  @Test("L4: a parent process is watched if it is named", arguments: [nil, 4_711])
  func parent(processID: Int?) {
    let driver = LoopDriver()
    let text = processID.map { "\($0)" } ?? "null"
    driver.send(request(1, "initialize", #"{"processId":\#(text)}"#))
    let watched = driver.effects.compactMap { if case .watch(let id) = $0 { id } else { nil } }
    #expect(watched == (processID.map { [$0] } ?? []))
  }

  @Test("L5: shutdown is answered with null and does not end the server")
  func shutdown() {
    let driver = LoopDriver.ready()
    driver.send(request(1, "shutdown"))
    #expect(answers(driver).first?["result"] == .null)
    #expect(driver.exitCode == nil)
  }

  @Test("L6: after shutdown every request is refused")
  func afterShutdown() {
    let driver = LoopDriver.ready()
    driver.send(
      request(1, "shutdown"), request(2, "shutdown"), request(3, "login"), request(4, "x"))
    #expect(answers(driver).map { code($0) } == [nil, -32600, -32600, -32600])
  }

  @Test("L7: exit after shutdown has exit code 0", arguments: [(true, Int32(0)), (false, 1)])
  func exit(afterShutdown: Bool, exitCode: Int32) {
    let driver = LoopDriver.ready()
    if afterShutdown { driver.send(request(1, "shutdown")) }
    _ = driver.read()
    driver.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    #expect(driver.exitCode == exitCode)
  }

  @Test("L8: unknown capabilities are ignored, missing ones are unsupported")
  func capabilities() {
    let driver = LoopDriver()
    driver.send(
      request(1, "initialize", #"{"capabilities":{"hover":{"x":1},"render":{"unknown":true}}}"#))
    #expect(answers(driver).first?["result"]?["protocolVersion"] == 1)
  }

  @Test("D1: an unknown $/ request is not found, an unknown $/ notification is ignored")
  func unknownDollar() {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","method":"$/unknown"}"#, request(1, "$/unknown"))
    #expect(driver.read().map { code($0) } == [-32601])
  }

  @Test("D2: a cancellation takes effect before a queued request starts, and gets no response")
  func cancellation() async {
    let driver = await LoopDriver.loggedIn()
    driver.send(
      request(1, "addTodo", #"{"title":"a"}"#), request(2, "addTodo", #"{"title":"b"}"#),
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"2"}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}"#)
    await driver.runWorkers()
    driver.send(request(3, "listTodos"))
    let answers = answers(driver)
    #expect(answers.map { $0["id"] } == [2, 1, 3])
    #expect(code(answers[0]) == -32800)
    #expect(answers[2]["result"]?["total"] == 1)
  }

  @Test("D3: progress is sent to the request's token, from begin to end")
  func progress() async {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "loadTodos", #"{"refresh":true,"workDoneToken":"t"}"#))
    await driver.runWorkers()
    let messages = driver.read().filter { $0["method"] != "workflow/render" }
    let steps = messages.compactMap { $0["params"]?["value"]?["kind"]?.stringValue }
    #expect(steps.first == "begin")
    #expect(steps.last == "end")
    #expect(messages.compactMap { $0["params"]?["token"] }.allSatisfy { $0 == "t" })
    #expect(messages.last?["id"] == 1)
  }

  @Test(
    "D4: the trace is off, says what came, or says its members too",
    arguments: [
      ("off", [nil, nil]), ("messages", [true, false]), ("verbose", [true, true]),
    ] as [(String, [Bool?])])
  func trace(value: String, members: [Bool?]) {
    let driver = LoopDriver.ready()
    driver.send(
      #"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"\#(value)"}}"#,
      request(1, "login", #"{"name":"ann","password":"s3cret s3cret"}"#))
    let trace = driver.read().first { $0["method"] == "$/logTrace" }?["params"]
    #expect(trace.map { $0["message"] != nil } == members[0])
    #expect(trace.map { $0["verbose"] != nil } == members[1])
    #expect(trace?.compactText.contains("s3cret") != true)
  }
}
