import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase
@testable import TodoRemotes
@testable import TodoStores

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lists that other projects recorded, where they lie beside this one. Another JSON reader says
/// what should come out.
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

  /// Loads the files as one list and compares what the store has with the files.
  private func check(_ files: [String], todos: Int) async throws {
    let answers = files.compactMap { folder.sharedAnswer($0) }
    guard answers.count == files.count else {
      return print("skipped: \(files.first ?? "") is not beside the project")
    }
    let index = Counter(start: 0, step: 1)
    let server = LoopbackServer { request in
      answers[Int(index.next()) % answers.count].served(at: "http://\(request["host"] ?? "")")
    }
    let store = try SQLiteStore(at: .memory, environment: .counting())
    for load in 1...2 {
      try await self.load(from: server, into: store)
      #expect(server.requests.count == load * files.count)
    }
    let expected = try answers.flatMap {
      try JSONDecoder().decode([Entry].self, from: Data($0.body))
    }
    .filter { $0.pullRequest == nil }.sorted { ($0.theNumber ?? 0) > ($1.theNumber ?? 0) }
    let loaded = try store.todos(TodoQuery(), in: .source).elements
    #expect(loaded.count == todos)
    #expect(expected.count == todos)
    for (todo, entry) in zip(loaded, expected) {
      #expect(todo.origin?.number == entry.theNumber)
      #expect(Array(todo.content.title.utf8) == Array(entry.title.utf8))
      #expect(Array(todo.content.note.utf8) == Array((entry.body ?? "").utf8))
      #expect(todo.version == 1)
    }
  }

  private func load(from server: LoopbackServer, into store: SQLiteStore) async throws {
    let service = try GitHubIssues(
      repository: "octo/tasks", baseURL: server.url, token: nil, transport: CurlTransport())
    var issues: [Issue] = []
    var link: PageLink?
    repeat {
      let page = try await service.issues(at: link)
      issues += page.issues
      link = page.next
    } while link != nil
    try store.load(issues, to: .source)
  }

  @Test func twentyOnePages() async throws {
    try await check(names("hub4j-list-closed-21-pages", 21), todos: 243)
  }

  @Test func pagesWithNullBodies() async throws {
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
