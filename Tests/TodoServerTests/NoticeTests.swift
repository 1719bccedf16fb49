import JSONRPC
import Testing

/// Tests notices that the user must not miss.
@Suite struct NoticeTests {
  private let notice = "A damaged file was set aside."

  private func front(of driver: LoopDriver) throws -> JSON {
    driver.send(request(99, "workflow/rendering"))
    let answer = try #require(driver.read().last { $0["id"]?.integerValue == 99 })
    return try #require(answer["result"]?["rendering"]?["items"]?.arrayValue?.last?["screen"])
  }

  private func expectNotice(_ driver: LoopDriver, on name: String) throws {
    let screen = try front(of: driver)
    #expect(screen["name"]?.stringValue == name)
    #expect(screen["message"]?["level"]?.stringValue == "warning")
    #expect(screen["message"]?["text"]?.stringValue == notice)
    #expect(screen["message"]?["id"]?.integerValue == 0, "it is the same one everywhere")
  }

  @Test func noticeIsOnTheFrontScreen() async throws {
    let driver = LoopDriver.ready(notice: notice)
    try expectNotice(driver, on: "welcome")
    driver.send(request(1, "screen/change", #"{"screen":"welcome","values":{"name":"ann"}}"#))
    driver.send(request(2, "login", #"{"name":"ann"}"#))
    await driver.runWorkers()
    try expectNotice(driver, on: "todoList")
    // A refused action keeps the notice.
    driver.send(request(3, "screen/act", #"{"screen":"todoList","action":"nothing"}"#))
    try expectNotice(driver, on: "todoList")
    driver.send(request(4, "screen/act", #"{"screen":"todoList","action":"filter"}"#))
    await driver.runWorkers()
    #expect(try front(of: driver)["message"] == nil)
  }

  @Test func actionRemovesTheNotice() async throws {
    let driver = LoopDriver.ready(notice: notice)
    driver.send(request(2, "screen/act", #"{"screen":"welcome","action":"openRegister"}"#))
    let screen = try front(of: driver)
    #expect(screen["name"]?.stringValue == "register")
    #expect(screen["message"] == nil)
  }
}
