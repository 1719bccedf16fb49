import JSONRPC
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// What a store at GitHub sends: as little as a change needs.
@Suite struct GitHubStoreTests {
  let list = TodoListKey.source

  private func store(at url: String) throws -> GitHubStore {
    try GitHubStore(
      repository: "octo/tasks", baseURL: url, token: Secret("t"), transport: CurlTransport(),
      environment: .counting())
  }

  @Test func onlyWhatChangedIsSent() async throws {
    let github = GitHubServer(pageSize: 2)
    let store = try store(at: github.url)
    let todo = try await store.add(TodoDraft(title: "t", note: "a\r\nb"), to: list)
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
    let todo = try await store.add(TodoDraft(title: "t"), to: list)
    _ = try await store.edit(todo.id, TodoEdit(title: "t"), in: list)
    #expect(github.requests.count { $0.method == "PATCH" } == 0)
  }

  @Test func theVersionFollowsTheContentOnly() {
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

  @Test func aPullRequestIsNoTodo() async throws {
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
      return LoopbackAnswer(status, headers: [("Location", "/repositories/42/issues")])
    }
    let todo = try await store(at: server.url).add(TodoDraft(title: "t", note: "n"), to: list)
    #expect(todo.content.note == "n")
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.last?.path == "/repositories/42/issues")
    #expect(requests.last?.bodyText == requests.first?.bodyText)
    #expect(requests.last?.bodyText == #"{"title":"t","body":"n"}"#)
    #expect(requests.last?["authorization"] == "Bearer t")
  }
}
