import JSONRPC
import Testing
import TodoServer
import WorkflowRuntime

/// Tests slow readers, and requests in flight.
@Suite struct LoopTests {
  @Test func renderingsAreMergedWhileTheReaderDoesNotRead() async {
    let driver = LoopDriver.ready()
    // The first rendering fills the output; later ones are merged.
    for number in 0..<200 {
      let params = #"{"screen":"welcome","values":{"name":"ann \#(number)"}}"#
      driver.send(request(number, "screen/change", params))
    }
    let messages = driver.read()
    let renderings = messages.filter { $0["method"]?.stringValue == "workflow/render" }
    #expect(renderings.count == 2)
    #expect(renderings.last?["params"]?["revision"]?.integerValue == 201)
    #expect(messages.filter { $0["id"] != nil }.count == 200)
    // Every response comes after a rendering of at least its revision.
    var rendered: Int64 = 0
    for message in messages {
      if let revision = message["params"]?["revision"]?.integerValue { rendered = revision }
      if let revision = message["result"]?["revision"]?.integerValue {
        #expect(revision <= rendered)
      }
    }
  }

  @Test func requestsInFlightAreLimited() async {
    let limit = 16
    let driver = await LoopDriver.loggedIn(limits: ConnectionLimits(callsInFlightMax: limit))
    driver.send((0..<limit + 10).map { request($0, "addTodo", #"{"title":"\#($0)"}"#) })
    let wantsInput = driver.loop.wantsInput
    #expect(wantsInput)
    await driver.runWorkers()
    let answers = driver.read().filter { $0["id"] != nil }
    // In the order of the requests.
    #expect(
      answers.compactMap { $0["id"]?.integerValue } == (0..<limit + 10).map { Int64($0) })
  }

  @Test func loadWithALongProgressTokenIsRefusedWithoutAnID() async {
    let driver = await LoopDriver.loggedIn()
    let token = String(repeating: "t", count: 1_025)
    driver.send(request(1, "loadTodos", #"{"workDoneToken":"\#(token)"}"#))
    let answers = driver.read()
    #expect(answers.map { $0["id"] } == [.null])
    #expect(answers.map { $0["error"]?["code"] } == [-32600])
  }

  /// An operation without text does not retain its params.
  @Test func loadsWithLargeParamsAreInFlightTogether() async {
    let limits = ConnectionLimits(inFlightBytesMax: 100_000)
    let driver = await LoopDriver.loggedIn(limits: limits)
    let unknown = String(repeating: "u", count: limits.inFlightBytesMax / 2)
    let before = driver.inFlightCount
    for id in 1...3 {
      driver.send(request(id, "loadTodos", #"{"refresh":true,"unknown":"\#(unknown)"}"#))
    }
    #expect(driver.inFlightCount == before + 3)
    await driver.runWorkers()
    #expect(driver.read().filter { $0["id"] != nil }.count == 3)
  }

  @Test func notificationsInProgressCountAsInFlight() async {
    let limit = 16
    let driver = await LoopDriver.loggedIn(limits: ConnectionLimits(callsInFlightMax: limit))
    driver.send(
      (0..<limit + 10).map {
        #"{"jsonrpc":"2.0","method":"addTodo","params":{"title":"\#($0)"}}"#
      })
    #expect(driver.inFlightCount == limit)
    await driver.runWorkers()
    driver.send(request(1, "listTodos", #"{"limit":0}"#))
    await driver.runWorkers()
    #expect(driver.read().last?["result"]?["total"]?.integerValue == Int64(limit + 10))
  }

  @Test func idInFlightIsRefused() async {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "addTodo", #"{"title":"a"}"#), request(1, "addTodo", #"{"title":"b"}"#))
    await driver.runWorkers()
    let answers = driver.read().filter { $0["id"]?.integerValue == 1 }
    #expect(answers.map { $0["error"]?["code"]?.integerValue } == [-32600, nil])
    driver.send(request(1, "listTodos"))
    #expect(driver.read().last?["result"]?["total"]?.integerValue == 1)
  }

  @Test func cancelledChangeInFlightIsAnsweredOnce() async throws {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "addTodo", #"{"title":"a"}"#))
    let worker = try #require(driver.workers.last)
    driver.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
    #expect(driver.read().map { $0["error"]?["code"]?.integerValue } == [-32800])
    await driver.run(worker)
    #expect(driver.read().allSatisfy { $0["id"] == nil })
  }

  @Test func cancelledChangeInTheQueueIsNotApplied() async throws {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "addTodo", #"{"title":"a"}"#), request(2, "addTodo", #"{"title":"b"}"#))
    driver.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#)
    await driver.runWorkers()
    driver.send(request(3, "listTodos"))
    #expect(driver.read().last?["result"]?["total"]?.integerValue == 1)
  }

  @Test func requestsAfterALoginWaitForIt() async {
    let driver = LoopDriver.ready()
    driver.send(
      request(1, "login", #"{"name":"ann"}"#), request(2, "addTodo", #"{"title":"a"}"#),
      request(3, "listTodos"), request(4, "logout"), request(5, "listTodos"),
      request(6, "login", #"{"name":"bea"}"#), request(7, "listTodos"), request(8, "shutdown"))
    await driver.runWorkers()
    let answers = driver.read().filter { $0["id"] != nil }
    #expect(answers.compactMap { $0["id"]?.integerValue } == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(answers[2]["result"]?["total"]?.integerValue == 1)
    #expect(answers[4]["error"]?["data"]?["kind"]?.stringValue == "notLoggedIn")
    #expect(answers[6]["result"]?["total"]?.integerValue == 0)
  }
}

/// Tests the shutdown.
@Suite struct LoopEndTests {
  @Test(arguments: [(Framing.headers, Int32(1)), (.lines, 0)])
  func endOfInputWithoutShutdown(framing: Framing, code: Int32) {
    let driver = LoopDriver.ready(framing: framing)
    driver.handle(.inputEnded)
    #expect(driver.exitCode == code)
  }

  @Test func endOfInputAfterShutdown() {
    let driver = LoopDriver.ready()
    driver.send(request(1, "shutdown"))
    driver.handle(.inputEnded)
    _ = driver.read()
    #expect(driver.exitCode == 0)
  }

  @Test(arguments: [true, false])
  func exit(afterShutdown: Bool) {
    let driver = LoopDriver.ready()
    if afterShutdown { driver.send(request(1, "shutdown")) }
    _ = driver.read()
    driver.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    #expect(driver.exitCode == (afterShutdown ? 0 : 1))
  }

  @Test func exitBeforeInitialize() {
    let driver = LoopDriver()
    driver.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    #expect(driver.exitCode == 1)
  }

  @Test func requestInFlightIsAnsweredBeforeTheEnd() async {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "addTodo", #"{"title":"a"}"#))
    driver.handle(.inputEnded)
    #expect(driver.exitCode == nil)
    await driver.runWorkers()
    #expect(driver.read().contains { $0["id"]?.integerValue == 1 && $0["result"] != nil })
    #expect(driver.exitCode == 1)
  }

  @Test func hangingRequestIsCancelledAfterTheGracePeriod() async {
    let driver = LoopDriver.ready()
    driver.send(request(1, "login", #"{"name":"ann"}"#), request(2, "listTodos"))
    driver.handle(.inputEnded)
    #expect(driver.exitCode == nil)
    driver.handle(.gracePeriodEnded)
    let answers = driver.read().filter { $0["id"] != nil }
    #expect(answers.map { $0["error"]?["code"]?.integerValue } == [-32800, -32803])
    #expect(driver.exitCode == 1)
  }

  @Test func signalLetsPendingChangesComplete() async {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "addTodo", #"{"title":"a"}"#), request(2, "addTodo", #"{"title":"b"}"#))
    driver.handle(.endRequested(.terminated))
    #expect(driver.exitCode == nil)
    await driver.runWorkers()
    #expect(driver.read().filter { $0["result"]?["todo"] != nil }.count == 2)
    #expect(driver.exitCode == 1)
  }

  /// With one rendering for each request, the end of a session with thousands of requests in flight
  /// would take minutes.
  @Test func numberOfRendersAtTheEndDoesNotDependOnTheNumberOfRequests() async {
    var counts: [Int] = []
    for requestCount in [2, 12] {
      let renders = RenderCounter()
      let driver = await LoopDriver.loggedIn(observers: [renders])
      driver.send((0..<requestCount).map { request($0, "addTodo", #"{"title":"\#($0)"}"#) })
      driver.handle(.inputEnded)
      let before = renders.count
      driver.handle(.gracePeriodEnded)
      counts.append(renders.count - before)
      _ = driver.read()
      #expect(driver.exitCode == 1)
    }
    #expect(counts.first == counts.last)
  }
}

/// Counts the renders of all workflows.
private final class RenderCounter: WorkflowObserver {
  private(set) var count = 0

  func workflowWillRender<W: Workflow>(
    _ workflow: W, state: W.State, session: WorkflowSession
  ) -> ((W.Rendering) -> Void)? {
    count += 1
    return nil
  }
}
