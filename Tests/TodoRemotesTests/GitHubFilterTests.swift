import JSONRPC
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the requests of a source that has a filter, and of the source of all assigned issues.
@Suite struct GitHubFilterTests {
  private let server = GitHubServer(pageSize: 2)

  private func remote(_ source: String, token: Secret? = nil) throws -> GitHubRemote {
    guard case .github(let issues) = try SourceKind(source) else {
      throw TodoError.storage("not at GitHub")
    }
    return GitHubRemote(
      GitHubAddress(baseURL: server.url, issues: issues), token: { token },
      transport: CurlTransport(), now: fixedClock)
  }

  private func items(_ remote: GitHubRemote, _ request: RemoteRequest) async throws -> RemotePage {
    guard case .items(let page) = try await remote.perform(request).body else {
      throw TodoError.storage("no items")
    }
    return page
  }

  private func item(_ remote: GitHubRemote, _ request: RemoteRequest) async throws -> RemoteItem {
    guard case .item(let item) = try await remote.perform(request).body else {
      throw TodoError.storage("no item")
    }
    return item
  }

  private func fill() {
    server.change { github in
      for number in 1...4 { github.add(title: "issue \(number)", at: .now) }
      github.edit(1, at: .now) { issue in
        issue.assignees = ["Me", "bob"]
        issue.labels = LabelSet(["Bug", "good first issue"])
        issue.milestone = 3
      }
      github.edit(2, at: .now) { $0.assignees = ["bob"] }
    }
  }

  @Test(
    arguments: [
      ("assignee=@me", "assignee=me", [1]), ("assignee=none", "assignee=none", [4, 3]),
      ("assignee=bob", "assignee=bob", [2, 1]),
      ("labels=bug,good%20first%20issue", "labels=bug,good%20first%20issue", [1]),
      ("milestone=3", "milestone=3", [1]), ("milestone=none", "milestone=none", [4, 3]),
      ("creator=other", "creator=other", [4, 3]),
    ] as [(String, String, [Int64])])
  func viewIsLoaded(filter: String, query: String, numbers: [Int64]) async throws {
    fill()
    let remote = try remote("github:octo/tasks?\(filter)")
    let page = try await items(remote, RemoteRequest(.list))
    #expect(page.items.map(\.key) == numbers.map { String($0) })
    #expect(!page.items.contains { !$0.isInView })
    let path = try #require(server.requests.last).path
    #expect(path == "/repos/octo/tasks/issues?per_page=100&state=open&\(query)")
    // What is not in the view has changes, too.
    let changes = try await items(
      remote, RemoteRequest(.changes(since: "2020-01-01T00:00:00Z", nil)))
    #expect(changes.items.count == 2)
    let last = try #require(server.requests.last)
    #expect(!last.path.contains(query))
    for item in changes.items where !numbers.contains(Int64(item.key) ?? 0) && page.next == nil {
      #expect(!item.isInView)
    }
  }

