import JSONRPC
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests which details are read from an issue.
@Suite struct GitHubDetailTests {
  private func details(_ members: JSONObject) throws -> SourceDetails? {
    let client = try GitHubClient(
      repository: "octo/tasks", baseURL: "https://api.github.com", token: nil,
      transport: CurlTransport(), now: { .now })
    var json: JSONObject = ["number": 1, "title": "t"]
    for member in members.members { json[member.key] = member.value }
    let issue = try GitHubIssue(.object(json), from: client, status: 200)
    let all = GitHubAddress(repository: RepositoryName("octo/tasks")!).issues
    return RemoteItem(issue, IssueMatcher(issues: all, user: nil)).details
  }

  @Test func membersAreRead() throws {
    let details = try details([
      "assignees": [["login": "ann"], ["login": "Bob"], ["id": 1]],
      "milestone": ["title": "Spring", "due_on": "2026-11-27T08:00:00Z"], "comments": 2,
    ])
    #expect(
      details
        == SourceDetails(
          assignees: ["ann", "Bob"], milestone: "Spring", comments: 2,
          due: DueDate(CivilDay.sample)))
  }

  @Test(
    arguments: [
      [:], ["assignees": [], "milestone": .null, "comments": 0],
      ["assignees": "ann", "milestone": 7, "comments": "many"], ["milestone": ["due_on": "soon"]],
    ] as [JSONObject])
  func issueWithoutAnyHasNone(members: JSONObject) throws {
    #expect(try details(members) == nil)
  }

  @Test func everyDetailIsDeclared() {
    let address = GitHubAddress(repository: RepositoryName("octo/tasks")!)
    let remote = GitHubRemote(address, token: { nil }, transport: CurlTransport(), now: fixedClock)
    #expect(remote.capabilities.details == Set(SourceDetail.allCases).subtracting([.remarks]))
  }
}
