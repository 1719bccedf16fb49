import JSONRPC
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the requests for labels, for which GitHub has separate endpoints.
@Suite struct GitHubLabelTests {
  private let server: GitHubServer
  private let remote: GitHubRemote

  init() throws {
    server = GitHubServer()
    let server = server
    server.change { github in
      github.add(title: "t", at: .now)
      github.edit(1, at: .now) { $0.labels = LabelSet(["bug", "two words", "a/b?c%2F..é"]) }
    }
    let repository = try #require(RepositoryName("octo/tasks"))
    remote = GitHubRemote(
      GitHubAddress(baseURL: server.url, repository: repository), token: { nil },
      transport: CurlTransport(), now: fixedClock)
  }

  private func perform(_ request: RemoteRequest) async throws -> RemoteAnswer.Body {
    try await remote.perform(request).body
  }

  private func change(_ label: String, isAdded: Bool) async throws -> RemoteAnswer.Body {
    try await perform(
      RemoteRequest(.changeLabel(key: "1", LabelChange(label: label, isAdded: isAdded))))
  }

  @Test func labelsAreRead() async throws {
    guard case .item(let item) = try await perform(RemoteRequest(.read(key: "1"))) else {
      throw TodoError.storage("no item")
    }
    #expect(item.content.labels.texts == ["a/b?c%2F..é", "bug", "two words"])
    #expect(item.fields == Issue.fields)
  }

  @Test func labelIsAddedAlone() async throws {
    let answer = try await change("new", isAdded: true)
    #expect(answer == .labels(LabelSet(["a/b?c%2F..é", "bug", "new", "two words"])))
    let request = try #require(server.requests.last)
    #expect(request.method == "POST" && request.path == "/repos/octo/tasks/issues/1/labels")
    #expect(try JSON(parsing: request.body) == ["labels": ["new"]])
  }

  @Test(arguments: ["bug", "two words", "a/b?c%2F..é"])
  func labelIsRemovedByItsName(label: String) async throws {
    guard case .labels(let labels) = try await change(label, isAdded: false) else {
      throw TodoError.storage("no labels")
    }
    #expect(labels.count == 2 && !labels.contains(label))
    let path = try #require(server.requests.last).path
    #expect(path.hasPrefix("/repos/octo/tasks/issues/1/labels/"))
    #expect(path.split(separator: "/").count == 7)
  }

  @Test func labelsOfTheRepositoryAreListed() async throws {
    server.change { github in
      github.knownLabels = ["bug", "ui", "help wanted"]
      github.pageSizeMax = 2
    }
    guard case .labelPage(let first) = try await perform(RemoteRequest(.listLabels(nil))) else {
      throw TodoError.storage("no labels")
    }
    #expect(first.labels == ["bug", "ui"])
    #expect(server.requests.last?.path == "/repos/octo/tasks/labels?per_page=100")
    #expect(first.next != nil)
    let second = try await perform(RemoteRequest(.listLabels(first.next)))
    #expect(second == .labelPage(LabelPage(labels: ["help wanted"])))
    #expect(remote.capabilities.listsLabels)
  }

  /// In the path of a request, the label `.` would stand for all labels of the issue, and `..` for
  /// the issue.
  @Test(arguments: [".", ".."])
  func labelOfDotsIsNotRemoved(label: String) async throws {
    let error = await #expect(throws: TodoError.self) { try await change(label, isAdded: false) }
    #expect(error?.kind == .validation)
    #expect(server.requests.isEmpty)
  }

  @Test func labelThatAnotherUserHasRemovedIsGone() async throws {
    let answer = try await change("gone", isAdded: false)
    #expect(answer == .labels(LabelSet(["a/b?c%2F..é", "bug", "two words"])))
  }

  @Test func missingRightIsForbidden() async throws {
    server.change { $0.acceptsLabels = false }
    for isAdded in [true, false] {
      let error = await #expect(throws: TodoError.self) {
        try await change("bug", isAdded: isAdded)
      }
      #expect(error?.kind == .forbidden)
    }
  }

  @Test(arguments: [false, true])
  func newIssueHasTheLabelsThatGitHubAccepts(accepts: Bool) async throws {
    server.change { $0.acceptsLabels = accepts }
    let content = TodoContent(title: "new", labels: LabelSet(["a"]))
    guard case .item(let item) = try await perform(RemoteRequest(.create(content, marker: nil)))
    else {
      throw TodoError.storage("no item")
    }
    #expect(item.content.labels.texts == (accepts ? ["a"] : []))
  }

  /// Labels that a user cannot give, such as labels with control characters, are neither shown nor
  /// changed, because different programs could read them differently.
  @Test func labelsThatAUserCannotGiveAreLeftOut() {
    let long = String(repeating: "x", count: LabelField.bytesMax + 1)
    let texts = ["a\nb", " c", "", long, "ok", "\u{1B}[0m"]
    let array: [JSON] = texts.map { ["name": .string($0)] } + ["plain", ["color": "red"]]
    #expect(GitHubIssue.labels(array).texts == ["ok", "plain"])
  }

  @Test func issueWithoutLabelsInTheResponseSaysNothingAboutThem() throws {
    let client = try GitHubClient(
      repository: "octo/tasks", baseURL: "https://api.github.com", token: nil,
      transport: CurlTransport(), now: { .now })
    let json: JSON = ["number": 1, "title": "t"]
    let issue = try GitHubIssue(json, from: client, status: 200).issue
    #expect(!RemoteItem(issue).fields.contains(.labels))
  }
}
