import JSONRPC
import TestSupport
import Testing
import TodoModel
import TodoServer
import TodoStores
import WorkflowRuntime

/// Tests pages that take long to sort: they are read from a snapshot, on another thread.
@Suite struct BackgroundReadTests {
  private func loggedIn(_ folder: TemporaryFolder) async -> LoopDriver {
    let issues = (0..<TodoRead.slowCountMin + 1).map {
      Issue(
        number: Int64($0), url: "https://example.com/\($0)", title: "Todo \($0)", body: "",
        isClosed: false)
    }
    let driver = LoopDriver(store: .sqlite(path: folder.path("todos.sqlite"))) {
      (services) throws(TodoError) in
      _ = try services.store.journal?.mergeRemote(
        issues.map { RemoteItem($0) }, of: nil, to: TodoListKey(profile: "ann", source: ""))
    }
    driver.send(
      request(100, "initialize"), #"{"jsonrpc":"2.0","method":"initialized"}"#,
      request(101, "login", #"{"name":"ann"}"#))
    await driver.runWorkers()
    _ = driver.read()
    return driver
  }

  private func sorted(_ id: Int) -> String {
    request(id, "listTodos", #"{"sort":"-title","limit":1}"#)
  }

  private func slowWorker(_ driver: LoopDriver) throws -> WorkerTask {
    try #require(driver.workers.first { $0.name.hasPrefix("BackgroundReadWorker") })
  }

  @Test func slowReadUsesASnapshotAndBlocksNoOtherRequest() async throws {
    let folder = TemporaryFolder()
    let driver = await loggedIn(folder)
    driver.send(sorted(1), request(2, "listTodos", #"{"limit":1}"#))
    // The second response has overtaken the first.
    #expect(driver.read().compactMap { $0["id"]?.integerValue } == [2])
    let worker = try slowWorker(driver)
    driver.send(request(3, "addTodo", #"{"title":"Zz"}"#))
    for worker in driver.workers where worker.name == "OperationWorker" {
      await driver.run(worker)
    }
    #expect(driver.read().contains { $0["id"] == 3 && $0["result"] != nil })
    await driver.run(worker)
    let answer = driver.read().first { $0["id"] == 1 }?["result"]
    #expect(answer?["total"]?.integerValue == Int64(TodoRead.slowCountMin + 1))
    #expect(answer?["todos"]?[0]?["title"] == "Todo 999")
  }

  @Test func slowReadCanBeCancelled() async throws {
    let folder = TemporaryFolder()
    let driver = await loggedIn(folder)
    driver.send(sorted(1))
    _ = try slowWorker(driver)
    driver.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
    let answer = driver.read().first { $0["id"] == 1 }
    #expect(answer?["error"]?["code"]?.integerValue == -32800)
    #expect(!driver.workers.contains { $0.name.hasPrefix("BackgroundReadWorker") })
  }
}
