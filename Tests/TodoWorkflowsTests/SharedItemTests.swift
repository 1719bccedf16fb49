import Synchronization
import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores

@testable import TodoWorkflows

/// Tests two lists of one server that have the same item.
@Suite struct SharedItemTests {
  /// A change is based on the last read of its item. Between this read and the change, no request
  /// for another list is sent.
  @Test func changeFollowsTheReadOfItsItem() async throws {
    let store = try SQLiteStore(at: .memory, environment: .live)
    let log = RequestLog()
    let services = log.services
    var runs: [SyncRun] = []
    for source in ["github:octo/tasks", "github:@me"] {
      let list = TodoListKey(profile: "ann", source: source)
      let remote = LoggedRemote(source: source, log: log)
      let load = SyncRun(
        list: list, goal: .pull, remote: remote, journal: store, services: services)
      _ = try await load.run { _ in }
      for todo in try store.todos(TodoQuery(), in: list).elements {
        _ = try store.edit(todo.id, TodoEdit(note: "edited"), in: list)
      }
      runs.append(
        SyncRun(list: list, goal: .push, remote: remote, journal: store, services: services))
    }
    log.requests.withLock { $0 = [] }
    let (first, second) = (runs[0], runs[1])
    async let one = first.run { _ in }
    async let other = second.run { _ in }
    #expect(try await one.pushed + other.pushed == 6)
    let requests = log.requests.withLock { $0 }
    #expect(requests.count == 12)
    for (index, request) in requests.enumerated() where request.hasPrefix("change") {
      #expect(requests[index - 1] == "read" + request.dropFirst("change".count))
    }
  }
}

/// Records the requests of two sources in their order. Its clock advances each time it is read.
private final class RequestLog: Sendable {
  let requests = Mutex<[String]>([])
  private let clock = Mutex<Int64>(1_800_000_000_000)

  var services: SyncServices {
    SyncServices(
      owner: "me", isAlive: { _ in true },
      now: {
        self.clock.withLock { milliseconds in
          milliseconds += 400
          return Timestamp(milliseconds: milliseconds)
        }
      },
      sleep: { _ in await Task.yield() })
  }
}

/// A source with three items, which lets other tasks run before it answers a request.
private struct LoggedRemote: TodoRemote {
  let source: String
  let log: RequestLog
  let capabilities = RemoteCapabilities(fields: Issue.fields)

  var address: RemoteAddress {
    RemoteAddress(
      kind: "github", baseURL: "https://example.org", place: source, description: source)
  }

  func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    for _ in 0..<20 { await Task.yield() }
    switch request.kind {
    case .list: return RemoteAnswer(.items(RemotePage(items: (1...3).map { item("\($0)") })))
    case .read(let key):
      log.requests.withLock { $0.append("read \(source) \(key)") }
      return RemoteAnswer(.item(item(key)))
    case .change(let key, let content, _, _, _):
      log.requests.withLock { $0.append("change \(source) \(key)") }
      var item = item(key)
      item.content.note = content.note
      return RemoteAnswer(.item(item))
    case .access, .user, .changes, .page, .newest, .create, .changeLabel, .listLabels,
      .remove:
      throw TodoError(.invalidResponse, "not requested here")
    }
  }

  private func item(_ key: String) -> RemoteItem {
    RemoteItem(
      key: key, url: "https://example.org/\(key)", content: TodoContent(title: "issue \(key)"),
      fields: capabilities.fields)
  }
}
