import JSONRPC
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests loading a list from responses that were written for the tests.
@Suite struct GitHubIssuesTests {
  private let fixtures = ProjectFolder()

  /// Returns a server that sends the responses of a scenario, one after the other.
  private func serve(_ names: String...) throws -> LoopbackServer {
    let answers = try names.map { try #require(fixtures.answer($0)) }
    let index = Counter(start: 0, step: 1)
    return LoopbackServer { request in
      let answer = answers[min(Int(index.next()), answers.count - 1)]
      return answer.served(at: "http://\(request["host"] ?? "")")
    }
  }

  private func load(
    from server: LoopbackServer, token: String? = nil
  ) async throws -> [TodoModel.Issue] {
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url, token: token.map { Secret($0) },
      transport: CurlTransport(), now: fixedClock)
    var issues: [TodoModel.Issue] = []
    var link: PageLink?
    repeat {
      let page = try await service.issues(at: link)
      issues += page.issues
      link = page.next
    } while link != nil
    return issues
  }

  @Test func urlsWithoutHTTPAreReplaced() async throws {
    let server = LoopbackServer { _ in
      .json(
        #"""
        [{"number":3,"title":"a","html_url":"javascript:alert(1)"},
         {"number":2,"title":"b","html_url":"file:///etc/passwd","url":"https://x.example/2"}]
        """#)
    }
    let urls = try await load(from: server).map(\.url)
    #expect(urls == ["\(server.url)/repos/octo/tasks/issues/3", "https://x.example/2"])
  }

  @Test func loadsAllPages() async throws {
    let server = try serve("paged-list/01.http", "paged-list/02.http", "paged-list/03.http")
    let issues = try await load(from: server)
    #expect(issues.map(\.number) == [9, 7, 5, 4])
    let titles = [
      "Water the plants", "  Two\r\nlines 🌱  ",
      "Half \u{FFFD} of a pair, \u{FFFD} too, and \0", "Without a body",
    ]
    for (issue, title) in zip(issues, titles) {
      #expect(issue.title.hasSameBytes(as: title))
    }
    let bodies = [
      "", "one\r\ntwo\nthree 👩\u{200D}🌾 e\u{301} \u{E9} / \\u0000 漢字", "🌱 stays", "",
    ]
    for (issue, body) in zip(issues, bodies) {
      #expect(issue.body.hasSameBytes(as: body))
    }
    #expect(issues.map(\.isClosed) == [false, true, false, false])
    #expect(issues[0].url == "https://github.com/octo/tasks/issues/9")
    #expect(issues[2].url == "https://api.github.com/repos/octo/tasks/issues/5")
    #expect(issues[0].createdAt == Timestamp(rfc3339: "2026-01-02T03:04:05Z"))
    #expect(issues[3].createdAt == nil)
  }

  @Test func asksForEachPageOnceAndVerbatim() async throws {
    let server = try serve("paged-list/01.http", "paged-list/02.http", "paged-list/03.http")
    _ = try await load(from: server, token: "s3cret")
    #expect(
      server.requests.map(\.path) == [
        "/repos/octo/tasks/issues?per_page=100&state=open",
        "/repositories/42/issues?per_page=100&page=2",
        "/repositories/42/issues?per_page=100&page=3",
      ])
    for request in server.requests {
      #expect(request.method == "GET")
      #expect(request["Authorization"] == "Bearer s3cret")
      #expect(request["Accept"] == "application/vnd.github+json")
      #expect(request["X-GitHub-Api-Version"] == "2022-11-28")
      #expect(request["User-Agent"]?.hasPrefix("todo-server/") == true)
    }
  }

  @Test func saysHowManyPagesThereAre() async throws {
    let server = try serve("paged-list/01.http", "paged-list/02.http", "paged-list/03.http")
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url + "/", token: nil, transport: CurlTransport(),
      now: fixedClock)
    let first = try await service.issues(at: nil)
    #expect(first.pageCount == 3)
    let second = try await service.issues(at: first.next)
    #expect(second.issues.isEmpty)
    let third = try await service.issues(at: second.next)
    #expect(third.next == nil)
    #expect(third.pageCount == 3)
    #expect(server.requests.first?["Authorization"] == nil)
  }

  @Test func anEmptyListIsLoaded() async throws {
    #expect(try await load(from: serve("empty-list/01.http")) == [])
  }

  @Test func followsARenamedRepository() async throws {
    let server = try serve("renamed/01.http", "renamed/02.http")
    #expect(try await load(from: server, token: "t").map(\.title) == ["Still here"])
    #expect(server.requests.last?.path == "/repositories/42/issues?per_page=100&state=open")
    #expect(server.requests.last?["Authorization"] == "Bearer t")
  }

  @Test func endsARedirectThatNeverEnds() async throws {
    let server = try serve("renamed/01.http")
    #expect(await failure { try await load(from: server) }?.kind == .invalidResponse)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    "http://other.example/x", "https://127.0.0.1/", "//evil.example/", "ftp://127.0.0.1/",
    "http://127.0.0.1@evil.example/", "http://127.0.0.1:1/", "http://127.0.0.1\\@evil.example/",
  ])
  func goesToNoOtherHost(target: String) async throws {
    let redirecting = LoopbackServer { _ in LoopbackResponse(302, headers: [("Location", target)]) }
    let linking = LoopbackServer { _ in
      .json("[]", headers: [("Link", "<\(target)>; rel=\"next\"")])
    }
    for server in [redirecting, linking] {
      let error = await failure { try await load(from: server, token: "s3cret") }
      #expect(error?.kind == .invalidResponse)
      #expect(server.requests.count == 1)
    }
  }

  @Test func theSameHostOnAnotherPortIsAnotherHost() async throws {
    let other = LoopbackServer { _ in .json("[]") }
    let target = other.url + "/issues"
    let server = LoopbackServer { _ in LoopbackResponse(307, headers: [("Location", target)]) }
    #expect(await failure { try await load(from: server, token: "t") }?.kind == .invalidResponse)
    #expect(other.requests.isEmpty)
  }

  @Test func pagesInACircleEnd() async throws {
    let server = LoopbackServer { request in
      let next = request.path.hasSuffix("page=2") ? "/issues?page=3" : "/issues?page=2"
      return .json("[]", headers: [("Link", "<\(next)>; rel=next")])
    }
    let error = await failure { try await load(from: server) }
    #expect(error?.kind == .invalidResponse)
    #expect(server.requests.count == 3)
  }

  @Test func aPageThatIsItsOwnNextEnds() async throws {
    let server = LoopbackServer { request in
      .json("[]", headers: [("Link", "<\(request.path)>; rel=\"next\"")])
    }
    #expect(await failure { try await load(from: server) }?.kind == .invalidResponse)
    #expect(server.requests.count == 1)
  }

  @Test func aTitleHasALimitInBytes() async throws {
    let title = "e" + String(repeating: "\u{301}", count: 1 << 20)
    let server = LoopbackServer { _ in .json(#"[{"number":1,"title":"\#(title)"}]"#) }
    let error = await failure { try await load(from: server) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.message == "GitHub sent an issue whose title has more than 1048576 bytes.")
  }

  @Test func aTokenDoesNotTravelInTheClear() async throws {
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: "http://github.example", token: Secret("s3cret"),
      transport: NoTransport(), now: fixedClock)
    let error = await failure { try await service.issues(at: nil) }
    #expect(error?.kind == .insecureURL)
  }

  @Test(arguments: [
    "", "octo", "octo/", "/tasks", "a/b/c", "octo/..", "o cto/x", "öcto/x", "a/b?c",
  ])
  func refusesInvalidRepositoryNames(name: String) {
    let error = #expect(throws: TodoError.self) {
      try GitHubIssues(repository: name, token: nil, transport: NoTransport(), now: fixedClock)
    }
    #expect(error?.kind == .validation)
  }

  @Test(arguments: ["", "api.github.com", "ftp://x", "https://", "https://a b", "https://x?y"])
  func refusesInvalidBaseURLs(url: String) {
    let error = #expect(throws: TodoError.self) {
      try GitHubIssues(
        repository: "a/b", baseURL: url, token: nil, transport: NoTransport(), now: fixedClock)
    }
    #expect(error?.kind == .validation)
  }

  @Test func keepsThePathOfAnEnterpriseHost() async throws {
    let server = LoopbackServer { _ in .json("[]") }
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url + "/api/v3/", token: nil,
      transport: CurlTransport(), now: fixedClock)
    _ = try await service.issues(at: nil)
    #expect(
      server.requests.first?.path == "/api/v3/repos/octo/tasks/issues?per_page=100&state=open")
  }
}

/// A clock that does not advance, so that a request keeps its whole timeout even on a busy machine.
let fixedClock: @Sendable () -> Timestamp = { Timestamp(milliseconds: 0) }

/// A transport that fails the test, which must not send any request.
struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    Testing.Issue.record("A request was sent.")
    throw TodoError(.offline, "A request was sent.")
  }
}
