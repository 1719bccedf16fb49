import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests that requests go only to the origin of the source and below its base path, whatever URL a
/// response contains.
@Suite struct RequestScopeTests {
  private static let outside = [
    "/", "/other/issues", "/base", "/basement/issues", "/base?x", "/base/", "/base//issues",
    "/base/../issues", "/base/./issues", "/base/issues/..", "/base/%2e%2e/issues", "/base/.%2E/x",
    "/base/a%2fissues", "/base/a%5Cissues", "/base/%252e%252e/issues", "/base/..;/issues",
    "/base/a\\..\\issues", "//base/issues", "../../../../issues", "https://127.0.0.1/base/issues",
    "http://127.0.0.1:1/base/issues", "http://127.0.0.1@evil.example/base/issues",
    "http://user:pass@127.0.0.1/base/issues", "/base/" + String(repeating: "a", count: 2_048),
  ]

  private func load(_ server: LoopbackServer) async throws -> [TodoModel.Issue] {
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url + "/base", token: Secret("s3cret"),
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

  private func remote(_ server: LoopbackServer) throws -> GitHubRemote {
    GitHubRemote(
      GitHubAddress(
        baseURL: server.url + "/base", repository: try #require(RepositoryName("octo/tasks"))),
      token: { Secret("s3cret") }, transport: CurlTransport(), now: fixedClock)
  }

  @Test(arguments: outside)
  func redirectOutOfTheBasePathIsNotFollowed(target: String) async throws {
    let server = LoopbackServer { _ in LoopbackResponse(302, headers: [("Location", target)]) }
    #expect(await failure { try await load(server) }?.kind == .invalidResponse)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: outside)
  func nextPageOutOfTheBasePathIsNotRequested(target: String) async throws {
    let server = LoopbackServer { _ in
      .json("[]", headers: [("Link", "<\(target)>; rel=\"next\"")])
    }
    #expect(await failure { try await load(server) }?.kind == .invalidResponse)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: outside)
  func storedPageOutOfTheBasePathIsNotRequested(target: String) async throws {
    let server = LoopbackServer { _ in .json("[]") }
    let url = target.hasPrefix("/") ? server.url + target : target
    let remote = try remote(server)
    let error = await failure {
      try await remote.perform(RemoteRequest(.page(PageLink(url: url))))
    }
    #expect(error?.kind == .invalidResponse)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ["..", "a/../b", "a//b", "a?b", "a%2fb", ""])
  func storedRootWithAnUnsafePathIsNotUsed(root: String) async throws {
    let server = LoopbackServer { _ in .json("[]") }
    _ = try await remote(server).perform(RemoteRequest(.list, path: root))
    #expect(
      server.requests.map { $0.path.prefix { $0 != "?" } } == ["/base/repos/octo/tasks/issues"])
  }

  @Test func addressesBelowTheBasePathAreRequested() async throws {
    let server = LoopbackServer { request in
      switch request.path.prefix(while: { $0 != "?" }) {
      case "/base/repos/octo/tasks/issues":
        LoopbackResponse(301, headers: [("Location", "/base/repositories/42/issues?page=1")])
      case "/base/repositories/42/issues":
        .json("[]", headers: [("Link", "<last/?a=../%2e>; rel=next")])
      default: .json(#"[{"number": 1, "title": "t"}]"#)
      }
    }
    #expect(try await load(server).map(\.title) == ["t"])
    #expect(server.requests.last?.path == "/base/repos/octo/tasks/last/?a=../%2e")
    #expect(server.requests.allSatisfy { $0["authorization"] == "Bearer s3cret" })
  }

  @Test func redirectsInACircleEndAtTheFirstRepeatedAddress() async throws {
    let server = LoopbackServer { request in
      let target = request.path == "/base/a" ? "/base/b" : "/base/a"
      return LoopbackResponse(307, headers: [("Location", target)])
    }
    let error = await failure { try await load(server) }
    #expect(error?.message == "GitHub's redirects lead in a circle.")
    #expect(server.requests.map(\.path).dropFirst() == ["/base/a", "/base/b"])
  }

  @Test func atMostFiveRedirectsAreFollowed() async throws {
    let server = LoopbackServer { request in
      LoopbackResponse(307, headers: [("Location", request.path + "a")])
    }
    #expect(await failure { try await load(server) }?.kind == .invalidResponse)
    #expect(server.requests.count == 6)
  }

  /// A 303 response would make the client request another resource with GET instead of repeating
  /// its request.
  @Test func seeOtherIsNotFollowed() async throws {
    let server = LoopbackServer { _ in
      LoopbackResponse(303, headers: [("Location", "/base/repos/octo/tasks/issues/1")])
    }
    let remote = try remote(server)
    let content = TodoContent(title: "t", note: "", isDone: false)
    let create = RemoteRequest(.create(content, marker: ItemMarker("t1")))
    for request in [RemoteRequest(.list), create] {
      let error = await failure { try await remote.perform(request) }
      #expect(error?.kind == .invalidResponse && error?.status == 303)
    }
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    "https://a.example/x/../y", "https://a.example/x%2fy", "https://a.example//x",
    "https://a.example/x;y", "https://u@a.example/x", "https://a.example/x?y",
  ])
  func baseWithAnUnsafePathIsRefused(base: String) {
    let error = #expect(throws: TodoError.self) {
      try GitHubIssues(
        repository: "octo/tasks", baseURL: base, token: nil, transport: NoTransport(),
        now: fixedClock)
    }
    #expect(error?.kind == .validation)
  }
}
