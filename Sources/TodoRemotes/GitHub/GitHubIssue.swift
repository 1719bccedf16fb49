import JSONRPC
import TodoModel

/// An issue as GitHub has sent it.
///
/// The members that a todo needs are required, so an issue without a title is an error. Other
/// members can be missing: some recorded responses have no state, number or dates.
struct GitHubIssue: Sendable, Equatable {
  var issue: Issue
  var isPullRequest: Bool
  /// The marker of the request that created the issue (see `IssueBody`); `nil` if there is none.
  var marker: ItemMarker?
  /// Whether the issue was closed as not planned. The issues of removed todos are closed in this
  /// way.
  var isNotPlanned: Bool
  var closedAt: Timestamp?
  var isReopened: Bool
  var isLocked: Bool
  var creator: String?
  var assignees: [String]
  var milestoneNumber: Int64?
  /// The repository, in GitHub's spelling; `nil` if it is not known.
  var repository: RepositoryName?

  /// Parses an issue. Throws `invalidResponse` if the JSON is not a valid issue.
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
    if let problem = TodoContent(title: title, note: text.note).remoteProblem {
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

  /// Returns the JSON members for an issue that correspond to some fields of a todo.
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
      // Issues do not have these fields.
      case .due, .priority: break
      }
    }
    return members
  }

  /// Returns the labels in an array of objects with a member `name`. Older servers send strings
  /// instead of objects.
  static func labels(_ array: [JSON]) -> LabelSet {
    LabelField.delivered(array.compactMap { $0.stringValue ?? $0["name"]?.stringValue })
  }

  /// Returns the details of an issue. GitHub sends the due date of a milestone as a time in UTC,
  /// which is always on the day that the user has entered.
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

  /// Returns the repository of an issue; `nil` if it is not known. Lists of issues from several
  /// repositories contain the repository; all other responses contain only its URL.
  private static func repository(_ json: JSON) -> RepositoryName? {
    if let name = json["repository"]?["full_name"]?.stringValue { return RepositoryName(name) }
    let parts = json["repository_url"]?.stringValue?.split(separator: "/") ?? []
    return RepositoryName(parts.suffix(2).joined(separator: "/"))
  }

  /// Returns a link that the user can open; `nil` unless the JSON is an `http` or `https` URL of
  /// limited length.
  private static func link(_ json: JSON?) -> String? {
    json?.stringValue.flatMap { HTTPURL($0) == nil ? nil : $0 }
  }

  /// Returns the number at the end of a URL such as `.../issues/605`; `nil` if there is none.
  private static func number(in url: String?) -> Int64? {
    url?.split(separator: "/").last.flatMap { Int64($0) }
  }
}
