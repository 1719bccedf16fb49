import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests responses of a source with wrong times.
@Suite struct SourceTimeTests {
  private let now = Timestamp(milliseconds: 1_799_996_400_000)

  private func perform(
    _ request: RemoteRequest, _ answer: LoopbackResponse
  ) async throws -> RemoteAnswer {
    let server = LoopbackServer { _ in answer }
    let now = now
    let remote = GitHubRemote(
      GitHubAddress(baseURL: server.url, repository: try #require(RepositoryName("octo/tasks"))),
      token: { nil }, transport: CurlTransport(), now: { now })
    return try await remote.perform(request)
  }

  @Test func fullPageOfChangesThatAreOlderThanRequestedIsAnError() async throws {
    func changes(_ date: String, isFull: Bool) async throws -> RemoteAnswer {
      try await perform(
        RemoteRequest(.changes(since: "2026-01-01T00:00:00Z", nil)),
        .json(
          #"[{"number": 1, "title": "t", "updated_at": "\#(date)"}]"#,
          headers: isFull ? [("Link", #"<?page=2>; rel="next""#)] : []))
    }
    _ = try await changes("2026-01-01T00:00:00Z", isFull: true)
    _ = try await changes("2025-12-31T23:59:59Z", isFull: false)
    let error = await failure { try await changes("2025-12-31T23:59:59Z", isFull: true) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.message.contains("a fault of the source") == true)
  }

  private static let hour = "2027-01-15T08:00:00Z"

  @Test(
    arguments: [
      (429, [("Retry-After", "409968000")], hour), (403, [("Retry-After", "3601")], hour),
      (503, [("Retry-After", "99999999999")], hour),
      (429, [("Retry-After", "Wed, 21 Oct 2040 07:28:00 GMT")], hour),
      (403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "2210000000")], hour),
      (403, [("Retry-After", "3599")], "2027-01-15T07:59:59Z"),
    ] as [(Int, [(String, String)], String)])
  func limitEndsWithinAnHour(
    status: Int, headers: [(String, String)], instant: String
  ) async throws {
    let error = await failure {
      try await perform(RemoteRequest(.list), .json("{}", status: status, headers: headers))
    }
    #expect(error?.retryAt == Timestamp(rfc3339: instant))
  }
}
