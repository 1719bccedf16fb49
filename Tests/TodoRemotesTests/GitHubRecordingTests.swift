import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tests loading lists that other projects have recorded. The recordings are in
/// `shared/github-data` beside this project; without them, the tests are skipped. Another JSON
/// reader, Foundation's, reads the expected values.
@Suite struct GitHubRecordingTests {
  private struct Entry: Decodable {
    struct PullRequest: Decodable {}
    var number: Int64?
    var url: String
    var title: String
    var body: String?
    var pullRequest: PullRequest?

    var theNumber: Int64? { number ?? url.split(separator: "/").last.flatMap { Int64($0) } }

    enum CodingKeys: String, CodingKey {
      case number, url, title, body
      case pullRequest = "pull_request"
    }
  }

  private let folder = ProjectFolder()

  private func names(_ scenario: String, _ count: Int) -> [String] {
    (1...count).map { "\(scenario)/\($0 < 10 ? "0" : "")\($0)-page.http" }
  }

  /// Loads the files as one list and compares the issues with the files.
  private func check(_ files: [String], todos: Int) async throws {
    let answers = files.compactMap { folder.sharedAnswer($0) }
    guard answers.count == files.count else {
      return print("skipped: \(files.first ?? "") is not beside the project")
    }
    let index = Counter(start: 0, step: 1)
    let server = LoopbackServer { request in
      answers[Int(index.next()) % answers.count].served(at: "http://\(request["host"] ?? "")")
    }
    let loaded = try await load(from: server).map { RemoteItem($0) }.sorted { $0.order < $1.order }
    #expect(server.requests.count == files.count)
    let expected = try answers.flatMap {
      try JSONDecoder().decode([Entry].self, from: Data($0.body))
    }
    .filter { $0.pullRequest == nil }.sorted { ($0.theNumber ?? 0) > ($1.theNumber ?? 0) }
    #expect(loaded.count == todos)
    #expect(expected.count == todos)
    for (item, entry) in zip(loaded, expected) {
      #expect(item.key == entry.theNumber.map(String.init))
      #expect(Array(item.content.title.utf8) == Array(entry.title.utf8))
      #expect(Array(item.content.note.utf8) == Array((entry.body ?? "").utf8))
    }
  }

  private func load(from server: LoopbackServer) async throws -> [TodoModel.Issue] {
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url, token: nil, transport: CurlTransport(),
      now: fixedClock)
    var issues: [TodoModel.Issue] = []
    var link: PageLink?
    repeat {
      let page = try await service.issues(at: link)
      issues += page.issues
      link = page.next
    } while link != nil
    return issues
  }

  @Test func recordedTwentyOnePagesAreRead() async throws {
    try await check(names("hub4j-list-closed-21-pages", 21), todos: 243)
  }

  @Test func recordedPagesWithNullBodiesAreRead() async throws {
    let pages = (2...6).map { "octokit-fixtures-paginate-issues/0\($0)-page.http" }
    try await check(pages, todos: 13)
  }

  @Test(arguments: [
    ("acyort-chinese-issues/01-issues.json", 6), ("dogsheep-two-issues/01-issues.json", 1),
    ("square-workflow-2019-excerpt/01-issues-excerpt.json", 2),
    ("oscar-rsc-tmp-edit/01-list-all.http", 7),
  ])
  func onePage(file: String, todos: Int) async throws {
    try await check([file], todos: todos)
  }
}
