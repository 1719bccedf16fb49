import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests pages of changes, with a model of GitHub as the server.
@Suite struct GitHubPageTests {
  @Test func fullPageHasNoValidator() async throws {
    var model = GitHubModel()
    let now = Timestamp(milliseconds: 1_770_000_000_000)
    for number in 1...99 { model.add(title: "issue \(number)", at: now) }
    let github = GitHubServer(model, now: { now })
    let remote = GitHubRemote(
      GitHubAddress(baseURL: github.url, repository: try #require(RepositoryName("octo/tasks"))),
      token: { nil }, transport: CurlTransport(), now: { now })
    let request = RemoteRequest(.changes(since: "2026-01-01T00:00:00Z", nil))
    let tags = try await [remote.perform(request), remote.perform(request)].map(\.tag)
    #expect(tags[0] != nil && tags[0] == tags[1])
    github.change { $0.add(title: "issue 100", at: now) }
    let full = try await remote.perform(request)
    #expect(full.tag == nil)
  }
}

extension RemoteAnswer {
  fileprivate var tag: String? {
    guard case .items(let page) = body else { return nil }
    return page.validator?.tag
  }
}
