import JSONRPC
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests that a store sends no more requests to its source than a change needs.
@Suite struct SourceStoreTests {
  let list = TodoListKey.source

  private func store(at url: String) throws -> SourceStore {
    let address = try #require(GitHubAddress("github:octo/tasks", githubURL: url))
    let remote = GitHubRemote(
      address, token: { Secret("t") }, transport: CurlTransport(),
      now: { Timestamp(milliseconds: 0) })
    return SourceStore(over: remote, environment: .counting())
  }

  @Test func onlyWhatChangedIsSent() async throws {
    let github = GitHubServer(pageSize: 2)
    let store = try store(at: github.url)
    let todo = try await store.add(NewTodo(title: "t", note: "a\r\nb"), to: list)
    _ = try await store.edit(todo.id, TodoEdit(title: "u", note: "a\r\nb"), in: list)
    _ = try await store.edit(todo.id, TodoEdit(isDone: true), in: list)
    try await store.remove(todo.id, expectedVersion: nil, in: list)
    let sent = github.requests.filter { $0.method != "GET" }
    #expect(sent.map(\.method) == ["POST", "PATCH", "PATCH", "PATCH"])
    #expect(
      try sent.map { try JSON(parsing: $0.body) } == [
        ["title": "t", "body": "a\r\nb"], ["title": "u"],
        ["state": "closed", "state_reason": "completed"],
        ["state": "closed", "state_reason": "not_planned"],
      ])
    #expect(sent.allSatisfy { $0["content-type"] == "application/json" })
  }

  @Test func anEditWithoutAChangeSendsNothing() async throws {
    let github = GitHubServer(pageSize: 2)
    let store = try store(at: github.url)
    let todo = try await store.add(NewTodo(title: "t"), to: list)
    _ = try await store.edit(todo.id, TodoEdit(title: "t"), in: list)
    #expect(github.requests.count { $0.method == "PATCH" } == 0)
  }

  @Test func versionDependsOnlyOnTheContent() {
    let content = TodoContent(title: "a", note: "b", isDone: false)
    let others = [
      TodoContent(title: "b", note: "b", isDone: false),
      TodoContent(title: "a", note: "a", isDone: false),
      TodoContent(title: "a", note: "b", isDone: true),
      TodoContent(title: "ab", note: "", isDone: false),
    ]
    let versions = Set((others + [content]).map(\.fingerprint))
    #expect(versions.count == 5)
    #expect(versions.allSatisfy { $0 > 0 && $0 < 1 << 53 })
  }

  @Test func pullRequestIsNotFound() async throws {
    let server = LoopbackServer { _ in
      .json(#"{"number": 1, "title": "t", "pull_request": {}}"#)
    }
    let store = try store(at: server.url)
    #expect(await failure { try await store.todo(TodoID("1"), in: list) }?.kind == .notFound)
  }

  @Test(arguments: [301, 302, 307, 308])
  func aRedirectKeepsMethodBodyAndToken(status: Int) async throws {
    let server = LoopbackServer { request in
      guard request.path.hasPrefix("/repos/") else {
        return .json(#"{"number": 1, "title": "t", "body": "n"}"#, status: 201)
      }
      return LoopbackResponse(status, headers: [("Location", "/repositories/42/issues")])
    }
    let todo = try await store(at: server.url).add(NewTodo(title: "t", note: "n"), to: list)
    #expect(todo.content.note == "n")
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.last?.path == "/repositories/42/issues")
    #expect(requests.last?.bodyText == requests.first?.bodyText)
    #expect(requests.last?.bodyText == #"{"title":"t","body":"n"}"#)
    #expect(requests.last?["authorization"] == "Bearer t")
  }

  @Test func pathAfterARedirectIsUsedFromThenOn() async throws {
    let server = LoopbackServer { request in
      request.path.hasPrefix("/repos/")
        ? LoopbackResponse(301, headers: [("Location", "/repositories/42/issues/1")])
        : .json(#"{"number": 1, "title": "t"}"#)
    }
    let store = try store(at: server.url)
    for _ in 1...2 { _ = try await store.todo(TodoID("1"), in: list) }
    #expect(
      server.requests.map(\.path) == [
        "/repos/octo/tasks/issues/1", "/repositories/42/issues/1", "/repositories/42/issues/1",
      ])
  }

  @Test func markerOfAnotherStoreStays() async throws {
    let github = GitHubServer(pageSize: 2)
    let body = IssueBody(note: "n", marker: ItemMarker("t7")).text
    github.change { _ = $0.add(title: "t", body: body, at: .now) }
    let store = try store(at: github.url)
    let edited = try await store.edit(TodoID("1"), TodoEdit(note: "m"), in: list)
    #expect(edited.content.note == "m")
    #expect(
      try JSON(parsing: try #require(github.writes.last).body)["body"]?.stringValue
        == IssueBody(note: "m", marker: ItemMarker("t7")).text)
  }

  @Test func editWhoseResponseWasLostDoesNotConflictWithItself() async throws {
    let github = GitHubServer(pageSize: 2)
    let store = try store(at: github.url)
    let todo = try await store.add(NewTodo(title: "t"), to: list)
    let edit = try TodoEdit(title: "u", expectedVersion: todo.version)
    github.fail(.dropAfter, next: "PATCH")
    let error = await failure { try await store.edit(todo.id, edit, in: list) }
    #expect(error?.kind == .offline)
    #expect(try await store.edit(todo.id, edit, in: list).content.title == "u")
    #expect(github.writes.count == 2)
  }

  @Test func todoOfAFieldThatIsSetLaterIsAddedWhole() async throws {
    let github = GitHubServer(pageSize: 2)
    let store = try store(at: github.url)
    let draft = try NewTodo(TodoContent(title: "t", note: "n", isDone: true))
    #expect(try await store.add(draft, to: list).content == draft.content)
    #expect(github.writes.map(\.method) == ["POST", "PATCH"])
  }

  @Test func removedIssueIsNotListed() async throws {
    let github = GitHubServer(pageSize: 2)
    let store = try store(at: github.url)
    for title in ["a", "b", "c"] { _ = try await store.add(NewTodo(title: title), to: list) }
    try await store.remove(TodoID("2"), expectedVersion: nil, in: list)
    let page = try await store.todos(TodoQuery(), in: list)
    #expect(page.elements.map(\.content.title) == ["c", "a"])
    #expect(page.total == 2)
  }
}