  @Test func changesBeginAtTheTimeOfTheLoad() async throws {
    server.change { $0.add(title: "old", at: Timestamp(milliseconds: 0)) }
    let page = try await items(try remote("github:octo/tasks?creator=other"), RemoteRequest(.list))
    let date = try #require(page.date)
    let cursor = try #require(page.cursor.flatMap { Timestamp(rfc3339: $0) })
    #expect(date.milliseconds - cursor.milliseconds == 60_000)
    #expect(
      try await items(try remote("github:octo/tasks"), RemoteRequest(.list)).cursor
        == "1970-01-01T00:00:00Z")
  }

  @Test func newIssueGetsWhatTheFilterRequires() async throws {
    let remote = try remote("github:octo/tasks?assignee=@me&milestone=3&labels=bug")
    let content = TodoContent(title: "new", labels: LabelSet(["bug"]))
    let new = try await item(remote, RemoteRequest(.create(content, marker: nil)))
    #expect(new.isInView && !new.isIncomplete)
    let issue = server.change { $0.issues[1] }
    #expect(issue?.assignees == ["me"] && issue?.milestone == 3)
    server.change { $0.acceptsAssignments = false }
    let incomplete = try await item(remote, RemoteRequest(.create(content, marker: nil)))
    #expect(!incomplete.isInView && incomplete.isIncomplete)
    server.change { $0.milestoneMax = 2 }
    let error = await #expect(throws: TodoError.self) {
      try await item(remote, RemoteRequest(.create(content, marker: nil)))
    }
    #expect(error?.kind == .validation)
  }

  @Test func assignedIssuesAreOfAllRepositories() async throws {
    fill()
    let remote = try remote("github:@me")
    let page = try await items(remote, RemoteRequest(.list))
    #expect(page.items.map(\.key) == ["octo/tasks#1"])
    #expect(
      server.requests.map(\.path) == ["/user", "/issues?per_page=100&state=open&filter=assigned"])
    #expect(page.items.first?.isInView ?? false)
    #expect(!remote.capabilities.reportsLeaving)
    let read = try await item(remote, RemoteRequest(.read(key: "octo/tasks#1")))
    #expect(server.requests.last?.path == "/repos/octo/tasks/issues/1")
    #expect(read.key == "octo/tasks#1")
    // The name of the user is requested once.
    #expect(server.requests.filter { $0.path == "/user" }.count == 1)
    let change = RemoteRequest(
      .change(
        key: "Octo/Tasks#1", TodoContent(title: "edited"), fields: [.title], marker: nil))
    #expect(try await item(remote, change).content.title == "edited")
    _ = try await remote.perform(
      RemoteRequest(.changeLabel(key: "octo/tasks#1", LabelChange(label: "x", isAdded: true))))
    #expect(server.requests.last?.path == "/repos/octo/tasks/issues/1/labels")
    server.change { github in github.edit(1, at: .now) { $0.assignees = ["bob"] } }
    #expect(try await !item(remote, RemoteRequest(.read(key: "octo/tasks#1"))).isInView)
    #expect(try await items(remote, RemoteRequest(.list)).items.isEmpty)
  }

  @Test func issueOfARenamedRepositoryHasItsFormerKey() async throws {
    fill()
    server.change { github in
      github.repository = "octo/new"
      github.formerNames = ["octo/tasks"]
    }
    let read = try await item(try remote("github:@me"), RemoteRequest(.read(key: "octo/tasks#1")))
    #expect(read.key == "octo/new#1" && read.formerKey == "octo/tasks#1")
    let answer = try await remote("github:@me").perform(
      RemoteRequest(.read(key: "octo/tasks#1")))
    #expect(answer.movedTo == nil)
  }

  @Test(arguments: ["7", "octo/tasks", "octo/tasks#x", "../tasks#7", "octo/tasks/x#7", "#7"])
  func otherKeysAreOfNoIssue(key: String) async throws {
    let remote = try remote("github:@me")
    let error = await #expect(throws: TodoError.self) {
      try await item(remote, RemoteRequest(.read(key: key)))
    }
    #expect(error?.kind == .notFound)
  }

  @Test(
    arguments: [("ME", "t", true), ("bob", "t", false), ("me", nil, false)]
      as [(
        String, String?, Bool
      )])
  func addingIsOfferedToTheNamedCreator(
    creator: String, token: String?, acceptsNew: Bool
  ) async throws {
    fill()
    let remote = try remote(
      "github:octo/tasks?creator=\(creator)", token: token.map { Secret($0) })
    let view = try #require(remote.address.view)
    #expect(!view.acceptsNew)
    _ = try await items(remote, RemoteRequest(.list))
    _ = try await items(remote, RemoteRequest(.list))
    #expect(view.acceptsNew == acceptsNew)
    #expect(server.requests.count { $0.path == "/user" } == (token == nil ? 0 : 1))
  }

  /// GitHub responds with an error to the request for the user, because the token of an app belongs
  /// to no user. This request is sent only once.
  @Test func addingIsNotOfferedToAnApp() async throws {
    fill()
    server.fail(.page(status: 404, isProcessed: false), at: 0)
    let remote = try remote("github:octo/tasks?creator=other", token: Secret("t"))
    for _ in 0..<2 {
      #expect(try await items(remote, RemoteRequest(.list)).items.count == 2)
    }
    #expect(server.requests.count { $0.path == "/user" } == 1)
    #expect(remote.address.view?.acceptsNew == false)
  }

  @Test func sourceStoreHasTheView() async throws {
    fill()
    let list = TodoListKey(profile: "ann", source: "github:octo/tasks")
    let remote = try remote("github:octo/tasks?assignee=bob&labels=Bug")
    let store = SourceStore(over: remote, environment: .live)
    #expect(try await store.todos(TodoQuery(), in: list).elements.map(\.id.text) == ["1"])
    let todo = try await store.add(NewTodo(title: "new"), to: list)
    #expect(todo.content.labels.texts == ["Bug"])
    let assigned = SourceStore(over: try self.remote("github:@me"), environment: .live)
    await #expect(throws: TodoError.addingRefused) {
      try await assigned.add(NewTodo(title: "new"), to: list)
    }
  }
}
