import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests which error kinds of Protocol.md result from responses that are not lists.
@Suite struct GitHubFailureTests {
  struct Expectation: Sendable, CustomTestStringConvertible {
    var file: String
    var kind: ErrorKind
    var status: Int?
    var retryAt: Timestamp?

    init(_ file: String, _ kind: ErrorKind, status: Int? = nil, retryAt: String? = nil) {
      self.file = file
      self.kind = kind
      self.status = status
      self.retryAt = retryAt.flatMap { Timestamp(rfc3339: $0) }
    }

    var testDescription: String { file }
  }

  static let now = "2027-01-15T07:00:00Z"

  static let own = [
    Expectation("400.http", .invalidResponse, status: 400),
    Expectation("401.http", .unauthorized),
    Expectation("403-permission.http", .forbidden),
    Expectation("403-primary-limit.http", .rateLimited, retryAt: "2027-01-15T08:00:00Z"),
    Expectation("403-secondary-limit.http", .rateLimited, retryAt: "2027-01-15T07:01:00Z"),
    Expectation("403-secondary-link.http", .rateLimited, retryAt: "2027-01-15T07:01:00Z"),
    Expectation("403-unreadable-reset.http", .rateLimited, retryAt: "2027-01-15T07:01:00Z"),
    Expectation("429-retry-after.http", .rateLimited, retryAt: "2027-01-15T07:00:30Z"),
    Expectation("429-retry-after-date.http", .rateLimited, retryAt: "2027-01-15T08:00:00Z"),
    Expectation("404.http", .notFound),
    Expectation("410.http", .issuesDisabled),
    Expectation("410-deleted.http", .notFound, status: 410),
    Expectation("403-slow-clock.http", .rateLimited, retryAt: "2027-01-15T07:00:05Z"),
    Expectation("403-past-reset.http", .rateLimited, retryAt: "2027-01-15T07:01:00Z"),
    Expectation("422.http", .validation),
    Expectation("500.http", .server, status: 500),
    Expectation("503-retry-after.http", .server, status: 503, retryAt: "2027-01-15T07:00:03Z"),
    Expectation("503-html.http", .server, status: 503),
    Expectation("304.http", .invalidResponse, status: 304),
    Expectation("202.http", .invalidResponse, status: 202),
    Expectation("200-html.http", .invalidResponse, status: 200),
    Expectation("200-object.http", .invalidResponse, status: 200),
    Expectation("200-truncated.http", .invalidResponse, status: 200),
    Expectation("200-empty.http", .invalidResponse, status: 200),
    Expectation("200-no-title.http", .invalidResponse, status: 200),
    Expectation("200-no-object.http", .invalidResponse, status: 200),
    Expectation("200-no-number.http", .invalidResponse, status: 200),
    Expectation("200-body-number.http", .invalidResponse, status: 200),
  ]

  static let recorded = [
    Expectation("hub4j-errors/01-401-bad-credentials.http", .unauthorized),
    Expectation("hub4j-errors/02-403-permission-not-ratelimit.http", .forbidden),
    Expectation("hub4j-errors/03-404-label-does-not-exist.http", .notFound),
    Expectation(
      "hub4j-errors/04-403-primary-ratelimit-remaining-0.http", .rateLimited,
      retryAt: "2027-01-15T07:01:00Z"),
    Expectation(
      "hub4j-errors/05-429-secondary-retry-after-8.http", .rateLimited,
      retryAt: "2027-01-15T07:00:08Z"),
    Expectation("octokit-ex-404-and-ratelimit/01-404-repo-issues.http", .notFound),
    Expectation("octokit-ex-404-and-ratelimit/02-404-issue.http", .notFound),
    Expectation(
      "octokit-ex-404-and-ratelimit/03-rate-limit-200.http", .invalidResponse, status: 200),
    Expectation(
      "docs-samples-401-403-400/01-403-primary-ratelimit.http", .rateLimited,
      // Its own clock says 2013, and 50 minutes to wait.
      retryAt: "2027-01-15T07:50:25Z"),
    Expectation("docs-samples-401-403-400/02-401-bad-credentials.http", .unauthorized),
    Expectation(
      "docs-samples-401-403-400/03-400-problems-parsing-json.http", .invalidResponse, status: 400),
    Expectation("octokit-fixtures-422/01-validation-failed.http", .validation),
  ]

