import JSONRPC
import Testing
import TodoServer

/// Tests that each selection belongs to exactly one revision, however fast or slowly the client
/// reads.
@Suite struct SelectionTests {
  /// Returns the selection of each rendering that was sent.
  private func selections(in messages: [JSON]) -> [String?] {
    messages.filter { $0["method"] == "workflow/render" }.map {
      $0["params"]?["rendering"]?["items"]?[1]?["screen"]?["body"]?["select"]?.stringValue
    }
  }

  private func runOperation(of driver: LoopDriver) async throws {
    await driver.run(try #require(driver.workers.last { $0.name == "OperationWorker" }))
  }

  private func add(_ id: Int, _ title: String, to driver: LoopDriver) async throws {
    let params = #"{"screen":"todoList","action":"add","values":{"title":"\#(title)"}}"#
    send(driver, request(id, "screen/act", params))
    try await runOperation(of: driver)
  }

  private func filter(_ id: Int, _ text: String, on driver: LoopDriver) {
    let params = #"{"screen":"todoList","action":"filter","values":{"query":"\#(text)"}}"#
    send(driver, request(id, "screen/act", params))
  }

  private func send(_ driver: LoopDriver, _ request: String) { driver.send(request) }  // words: ok

  @Test func selectionIsNotRepeatedByALaterChange() async throws {
    let driver = await LoopDriver.loggedIn()
    try await add(1, "a", to: driver)
    #expect(selections(in: driver.read()).map { $0 != nil } == [true])
    send(driver, request(2, "addTodo", #"{"title":"b"}"#))
    try await runOperation(of: driver)
    send(driver, request(3, "screen/act", #"{"screen":"todoList","action":"add"}"#))
    #expect(selections(in: driver.read()) == [nil, nil], "the second one is a refusal")
  }

  @Test func selectionSurvivesItsRevisionWhileTheReaderIsSlow() async throws {
    let driver = await LoopDriver.loggedIn()
    send(driver, request(1, "workflow/rendering"))
    try await add(2, "a", to: driver)
    filter(3, "a", on: driver)
    filter(4, "", on: driver)
    let selections = selections(in: driver.read())
    #expect(selections.filter { $0 != nil }.count == 1)
  }

  @Test func revisionKeepsItsSelectionAfterRevertedChanges() async throws {
    let driver = await LoopDriver.loggedIn()
    try await add(1, "a", to: driver)
    let id = try #require(selections(in: driver.read()).compactMap { $0 }.first)
    send(driver, request(2, "workflow/rendering"))
    filter(3, "b", on: driver)
    filter(4, "", on: driver)
    #expect(selections(in: driver.read()) == [])
    send(driver, request(5, "workflow/rendering"))
    let body = driver.read().last?["result"]?["rendering"]?["items"]?[1]?["screen"]?["body"]
    #expect(body?["select"]?.stringValue == id)
  }
}
