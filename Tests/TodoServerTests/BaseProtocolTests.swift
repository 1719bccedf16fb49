import JSONRPC
import Testing
import TodoServer

/// Tests the rules of LSP's base protocol, by number: frames, messages, lifecycle, `$/` messages,
/// errors, order.
@Suite struct BaseProtocolTests {
  private func frame(_ body: String, header: String = "Content-Length") -> [UInt8] {
    Array("\(header): \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  private func answers(_ driver: LoopDriver) -> [JSON] { driver.read().filter { $0["id"] != nil } }

  private func code(_ json: JSON?) -> Int64? { json?["error"]?["code"]?.integerValue }

  // MARK: Frames

  @Test(
    "F1: header names in any case, whitespace around values",
    arguments: [
      "content-length", "CONTENT-LENGTH", "Content-Length:  \t", "X-Other: 1\r\nContent-Length",
    ])
  func headers(name: String) {
    let driver = LoopDriver()
    let body = #"{"jsonrpc":"2.0","id":1,"method":"x"}"#
    let separator = name.contains(":  ") ? "" : ":"
    driver.handle(.input(Array("\(name)\(separator) \(body.utf8.count)\r\n\r\n\(body)".utf8)))
    #expect(code(answers(driver).first) == -32002)
  }

  @Test("F2: a length counts bytes, in both directions")
  func lengthInBytes() throws {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","id":"🌱","method":"é"}"#, request(2, "workflow/rendering"))
    #expect(answers(driver).map { $0["id"] } == ["🌱", 2])
  }

  @Test(
    "F3: utf-8 and utf8 are one, every other charset is an error",
    arguments: [
      ("utf-8", true), ("utf8", true), ("UTF-8", true), ("latin1", false), ("utf-16", false),
    ])
  func charset(name: String, isTaken: Bool) {
    let driver = LoopDriver()
    let type = "Content-Type: application/vscode-jsonrpc; charset=\(name)\r\nContent-Length"
    driver.handle(.input(frame(#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, header: type)))
    #expect(code(answers(driver).first) == (isTaken ? -32002 : -32600))
  }

  @Test("F4: a body is UTF-8")
  func bodyUTF8() {
    let driver = LoopDriver.ready()
    driver.handle(.input(Array("Content-Length: 3\r\n\r\n\"".utf8) + [0xff] + Array("\"".utf8)))
    #expect(answers(driver).map { code($0) } == [-32700])
  }

  @Test("F5: jsonrpc is 2.0, always", arguments: ["", #""jsonrpc":"1.0","#, #""jsonrpc":2.0,"#])
  func version(member: String) throws {
    let driver = LoopDriver.ready()
    driver.send(#"{\#(member)"id":1,"method":"workflow/rendering"}"#)
    #expect(answers(driver).map { code($0) } == [-32600])
    driver.send(request(2, "workflow/rendering"))
    #expect(driver.read().allSatisfy { $0["jsonrpc"] == "2.0" })
  }

  // MARK: Messages

  @Test("M1: a request gets one response, even if it is cancelled")
  func oneResponse() async {
    let driver = await LoopDriver.loggedIn()
    driver.send(request(1, "addTodo", #"{"title":"a"}"#))
    for _ in 0..<2 {
      driver.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
    }
    await driver.runWorkers()
    #expect(answers(driver).map { code($0) } == [-32800])
  }

  @Test(
    "M2: ids are integers or strings, and come back as they came",
    arguments: [0, -1, 9_007_199_254_740_993, "1", "", "é", "e\u{301}"] as [JSON])
  func ids(id: JSON) throws {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","id":\#(id.compactText),"method":"workflow/rendering"}"#)
    let answer = try #require(answers(driver).first)
    #expect(RequestID(try #require(answer["id"])) == RequestID(id))
  }

  @Test("M2: other values are not ids", arguments: ["1.5", "null", "true", "[1]", "{}", "1e3"])
  func noIDs(id: String) {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"workflow/rendering"}"#)
    let answer = answers(driver).first
    #expect(answer?["id"] == .null)
    #expect(code(answer) == -32600)
  }

  @Test("M4: exactly one of result and error, even if the result is null")
  func resultOrError() {
    let driver = LoopDriver.ready()
    driver.send(request(1, "shutdown"), request(2, "workflow/rendering"))
    let answers = answers(driver)
    #expect(answers.map { $0["result"] != nil } == [true, false])
    #expect(answers.map { $0["error"] != nil } == [false, true])
    #expect(answers[0]["result"] == .null)
  }

  @Test(
    "M5: a notification is never answered",
    arguments: ["foobar", "$/unknown", "login", "addTodo", "initialize", "shutdown", "screen/act"])
  func notification(method: String) {
    let driver = LoopDriver.ready()
    driver.send(#"{"jsonrpc":"2.0","method":"\#(method)"}"#)
    #expect(answers(driver) == [])
  }

  @Test("M6: params are an object, or an array", arguments: ["1", #""a""#, "true"])
  func params(text: String) {
    let driver = LoopDriver.ready()
    driver.send(request(1, "workflow/rendering", text))
    #expect(answers(driver).map { code($0) } == [-32600])
  }

  @Test("M7: a batch is answered with a batch, and never sent otherwise")
  func batches() throws {
    let driver = LoopDriver.ready()
    driver.send("[\(request(1, "workflow/rendering")),\(request(2, "x"))]")
    let batch = try #require(driver.read().first?.arrayValue)
    #expect(Set(batch.compactMap { $0["id"]?.integerValue }) == [1, 2])
    driver.send(request(3, "workflow/rendering"), request(4, "x"))
    #expect(driver.read().allSatisfy { $0.arrayValue == nil })
  }

  // MARK: Order and errors

  @Test("O1: changes take effect in the order of arrival")
  func order() async {
    let driver = await LoopDriver.loggedIn()
    driver.send((0..<50).map { request($0, "addTodo", #"{"title":"\#($0)"}"#) })
    await driver.runWorkers()
    #expect(answers(driver).compactMap { $0["id"]?.integerValue } == Array(0..<50))
    driver.send(request(99, "listTodos", #"{"fields":["title"]}"#))
    let todos = answers(driver).last?["result"]?["todos"]?.arrayValue ?? []
    #expect(todos.compactMap { $0["title"]?.stringValue } == (0..<50).reversed().map { "\($0)" })
  }

  @Test("E: errors have the specified codes")
  func codes() {
    let driver = LoopDriver()
    driver.send("{", "[]", request(1, "login"))
    driver.send(
      request(2, "initialize"), request(3, "x"), request(4, "login"), request(5, "logout"))
    driver.send(request(6, "screen/act", #"{"screen":"todoList","action":"add"}"#))
    #expect(
      answers(driver).map { code($0) }
        == [-32700, -32600, -32002, nil, -32601, -32602, -32803, -32801])
  }
}
