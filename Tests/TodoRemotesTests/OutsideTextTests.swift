import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests that every text from a source has a limit in bytes.
@Suite struct OutsideTextTests {
  private func remote(_ server: LoopbackServer) throws -> GitHubRemote {
    GitHubRemote(
      GitHubAddress(baseURL: server.url, repository: try #require(RepositoryName("octo/tasks"))),
      token: { nil }, transport: CurlTransport(), now: fixedClock)
  }

  private func page(
    headers: [(String, String)] = [], _ issues: String
  ) async throws -> RemotePage {
    let server = LoopbackServer { _ in .json(issues, headers: headers) }
    let answer = try await remote(server).perform(
      RemoteRequest(.changes(since: "2026-01-01T00:00:00Z", nil)))
    guard case .items(let page) = answer.body else { throw TodoError.storage("no page") }
    return page
  }

  private static func text(_ count: Int, after start: String = "") -> String {
    start + String(repeating: "a", count: count - start.utf8.count)
  }

  @Test func longLinkOfAnIssueIsNotUsed() async throws {
    let longest = Self.text(2_048, after: "https://x.example/")
    let items = try await page(
      """
      [{"number": 1, "title": "a", "html_url": "\(longest)"},
       {"number": 2, "title": "b", "html_url": "\(longest)a", "url": "https://x.example/2"},
       {"number": 3, "title": "c", "html_url": "\(longest)a", "url": "\(longest)a"}]
      """
    ).items
    #expect(items.map(\.url).first == longest)
    #expect(items.map(\.url)[1] == "https://x.example/2")
    #expect(items.map(\.url)[2].hasSuffix("/repos/octo/tasks/issues/3"))
  }

  @Test(arguments: [(1_024, true), (1_025, false)])
  func longETagIsNotUsed(count: Int, isUsed: Bool) async throws {
    let page = try await page(headers: [("ETag", Self.text(count))], "[]")
    #expect((page.validator != nil) == isUsed)
  }

  @Test(arguments: [(ItemMarker.bytesMax, true), (ItemMarker.bytesMax + 1, false)])
  func longMarkerIsPartOfTheNote(count: Int, isMarker: Bool) {
    let body = "note\n\n<!-- todo-server:\(Self.text(count)) -->"
    let read = IssueBody(body)
    #expect((read.marker != nil) == isMarker)
    #expect(read.note == (isMarker ? "note" : body))
  }

  /// If a `Link` header were ignored, its page would count as the last one, and the todos of the
  /// pages after it would be removed from the list.
  @Test func tooManyBytesOfLinksAreAnError() async throws {
    let link = "<\(Self.text(2_000, after: "https://x.example/"))>; rel=\"other\""
    let few = try await page(headers: Array(repeating: ("Link", link), count: 7), "[]")
    #expect(few.next == nil)
    let error = await failure {
      try await page(headers: Array(repeating: ("Link", link), count: 9), "[]")
    }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.message == "GitHub's links to other pages have more than 16384 bytes.")
  }

  @Test func problemsOfARefusedIssueAreLimited() async throws {
    let problems = (0..<500).map { #"{"field": "f\#($0)", "code": "bad"}"# }
    let server = LoopbackServer { _ in
      .json(#"{"errors": [\#(problems.joined(separator: ","))]}"#, status: 422)
    }
    let error = await failure { try await remote(server).perform(RemoteRequest(.list)) }
    #expect(error?.kind == .validation)
    #expect(error?.fields.count == 20)
  }
}