  private func error(for answer: RecordedResponse, token: Secret? = nil) async throws -> TodoError?
  {
    let server = LoopbackServer { _ in answer.served(at: "") }
    let now = try #require(Timestamp(rfc3339: Self.now))
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url, token: token, transport: CurlTransport(),
      now: { now })
    return await failure { try await service.issues(at: nil) }
  }

  private func check(_ expected: Expectation, _ answer: RecordedResponse) async throws {
    let error = try #require(try await error(for: answer))
    #expect(error.kind == expected.kind)
    #expect(error.status == expected.status)
    #expect(error.retryAt == expected.retryAt)
    #expect(error.message.count > 10)
    #expect(!error.message.contains("<"))
  }

  @Test(arguments: own)
  func ownAnswer(_ expected: Expectation) async throws {
    let answer = try #require(ProjectFolder().answer("errors/\(expected.file)"))
    try await check(expected, answer)
  }

  @Test(arguments: recorded)
  func recordedAnswer(_ expected: Expectation) async throws {
    guard let answer = ProjectFolder().sharedAnswer(expected.file) else {
      return print("skipped: \(expected.file) is not beside the project")
    }
    try await check(expected, answer)
  }

  @Test func errorOfNotFoundMentionsMissingAccess() async throws {
    let answer = try #require(ProjectFolder().answer("errors/404.http"))
    let message = try await error(for: answer)?.message
    #expect(message?.contains("not found, or no access") == true)
  }

  @Test func errorOfADeletedIssueDoesNotMentionTheToken() async throws {
    let answer = try #require(ProjectFolder().answer("errors/404.http"))
    let server = LoopbackServer { _ in answer.served(at: "") }
    let address = GitHubAddress(
      baseURL: server.url, repository: try #require(RepositoryName("octo/tasks")))
    let remote = GitHubRemote(
      address, token: { Secret("secret") }, transport: CurlTransport(), now: { .now })
    func error(_ kind: RemoteRequest.Kind) async -> TodoError? {
      await failure { try await remote.perform(RemoteRequest(kind)) }
    }
    let read = await error(.read(key: "7"))
    #expect(read?.kind == .notFound && read?.message.contains("TOKEN") == false)
    // A token without write access gets the same status for a change.
    let change = await error(.remove(key: "7", revision: nil))
    #expect(change?.kind == .notFound && change?.message.contains("TOKEN") == true)
  }

  @Test func messageAboutIssuesThatAreSwitchedOffIsASentence() async throws {
    let answer = try #require(ProjectFolder().answer("errors/410.http"))
    #expect(try await error(for: answer)?.message.hasSuffix("another source.") == true)
  }

  @Test func validationNamesTheFields() async throws {
    let answer = try #require(ProjectFolder().answer("errors/422.http"))
    let error = try await error(for: answer)
    #expect(
      error?.fields == [
        FieldProblem(field: "title", message: "is too long"),
        FieldProblem(field: "Issue", message: "custom"),
        FieldProblem(field: "", message: "and more"),
      ])
    #expect(error?.message.contains("Not accepted") == true)
    #expect(error?.message.contains("title: is too long") == true)
  }

  @Test func messageOfGitHubIsTruncatedToOneLine() async throws {
    let server = LoopbackServer { _ in
      .json(#"{"message": "\#(String(repeating: "ab\\n", count: 500))"}"#, status: 400)
    }
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url, token: nil, transport: CurlTransport(),
      now: fixedClock)
    let message = try #require(await failure { try await service.issues(at: nil) }).message
    #expect(message.count < 300)
    #expect(message.contains("ab ab ab"))
    let lines = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    #expect(lines.count == 1)
  }

  /// A server may repeat in its response what the client has sent, such as the token.
  @Test func aTokenIsInNoErrorAndNoDescription() async throws {
    let token = "ghp_s3cretT0ken"
    let echo = LoopbackServer { request in
      .json(#"{"message": "You sent \#(request["authorization"] ?? "")"}"#, status: 400)
    }
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: echo.url, token: Secret(token),
      transport: CurlTransport(), now: fixedClock)
    let error = try #require(await failure { try await service.issues(at: nil) })
    #expect(echo.requests.first?["authorization"] == "Bearer \(token)")
    var dumped = ""
    dump(service, to: &dumped)
    dump(error, to: &dumped)
    dump(HTTPHeader("Authorization", token), to: &dumped)
    for text in [error.message, "\(error)", "\(service)", String(reflecting: service), dumped] {
      #expect(!text.contains(token))
    }
    #expect(error.message.contains("You sent Bearer"))
  }
}
