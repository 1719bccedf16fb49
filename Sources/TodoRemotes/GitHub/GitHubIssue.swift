import JSONRPC
import TodoModel

/// An issue as GitHub sends it.
///
/// Members that a todo depends on are required: an issue without a title is an error. Other members
/// may be missing: recordings contain issues without a state, a number or dates.
struct GitHubIssue: Sendable, Equatable {
  var issue: Issue
  var isPullRequest: Bool
  /// The marker with which the issue was created; `nil` if it has none.
  var marker: ItemMarker?
  /// Whether the issue was closed as not planned, which is how a todo is removed at GitHub.
  var isNotPlanned: Bool
  var closedAt: Timestamp?
  var isReopened: Bool
  var isLocked: Bool
  var creator: String?
  var assignees: [String]
  var milestoneNumber: Int64?
  /// The repository, as GitHub spells it.
  var repository: RepositoryName?

  /// Parses an issue. Throws `invalidResponse` if the value is not an issue.
  init(_ json: JSON, from client: GitHubClient, status: Int) throws(TodoError) {
    func broken(_ what: String) -> TodoError {
      TodoError(.invalidResponse, "GitHub sent an issue \(what).", status: status)
    }
    guard json.objectValue != nil else { throw broken("that is not an object") }
    guard let title = json["title"]?.stringValue else { throw broken("without a title") }
    let body = json["body"]
    guard body == nil || body?.isNull == true || body?.stringValue != nil else {
      throw broken("whose body is not a string")
    }
    let page = Self.link(json["html_url"])
    let url = Self.link(json["url"])
    guard let number = json["number"]?.integerValue ?? Self.number(in: url ?? page) else {
      throw broken("without a number")
    }
    let ownURL = try client.url("issues/\(number)").description
    let text = IssueBody(body?.stringValue ?? "")
    if let problem = TodoContent(title: title, note: text.note).deliveryProblem {
      throw broken(problem)
    }
    marker = text.marker
    issue = Issue(
      number: number, url: page ?? url ?? ownURL, title: title, body: text.note,
      isClosed: json["state"]?.stringValue == "closed",
      labels: json["labels"]?.arrayValue.map { Self.labels($0) }, details: Self.details(json),
      createdAt: json["created_at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) },
      updatedAt: json["updated_at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) })
    isPullRequest = json["pull_request"].map { !$0.isNull } ?? false
    closedAt = json["closed_at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
    creator = json["user"]?["login"]?.stringValue
    assignees = Self.assignees(json)
    milestoneNumber = json["milestone"]?["number"]?.integerValue
    repository = Self.repository(json)
    isLocked = json["locked"]?.boolValue ?? false
    isReopened = json["state_reason"]?.stringValue == "reopened"
    isNotPlanned = issue.isClosed && json["state_reason"]?.stringValue == "not_planned"
  }

  /// Returns the members of an issue that has the values of some fields of a todo.
  static func members(
    of content: TodoContent, _ fields: [ContentField], _ marker: ItemMarker?
  ) -> JSONObject {
    var members = JSONObject()
    for field in fields {
      switch field {
      case .title: members["title"] = .string(content.title)
      case .note: members["body"] = .string(IssueBody(note: content.note, marker: marker).text)
      case .done:
        members["state"] = .string(content.isDone ? "closed" : "open")
        members["state_reason"] = .string(content.isDone ? "completed" : "reopened")
      case .labels: members["labels"] = .array(content.labels.texts.map { .string($0) })
      // They are not in `Issue.fields`.
      case .due, .priority: break
      }
    }
    return members
  }

  /// Returns the labels in an array of objects with a `name`; older servers send strings.
  static func labels(_ array: [JSON]) -> LabelSet {
    LabelField.delivered(array.compactMap { $0.stringValue ?? $0["name"]?.stringValue })
  }

  /// Returns the details of an issue. A milestone is due on a day in the time zone of the United
  /// States' west coast; in UTC, its time is on the same day.
  private static func details(_ json: JSON) -> SourceDetails? {
    let milestone = json["milestone"]
    let day = milestone?["due_on"]?.stringValue.flatMap { CivilDay($0.prefix(CivilDay.textBytes)) }
    return SourceDetails(
      assignees: assignees(json),
      milestone: milestone?["title"]?.stringValue,
      comments: json["comments"]?.integerValue.flatMap { Int(exactly: $0) },
      due: day.map { DueDate($0) })
  }

  private static func assignees(_ json: JSON) -> [String] {
    json["assignees"]?.arrayValue?.compactMap { $0["login"]?.stringValue } ?? []
  }

  /// Returns the repository of an issue. Only lists of several repositories contain the repository
  /// itself; all other responses contain its URL.
  private static func repository(_ json: JSON) -> RepositoryName? {
    if let name = json["repository"]?["full_name"]?.stringValue { return RepositoryName(name) }
    let parts = json["repository_url"]?.stringValue?.split(separator: "/") ?? []
    return RepositoryName(parts.suffix(2).joined(separator: "/"))
  }

  /// Returns a link that a user can open; `nil` unless it is an `http` or `https` URL of limited
  /// length.
  private static func link(_ json: JSON?) -> String? {
    json?.stringValue.flatMap { HTTPURL($0) == nil ? nil : $0 }
  }

  /// Returns the number at the end of a URL such as `.../issues/605`.
  private static func number(in url: String?) -> Int64? {
    url?.split(separator: "/").last.flatMap { Int64($0) }
  }
}
