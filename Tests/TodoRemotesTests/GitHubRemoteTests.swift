import JSONRPC
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the HTTP requests that GitHub receives for each `RemoteRequest` of a sync, and the parsing
/// of the responses.
@Suite struct GitHubRemoteTests {
  private func remote(_ server: LoopbackServer, token: String? = "secret") throws -> GitHubRemote {
    let repository = try #require(RepositoryName("Octo/Tasks"))
    let now = try #require(Timestamp(rfc3339: "2027-01-15T07:00:00Z"))
    return GitHubRemote(
      GitHubAddress(baseURL: server.url, repository: repository),
      token: { token.map { Secret($0) } }, transport: CurlTransport(), now: { now })
  }

  private static func issue(
    _ number: Int, title: String = "t", body: String = "b", state: String = "open"
  ) -> String {
    let json: JSON = [
      "number": .integer(Int64(number)), "title": .string(title), "body": .string(body),
      "state": .string(state),
      "html_url": .string("https://github.com/octo/tasks/issues/\(number)"),
      "created_at": "2026-01-01T00:00:00Z",
      "updated_at": .string("2026-01-0\(number)T00:00:00Z"),
    ]
    return json.compactText
  }

  private func page(_ answer: RemoteAnswer) throws -> RemotePage {
    guard case .items(let page) = answer.body else { throw TodoError.storage("no page") }
    return page
  }

  private func item(_ answer: RemoteAnswer) throws -> RemoteItem {
    guard case .item(let item) = answer.body else { throw TodoError.storage("no item") }
    return item
  }

