import TestSupport
import TodoModel

/// The issues of a repository at GitHub. Other users close issues, and never delete them.
struct GitHubSourceModel: SourceModel {
  static let repository = "octo/tasks"

  private var github = GitHubModel(repository: Self.repository)
  private let clock: SimulatedClock
  let deletedKeys: Set<String> = []
  let problem: String? = nil

  init(pageSize: Int, clock: SimulatedClock) {
    self.clock = clock
    github.pageSizeMax = pageSize
  }

  var items: [String: ToyModel.Item] {
    var items: [String: ToyModel.Item] = [:]
    for issue in github.issues.values { items[String(issue.number)] = ToyModel.Item(issue) }
    return items
  }

  @discardableResult
  mutating func add(_ content: TodoContent, at now: Timestamp) -> String {
    String(github.add(title: content.title, body: content.note, at: now))
  }

  mutating func edit(_ key: String, _ change: (inout TodoContent) -> Void) {
    edit(key) { issue, time in
      var content = ToyModel.Item(issue).content
      change(&content)
      issue.title = content.title
      issue.setNote(content.note)
      if content.isDone { issue.close(at: time) } else { issue.reopen() }
    }
  }

  mutating func comment(on key: String) {
    edit(key) { issue, _ in
      issue.details = SourceDetails(comments: (issue.details?.comments ?? 0) + 1)
    }
  }

  mutating func delete(_ key: String) { edit(key) { $0.isDone = true } }

  private mutating func edit(
    _ key: String, _ change: (inout GitHubModelIssue, _ time: Timestamp) -> Void
  ) {
    guard let number = Int64(key) else { return }
    let time = github.ownTime(clock.now)
    github.edit(number, at: clock.now) { change(&$0, time) }
  }

  /// Returns no items: the token is a time, which does not show whether a single issue has changed.
  func unchanged(since token: String) -> [String: ToyModel.Item] { [:] }

  /// Does nothing, because a time is valid forever as a token.
  mutating func forgetTokens() {}

  mutating func answer(_ request: LoopbackRequest, at now: Timestamp) -> LoopbackResponse {
    github.answer(request, at: now)
  }
}

extension ToyModel.Item {
  fileprivate init(_ issue: GitHubModelIssue) {
    self.init(
      content: TodoContent(
        title: issue.title, note: issue.note, isDone: issue.isClosed, labels: issue.labels),
      comments: issue.details?.comments ?? 0, number: issue.number, revision: 0,
      createdAt: issue.createdAt)
  }
}
