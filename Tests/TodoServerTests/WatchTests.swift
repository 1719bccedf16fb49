import JSONRPC
import TestSupport
import Testing
import TodoModel
import TodoServer

/// Tests `watchTodos` and its notifications.
@Suite struct WatchTests {

  /// Returns each message as the version of a change, or as the negative id of a response.
  private func order(of messages: [JSON]) -> [Int64] {
    messages.compactMap { message in
      message["method"] == "todo/changed"
        ? message["params"]?["version"]?.integerValue : message["id"]?.integerValue.map { -$0 }
    }
  }

  @Test func slowClientReceivesAllChanges() async throws {
    var services: TodoServices?
    let driver = LoopDriver { services = $0 }
    driver.send(request(1, "initialize"), request(2, "login", #"{"name":"ann"}"#))
    await driver.runWorkers()
    driver.send(request(3, "loadTodos"), request(4, "watchTodos"))
    await driver.runWorkers()
    _ = driver.read()
    let store = try #require(services?.store)
    let list = TodoListKey(profile: "ann", source: "")
    let id = try await store.add(NewTodo(title: "0"), to: list).id
    let other = TodoListKey(profile: "bob", source: "")
    for number in 2...1_000 {
      _ = try await store.edit(id, TodoEdit(title: "\(number)"), in: list)
      _ = try await store.add(NewTodo(title: "Not yours"), to: other)
    }
    driver.send(request(5, "getTodo", #"{"id":"\#(id.text)"}"#))
    #expect(order(of: driver.read()) == Array(1...1_000) + [-5])
  }

  @Test(arguments: [false, true])
  func changeIsReportedBeforeItsResponse(isBatch: Bool) async throws {
    let driver = await LoopDriver.loggedIn()
    _ = driver.read()
    let requests = [
      request(4, "watchTodos"), request(5, "addTodo", #"{"title":"a"}"#),
      request(6, "watchTodos"), request(7, "addTodo", #"{"title":"b"}"#),
    ]
    driver.send(isBatch ? ["[\(requests.joined(separator: ","))]"] : requests)
    await driver.runWorkers()
    let messages = driver.read().filter { $0["method"] != "workflow/render" }
    let order = order(of: messages)
    if isBatch {
      #expect(order == [1, 1])
      #expect(messages.last?.arrayValue?.count == 4)
    } else {
      #expect(order.sorted() == [-7, -6, -5, -4, 1, 1])
      let (first, second) = (order.firstIndex(of: 1), order.lastIndex(of: 1))
      #expect(order.first == -4)
      #expect(try #require(first) < #require(order.firstIndex(of: -5)))
      #expect(try #require(second) < #require(order.firstIndex(of: -7)))
    }
  }
}
