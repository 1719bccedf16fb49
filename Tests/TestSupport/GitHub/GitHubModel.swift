import JSONRPC
import TodoModel

/// GitHub's REST API for the issues of one repository, as a value: requests in, responses out.
///
/// ```swift
/// var github = GitHubModel()
/// github.add(title: "Buy milk", at: now)
/// let answer = github.answer(request, at: now)
/// ```
///
/// It has no network, and no clock except for the passed times, so the simulator and a loopback
/// server can both use it. Its behavior follows GitHub's documentation and recorded responses; see
/// the tests that read the recordings.
package struct GitHubModel: Sendable {
  /// The full name of the repository, such as `octo/tasks`. It is compared case-insensitively.
  package var repository: String
  /// The prefix of `/repos` in a path, such as `/api/v3`.
  package var basePath = ""
  package var repositoryNumber: Int64 = 42
  /// Former names of the repository, which redirect to it.
  package var formerNames: [String] = []
  /// The status of the redirects from former names: 301 or 307.
  package var redirectStatus = 301
  package var hasIssues = true
  /// The permission of the token's user.
  package var access = Access.write
  /// Whether the token's user may set labels. Otherwise GitHub ignores the labels of a new issue.
  package var acceptsLabels = true
  /// Whether the token's user may set assignees and milestones. Otherwise GitHub ignores those of a
  /// new issue.
  package var acceptsAssignments = true
  /// The number of the last milestone that exists.
  package var milestoneMax: Int64 = 9
  /// The name of the token's user.
  package var user = "me"
  /// The maximum number of issues on a page, even if a request asks for more; 100 at GitHub.
  package var pageSizeMax = 100
  /// The token required in `Authorization`; `nil` to allow everything.
  package var token: String?
  /// The time by which GitHub's clock is ahead of the passed times.
  package var clockAheadMilliseconds: Int64 = 0
  /// The labels that issues can have.
  package var knownLabels: [String] = []
  package var limits = GitHubLimits()
  /// The issues by number.
  package internal(set) var issues: [Int64: GitHubModelIssue] = [:]
  private(set) var lastNumber: Int64 = 0

  package init(repository: String = "octo/tasks") { self.repository = repository }

  package enum Access: Sendable {
    case none, read, write
  }

  /// GitHub's limits for the title and the body of an issue, in code points.
  package static let (titleCharactersMax, bodyCharactersMax) = (256, 65_536)
  package static let labelCharactersMax = 50
  /// The difference between the numbers of an issue after and before its transfer.
  package static let transferredNumberOffset: Int64 = 1_000

  // MARK: Changes by other users

  /// Adds an issue and returns its number.
  @discardableResult
  package mutating func add(
    title: String, body: String? = nil, isPullRequest: Bool = false, creator: String = "other",
    at now: Timestamp
  ) -> Int64 {
    lastNumber += 1
    issues[lastNumber] = GitHubModelIssue(
      number: lastNumber, title: title, body: body, isPullRequest: isPullRequest,
      creator: creator, at: ownTime(now))
    return lastNumber
  }

  /// Changes an existing issue, as another user of GitHub does.
  package mutating func edit(
    _ number: Int64, at now: Timestamp, _ change: (inout GitHubModelIssue) -> Void
  ) {
    guard var issue = issues[number] else { return }
    change(&issue)
    issue.updatedAt = ownTime(now)
    issues[number] = issue
  }

  /// Returns the time of GitHub's clock, in whole seconds.
  package func ownTime(_ now: Timestamp) -> Timestamp {
    let seconds = (now.milliseconds + clockAheadMilliseconds) / 1_000
    return Timestamp(milliseconds: seconds * 1_000)
  }

  // MARK: Requests

  /// Processes a request that arrives at an instant.
  package mutating func answer(
    _ request: LoopbackRequest, at now: Timestamp
  ) -> LoopbackResponse {
    var answer = answerWithoutDate(request, at: now)
    answer.headers.append(LoopbackHeader("Date", HTTPDates.text(of: ownTime(now))))
    return answer
  }

  private mutating func answerWithoutDate(
    _ request: LoopbackRequest, at now: Timestamp
  ) -> LoopbackResponse {
    guard request["user-agent"] != nil else {
      return LoopbackResponse(
        403, headers: [("Content-Type", "text/html")], body: "A User-Agent is needed.")
    }
    if let token, request["authorization"] != "Bearer \(token)" {
      return .message(401, "Bad credentials")
    }
    if let refusal = limits.refusal(at: ownTime(now)) { return refusal }
    var answer = carryOut(request, at: now)
    let isFree = answer.status == 304 && request["authorization"] != nil
    answer.headers += limits.spend(isFree ? 0 : 1, at: ownTime(now))
    return answer
  }

  private mutating func carryOut(
    _ request: LoopbackRequest, at now: Timestamp
  ) -> LoopbackResponse {
    if request.method == "GET", request.path == basePath + "/user" {
      return .json(JSON.object(["login": .string(user)]).compactText)
    }
    guard access != .none, let route = GitHubRoute(request, in: self) else {
      return .message(404, "Not Found")
    }
    guard access == .write || request.method == "GET" else {
      return .message(403, "Resource not accessible by personal access token")
    }
    switch route.place {
    case .moved(let location):
      return .message(redirectStatus, "Moved Permanently", headers: [("Location", location)])
    case .issues(let query):
      guard hasIssues else { return .message(410, "Issues are disabled for this repo") }
      switch request.method {
      case "GET": return list(query, for: request)
      case "POST" where !query.isOfUser: return add(request, at: now)
      default: return .message(404, "Not Found")
      }
    case .knownLabels(let query):
      return request.method == "GET"
        ? listLabels(query, for: request) : .message(404, "Not Found")
    case .issue(let number), .labels(let number), .label(let number, _):
      return answer(request, about: number, route.place, at: now)
    case .transferred(let number, let repository):
      guard let issue = issues[number], request.method == "GET" else {
        return .message(404, "Not Found")
      }
      let newNumber = number + Self.transferredNumberOffset
      return .json(issue.json(in: repository, as: newNumber, of: self).compactText)
    }
  }

  private mutating func answer(
    _ request: LoopbackRequest, about number: Int64, _ place: GitHubRoute.Place, at now: Timestamp
  ) -> LoopbackResponse {
    guard let issue = issues[number] else { return .message(404, "Not Found") }
    switch issue.whereabouts {
    case .deleted: return .message(410, "This issue was deleted")
    case .transferred(let repository):
      let location = "\(origin(of: request))/repositories/\(repository)/issues/\(number)"
      return .message(301, "Moved Permanently", headers: [("Location", location)])
    case .here: break
    }
    guard hasIssues || issue.isPullRequest else {
      return .message(410, "Issues are disabled for this repo")
    }
    switch (request.method, place) {
    case ("GET", .issue): return validated(issue.json(of: self), for: request)
    case ("PATCH", .issue): return change(issue, request, at: now)
    case ("POST", .labels): return addLabels(to: issue, request, at: now)
    case ("DELETE", .label(_, let label)): return remove(label, from: issue, at: now)
    default: return .message(404, "Not Found")
    }
  }

  // MARK: Changes

  private mutating func add(_ request: LoopbackRequest, at now: Timestamp) -> LoopbackResponse {
    guard let body = (try? JSON(parsing: request.body))?.objectValue else {
      return .message(400, "Problems parsing JSON")
    }
    guard let title = body["title"]?.stringValue?.trimmed, !title.isEmpty else {
      return .unprocessable(field: "title", code: "missing_field")
    }
    if let problem = Self.problem(with: body) { return problem }
    let labels = LabelSet((body["labels"]?.arrayValue ?? []).compactMap(\.stringValue))
    if let problem = Self.problem(with: labels) { return problem }
    let milestone = body["milestone"]?.integerValue
    guard milestone ?? 1 <= milestoneMax else {
      return .unprocessable(field: "milestone", code: "invalid")
    }
    let number = add(title: title, body: body["body"]?.stringValue, creator: user, at: now)
    if acceptsLabels { issues[number]?.labels = labels }
    if acceptsAssignments {
      let assignees = (body["assignees"]?.arrayValue ?? []).compactMap(\.stringValue)
      if !assignees.isEmpty { issues[number]?.assignees = assignees }
      issues[number]?.milestone = milestone
    }
    return .json(issues[number]?.json(of: self).compactText ?? "null", status: 201)
  }

  private mutating func change(
    _ issue: GitHubModelIssue, _ request: LoopbackRequest, at now: Timestamp
  ) -> LoopbackResponse {
    guard let body = (try? JSON(parsing: request.body))?.objectValue else {
      return .message(400, "Problems parsing JSON")
    }
    guard !issue.isLocked else {
      return .message(403, "This issue is locked and may not be changed with this token.")
    }
    if let title = body["title"], title.stringValue?.trimmed.isEmpty ?? true {
      return .unprocessable(field: "title", code: "missing_field")
    }
    if let problem = Self.problem(with: body) { return problem }
    let time = ownTime(now)
    edit(issue.number, at: now) { $0.apply(body, at: time) }
    return .json(issues[issue.number]?.json(of: self).compactText ?? "null")
  }

  private static func problem(with body: JSONObject) -> LoopbackResponse? {
    for (field, max) in [("title", titleCharactersMax), ("body", bodyCharactersMax)]
    where body[field]?.stringValue?.unicodeScalars.count ?? 0 > max {
      return .unprocessable(field: field, code: "custom")
    }
    return nil
  }

  // MARK: Reading

  private func list(_ query: GitHubQuery, for request: LoopbackRequest) -> LoopbackResponse {
    let found = query.found(in: issues.values)
    let size = min(query.pageSize, pageSizeMax)
    let start = min((query.page - 1) * size, found.count)
    let end = min(start + size, found.count)
    let json = JSON.array(found[start..<end].map { $0.json(of: self) })
    var headers: [(String, String)] = []
    let pageCount = (found.count + size - 1) / size
    if pageCount > 1 {
      let place = query.isOfUser ? "" : "/repositories/\(repositoryNumber)"
      let root = "\(origin(of: request))\(place)/issues"
      var links: [String] = []
      func link(_ page: Int, _ name: String) {
        links.append("<\(root)?\(query.text(page: page))>; rel=\"\(name)\"")
      }
      if query.page > 1 { link(query.page - 1, "prev") }
      if end < found.count {
        link(query.page + 1, "next")
        link(pageCount, "last")
      }
      headers.append(("Link", links.joined(separator: ", ")))
    }
    return validated(json, for: request, headers: headers)
  }

  /// Returns a response with the JSON and its ETag, or a 304 response if the client has this ETag.
  private func validated(
    _ json: JSON, for request: LoopbackRequest, headers: [(String, String)] = []
  ) -> LoopbackResponse {
    var answer = LoopbackResponse.json(json.compactText, headers: headers)
    // If the page size is reduced, the client cannot tell from the body whether more pages follow.
    // So the ETag depends on the links, too.
    let link = pageSizeMax < 100 ? headers.map(\.1).joined() : ""
    let tag = "\"\(GitHubTag.text(of: answer.body, link + (request["authorization"] ?? "")))\""
    answer.headers.append(LoopbackHeader("ETag", "W/\(tag)"))
    // The comparison is weak: it ignores the prefix `W/`.
    guard let known = request["if-none-match"], known.hasSuffix(tag) else { return answer }
    answer.status = 304
    answer.body = []
    answer.headers.removeAll { $0.name == "Content-Type" }
    return answer
  }

  func origin(of request: LoopbackRequest) -> String {
    let scheme = request["x-forwarded-proto"] ?? "http"
    return "\(scheme)://\(request["host"] ?? "localhost")\(basePath)"
  }
}

extension LoopbackResponse {
  /// An error response of GitHub.
  static func message(
    _ status: Int, _ text: String, headers: [(String, String)] = []
  ) -> LoopbackResponse {
    .json(
      JSON.object(["message": .string(text), "documentation_url": "https://docs.github.com/rest"])
        .compactText, status: status, headers: headers)
  }

  static func unprocessable(field: String, code: String) -> LoopbackResponse {
    .json(
      JSON.object([
        "message": "Validation Failed",
        "errors": [["resource": "Issue", "field": .string(field), "code": .string(code)]],
      ]).compactText, status: 422)
  }
}

/// Computes the ETag of a response: an FNV-1a hash. It depends on the credentials, as at GitHub.
enum GitHubTag {
  static func text(of body: [UInt8], _ circumstances: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in circumstances.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