/// Tests a source that has fewer fields than a todo, and a rate limit.
@Suite struct LimitedSourceTests {
  private let list = TodoListKey.source

  private final class LimitedRemote: TodoRemote {
    let address = GitHubAddress("github:octo/tasks")!.remote
    let capabilities = RemoteCapabilities(fields: [.title, .done])
    private let requestCount = Mutex(0)
    private let limitEnd: Timestamp

    init(limitEnd: Timestamp) { self.limitEnd = limitEnd }

    var count: Int { requestCount.withLock { $0 } }

    func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
      requestCount.withLock { $0 += 1 }
      throw TodoError(.rateLimited, "Too many.", retryAt: limitEnd)
    }
  }

  @Test func fieldThatTheSourceCannotStoreIsRefused() async throws {
    let remote = LimitedRemote(limitEnd: .now)
    let store = SourceStore(over: remote, environment: .counting())
    let draft = try NewTodo(title: "t", note: "n")
    for error in [
      await failure { try await store.add(draft, to: list) },
      await failure { try await store.edit(TodoID("1"), TodoEdit(note: "n"), in: list) },
    ] {
      #expect(error?.kind == .validation)
      #expect(error?.fields.map(\.field) == ["note"])
    }
    #expect(remote.count == 0)
    // A form names all its fields, also those without a value.
    let edit = try TodoEdit(title: "t", note: "")
    #expect(
      await failure { try await store.edit(TodoID("1"), edit, in: list) }?.kind == .rateLimited)
  }

  @Test func noRequestIsSentDuringARateLimit() async throws {
    // The clock advances by a second with each look at it.
    let remote = LimitedRemote(limitEnd: Timestamp(milliseconds: 1_700_000_003_000))
    let store = SourceStore(over: remote, environment: .counting())
    for count in [1, 1, 1, 2] {
      let error = await failure { try await store.todo(TodoID("1"), in: list) }
      #expect(error?.kind == .rateLimited)
      #expect(error?.retryAt == Timestamp(milliseconds: 1_700_000_003_000))
      #expect(remote.count == count)
    }
  }

  /// A source whose list has more bytes than the server puts into one response.
  private struct LargeRemote: TodoRemote {
    let address = GitHubAddress("github:octo/tasks")!.remote
    let capabilities = RemoteCapabilities(fields: .all)

    func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
      let note = String(ofBytes: TodoQuery.answerBytesMax / 2)
      let items = (1...2).map { RemoteItem(.sample($0, body: note)) }
      return RemoteAnswer(.items(RemotePage(items: items)))
    }
  }

  @Test func rowsOfALargeListAreComplete() async throws {
    let store = SourceStore(over: LargeRemote(), environment: .counting())
    #expect(try await store.loaded(list).rows(TodoQuery(), in: list).elements.count == 2)
    #expect(try await store.todos(TodoQuery(), in: list).isTruncated)
  }
}