  @Test func requestsHaveTheFormOfGitHubsAPI() async throws {
    let server = LoopbackServer { request in
      request.path.contains("?")
        ? .json("[\(Self.issue(1)), \(Self.issue(3))]") : .json(Self.issue(3))
    }
    let remote = try remote(server)
    let content = TodoContent(title: "new", note: "n", isDone: true)
    let requests: [RemoteRequest.Kind] = [
      .list, .changes(since: "2026-01-01T00:00:00Z", nil), .newest, .read(key: "3"),
      .create(content, marker: ItemMarker("t1")),
      .change(key: "3", content, fields: [.title, .done], marker: nil),
      .change(key: "3", content, fields: [.note], marker: ItemMarker("t1")), .remove(key: "3"),
    ]
    for request in requests { _ = try await remote.perform(RemoteRequest(request)) }
    // As the user spells it.
    let issues = "/repos/Octo/Tasks/issues"
    #expect(
      server.requests.map { "\($0.method) \($0.path)" } == [
        "GET \(issues)?per_page=100&state=open",
        "GET \(issues)?state=all&since=2026-01-01T00:00:00Z&sort=updated&direction=asc&per_page=100",
        "GET \(issues)?state=all&sort=created&direction=desc&per_page=100", "GET \(issues)/3",
        "POST \(issues)", "PATCH \(issues)/3", "PATCH \(issues)/3", "PATCH \(issues)/3",
      ])
    #expect(
      try server.requests.filter { $0.method != "GET" }.map { try JSON(parsing: $0.body) } == [
        ["title": "new", "body": "n\n\n<!-- todo-server:t1 -->"],
        ["title": "new", "state": "closed", "state_reason": "completed"],
        ["body": "n\n\n<!-- todo-server:t1 -->"],
        ["state": "closed", "state_reason": "not_planned"],
      ])
    #expect(server.requests.allSatisfy { $0["authorization"] == "Bearer secret" })
  }

  @Test func thePageSaysWhatToAskNext() async throws {
    let pull =
      #"{"number": 9, "title": "p", "pull_request": {}, "updated_at": "2026-01-09T00:00:00Z"}"#
    let server = LoopbackServer { request in
      .json(
        "[\(Self.issue(1)), \(pull), \(Self.issue(3, state: "closed"))]",
        headers: [("ETag", "W/\"x\"")])
    }
    let page = try page(
      await remote(server).perform(RemoteRequest(.changes(since: "2026-01-01T00:00:00Z", nil))))
    #expect(page.items.map(\.key) == ["1", "3"])
    #expect(page.items.map(\.hasLeft) == [false, true])
    #expect(page.otherEntries.map(\.key) == ["9"])
    #expect(page.cursor == "2026-01-09T00:00:00Z")
    #expect(page.validator?.tag == "W/\"x\"")
    #expect(!page.isFull && page.next == nil)
  }

  @Test func aValidatorBelongsToItsAddressAndItsToken() async throws {
    let server = LoopbackServer { request in
      request["if-none-match"] == nil
        ? .json("[]", headers: [("ETag", "\"x\"")]) : LoopbackResponse(304)
    }
    func ask(_ validator: RemoteValidator?, since: String, token: String?) async throws
      -> RemoteAnswer
    {
      try await remote(server, token: token).perform(
        RemoteRequest(.changes(since: since, validator)))
    }
    let first = try await page(ask(nil, since: "a", token: "one"))
    let validator = try #require(first.validator)
    #expect(try await ask(validator, since: "a", token: "one").body == .notModified)
    #expect(try await page(ask(validator, since: "a", token: "two")).items == [])
    #expect(try await page(ask(validator, since: "a", token: nil)).items == [])
    #expect(try await page(ask(validator, since: "b", token: "one")).items == [])
    #expect(server.requests.count { $0["if-none-match"] != nil } == 1)
    #expect(!"\(validator)".contains("one"))
  }

  @Test(arguments: [(301, true), (308, true), (302, false), (307, false)])
  func aPermanentRedirectIsRemembered(status: Int, isRemembered: Bool) async throws {
    let server = LoopbackServer { request in
      guard request.path.hasPrefix("/repos/") else {
        return .json(request.path.contains("?") ? "[]" : Self.issue(3))
      }
      let target = request.path.replacing("/repos/Octo/Tasks", with: "/repositories/42")
      return LoopbackResponse(status, headers: [("Location", target)])
    }
    let remote = try remote(server)
    let answer = try await remote.perform(RemoteRequest(.list))
    #expect(answer.movedTo == (isRemembered ? "repositories/42" : nil))
    let item = try await remote.perform(RemoteRequest(.read(key: "3")))
    #expect(item.movedTo == (isRemembered ? "repositories/42" : nil))
    let content = TodoContent(title: "new", note: "n", isDone: false)
    _ = try await remote.perform(
      RemoteRequest(.change(key: "3", content, fields: [.title], marker: nil)))
    // It is sent once to where it belongs, with its method and its body.
    let sent = server.requests.filter { $0.method == "PATCH" }
    #expect(sent.map(\.path) == ["/repos/Octo/Tasks/issues/3", "/repositories/42/issues/3"])
    #expect(sent.map(\.body) == Array(repeating: Array(#"{"title":"new"}"#.utf8), count: 2))
    _ = try await remote.perform(RemoteRequest(.read(key: "3"), path: "repositories/42"))
    #expect(server.requests.last?.path == "/repositories/42/issues/3")
  }

  /// The timeout of a request must include all redirects. After the timeout, other instances of
  /// todo-server assume that the request has ended, and may send its write again.
  @Test func redirectsShareTheTimeoutOfTheirRequest() async throws {
    let transport = SlowRedirects(hopMilliseconds: 120_000)
    let remote = GitHubRemote(
      try #require(GitHubAddress("github:octo/tasks")), token: { nil }, transport: transport,
      now: { transport.now })
    let content = TodoContent(title: "new", note: "", isDone: false)
    let error = await failure {
      try await remote.perform(RemoteRequest(.create(content, marker: ItemMarker("t1"))))
    }
    #expect(error?.kind == .timeout)
    #expect(transport.timeouts == [nil, 180_000, 60_000])
  }

  @Test func transferredIssueIsNotFound() async throws {
    let server = LoopbackServer { request in
      request.path.hasSuffix("/issues/5")
        ? LoopbackResponse(301, headers: [("Location", "/repositories/7/issues/6")])
        : .json(Self.issue(6))
    }
    let error = await failure { try await remote(server).perform(RemoteRequest(.read(key: "5"))) }
    #expect(error?.kind == .notFound)
    #expect(error?.message.contains("moved") == true)
  }

  @Test(arguments: [
    ("n\n\n<!-- todo-server:t1 -->", "n", "t1"), ("<!-- todo-server:t1 -->", "", "t1"),
    ("n\r\n\r\n<!-- todo-server:t1 -->\r\n", "n", "t1"),
    ("n\n\n\n<!-- todo-server:t1 --> \n", "n\n", "t1"),
    ("<!-- todo-server:t1 -->\nmore", "<!-- todo-server:t1 -->\nmore", nil),
    ("n\n<!-- todo-server: -->", "n\n<!-- todo-server: -->", nil),
    ("a\r\nb", "a\r\nb", nil), ("", "", nil),
  ])
  func aMarkerIsTheLastLineAndNoPartOfTheNote(body: String, note: String, marker: String?) {
    let read = IssueBody(body)
    #expect(read.note.hasSameBytes(as: note))
    #expect(read.marker?.text == marker)
    let again = IssueBody(IssueBody(note: note, marker: marker.map { ItemMarker($0) }).text)
    #expect(again == read)
  }

  @Test func longTitleIsTruncatedWithItsLength() async throws {
    let server = LoopbackServer { _ in
      .json(Self.issue(3, title: String(repeating: "é", count: 40_000)))
    }
    let item = try await item(remote(server).perform(RemoteRequest(.read(key: "3"))))
    #expect(item.content.title.utf8.count < 66_000)
    #expect(item.content.title.hasSuffix("… (cut: the title has 80000 bytes)"))
  }

  @Test(
    arguments: [
      (429, [], nil), (429, [("Retry-After", "30")], "2027-01-15T07:00:30Z"),
      (403, [("Retry-After", "30")], "2027-01-15T07:00:30Z"),
      (
        403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1800000000")],
        "2027-01-15T08:00:00Z"
      ),
      (429, [("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", "1800000000")], nil),
    ] as [(Int, [(String, String)], String?)])
  func rateLimitHasItsEndIfTheResponseNamesIt(
    status: Int, headers: [(String, String)], instant: String?
  ) async throws {
    let server = LoopbackServer { _ in
      .json(#"{"message": "slow down"}"#, status: status, headers: headers)
    }
    let error = await failure { try await remote(server).perform(RemoteRequest(.list)) }
    #expect(error?.kind == .rateLimited)
    #expect(error?.retryAt == instant.flatMap { Timestamp(rfc3339: $0) })
  }

  @Test func responseToTheLastAllowedRequestNamesTheNextTime() async throws {
    let server = LoopbackServer { _ in
      .json(
        "[]", headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1800000000")])
    }
    let answer = try await remote(server).perform(RemoteRequest(.list))
    #expect(answer.nextRequestAt == Timestamp(milliseconds: 1_800_000_000_000))
  }

  /// By itself, libcurl would send a POST again if a reused connection breaks.
  @Test(arguments: ["POST", "PATCH"])
  func writeIsNeverRepeated(method: String) async throws {
    let server = LoopbackServer { request in
      request.method == "GET" ? .json("[]") : LoopbackResponse(200, body: [], ending: .nothing)
    }
    let remote = try remote(server)
    for _ in 0..<3 { _ = try await remote.perform(RemoteRequest(.list)) }
    let content = TodoContent(title: "new", note: "n", isDone: false)
    let write: RemoteRequest.Kind =
      method == "POST"
      ? .create(content, marker: ItemMarker("t1"))
      : .change(key: "3", content, fields: [.title], marker: nil)
    let error = await failure { try await remote.perform(RemoteRequest(write)) }
    #expect(error?.kind == .offline)
    #expect(server.requests.count { $0.method == method } == 1)
  }
}

@Suite struct GitHubAddressTests {
  @Test(arguments: [
    ("github:octo/tasks", "https://api.github.com", "github:octo/tasks"),
    ("github:Octo/Tasks", "https://api.github.com", "github:octo/tasks"),
    (
      "github:Git.Example.org/Octo/Tasks", "https://git.example.org/api/v3",
      "github:git.example.org/octo/tasks"
    ),
    (
      "github+https://example.org/base/Octo/Tasks", "https://example.org/base",
      "github+https://example.org/base/octo/tasks"
    ),
    (
      "github+https://example.org/octo/tasks", "https://example.org",
      "github+https://example.org/octo/tasks"
    ),
    (
      "github+https://HOST.org/api/v3/octo/tasks", "https://host.org/api/v3",
      "github:host.org/octo/tasks"
    ),
    (
      "github+http://127.0.0.1:8080/octo/tasks", "http://127.0.0.1:8080",
      "github+http://127.0.0.1:8080/octo/tasks"
    ),
    ("github+https://api.github.com/octo/tasks", "https://api.github.com", "github:octo/tasks"),
  ])
  func nameIsParsedAsAnAddress(text: String, baseURL: String, name: String) throws {
    let address = try #require(GitHubAddress(text))
    #expect(address.baseURL == baseURL)
    #expect(address.description == name)
    #expect(GitHubAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "local", "github:", "github:octo", "github:a/b/c/d", "github:/octo/tasks", "github:o/..",
    "github:octo/tasks/x",
    "github+ftp://example.org/octo/tasks", "github+https://example.org/tasks",
    "github+https:///octo/tasks", "github+https://exa mple.org/octo/tasks",
    "github+https://u@example.org/octo/tasks", "github+https://example.org/a?b/octo/tasks",
    "github+https://example.org//octo/tasks", "gitlab:octo/tasks",
  ])
  func otherTextsHaveNoAddress(text: String) { #expect(GitHubAddress(text) == nil) }

  @Test func addressesOfTwoGitHubServersDiffer() throws {
    let here = try #require(GitHubAddress("github:octo/tasks", githubURL: "http://127.0.0.1:1/"))
    #expect(here.baseURL == "http://127.0.0.1:1")
    #expect(here != GitHubAddress("github:octo/tasks"))
  }
}

/// A source that redirects every request after a delay.
private final class SlowRedirects: HTTPTransport {
  private let hopMilliseconds: Int64
  private let requests = Mutex<[Int64?]>([])

  init(hopMilliseconds: Int64) { self.hopMilliseconds = hopMilliseconds }

  /// The timeout of each request.
  var timeouts: [Int64?] { requests.withLock { $0 } }

  var now: Timestamp {
    Timestamp(milliseconds: 1_800_000_000_000 + Int64(timeouts.count) * hopMilliseconds)
  }

  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    requests.withLock { $0.append(request.millisecondsMax) }
    let location = HTTPHeader("Location", "\(request.url)/x")
    return HTTPResponse(status: 307, headers: [location])
  }
}
