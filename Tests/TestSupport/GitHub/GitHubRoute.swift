import TodoModel

/// A parsed request path.
struct GitHubRoute {
  enum Place {
    case issues(GitHubQuery)
    case issue(Int64)
    /// The labels of the repository.
    case knownLabels(GitHubQuery)
    case labels(Int64)
    case label(Int64, String)
    /// A former name of the repository.
    case moved(String)
    /// A transferred issue, at its new location.
    case transferred(Int64, repository: Int64)
  }

  let place: Place

  /// Parses the path of a request; `nil` if the path is unknown.
  init?(_ request: LoopbackRequest, in github: GitHubModel) {
    guard request.path.hasPrefix(github.basePath + "/") else { return nil }
    let target = request.path.dropFirst(github.basePath.count)
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count + 1)
    let parts = path.split(separator: "/").map(String.init)
    let rest: ArraySlice<String>
    if parts.count >= 3, parts[0] == "repositories", let number = Int64(parts[1]) {
      guard number == github.repositoryNumber else {
        guard parts.count == 4, parts[2] == "issues", let issue = Int64(parts[3]),
          github.issues[issue]?.whereabouts == .transferred(number)
        else { return nil }
        place = .transferred(issue, repository: number)
        return
      }
      rest = parts[2...]
    } else if parts == ["issues"] {
      // The issues of all repositories.
      place = .issues(GitHubQuery(query, assignee: github.user))
      return
    } else {
      guard parts.count >= 4, parts[0] == "repos" else { return nil }
      let name = "\(parts[1])/\(parts[2])".lowercased()
      if github.formerNames.contains(where: { $0.lowercased() == name }) {
        let new =
          "\(github.origin(of: request))/repositories/\(github.repositoryNumber)/"
          + parts[3...].joined(separator: "/") + (query.isEmpty ? "" : "?\(query)")
        place = .moved(new)
        return
      }
      guard name == github.repository.lowercased() else { return nil }
      rest = parts[3...]
    }
    if rest == ["labels"] {
      place = .knownLabels(GitHubQuery(query))
      return
    }
    guard rest.first == "issues" else { return nil }
    switch rest.count {
    case 1: place = .issues(GitHubQuery(query))
    case 2:
      guard let number = rest.last.flatMap({ Int64($0) }) else { return nil }
      place = .issue(number)
    case 3 where rest.last == "labels":
      guard let number = rest.dropFirst().first.flatMap({ Int64($0) }) else { return nil }
      place = .labels(number)
    case 4 where rest.dropLast().last == "labels":
      guard let number = rest.dropFirst().first.flatMap({ Int64($0) }),
        let label = rest.last.flatMap({ Self.decoded($0) })
      else { return nil }
      place = .label(number, label)
    default: return nil
    }
  }

  /// Returns the text of a path segment, percent-decoded.
  private static func decoded(_ segment: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(segment)
    while let character = rest.popFirst() {
      guard character == "%" else {
        bytes += Array(String(character).utf8)
        continue
      }
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The query parameters of a list of issues.
struct GitHubQuery {
  var state = "open"
  /// The earliest time of the last update, inclusive.
  var since: Timestamp?
  var sort = "created"
  var isAscending = false
  var pageSize = 30
  var page = 1
  var assignee: String?
  var creator: String?
  var labels = LabelSet()
  var milestone: String?
  /// Whether the query is about a user's issues in all repositories.
  let isOfUser: Bool
  private var pairs: [(String, String)] = []

  /// Parses a query.
  ///
  /// - Parameter assignee: The user whose issues in all repositories are requested.
  init(_ text: Substring, assignee: String? = nil) {
    self.assignee = assignee
    isOfUser = assignee != nil
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      pairs.append((parts[0], parts[1]))
      switch parts[0] {
      case "state": state = parts[1]
      case "since": since = Timestamp(rfc3339: parts[1])
      case "sort": sort = parts[1]
      case "direction": isAscending = parts[1] == "asc"
      case "per_page": pageSize = min(max(Int(parts[1]) ?? 30, 1), 100)
      case "page": page = max(Int(parts[1]) ?? 1, 1)
      case "assignee": self.assignee = URLText.decoded(parts[1])
      case "creator": creator = URLText.decoded(parts[1])
      case "labels":
        labels = LabelSet(parts[1].split(separator: ",").compactMap { URLText.decoded($0) })
      case "milestone": milestone = parts[1]
      default: break
      }
    }
  }

  private func selects(_ issue: GitHubModelIssue) -> Bool {
    let isAssigned =
      switch assignee {
      case nil: true
      case "none": issue.assignees.isEmpty
      case let name?: issue.assignees.contains { $0.lowercased() == name.lowercased() }
      }
    let isOfMilestone = milestone.map {
      $0 == (issue.milestone.map { String($0) } ?? "none")
    }
    return isAssigned && isOfMilestone ?? true
      && creator.map { $0.lowercased() == issue.creator.lowercased() } ?? true
      && labels.subtracting(issue.labels).isEmpty
  }

  /// Returns the text of the same query for another page.
  func text(page: Int) -> String {
    (pairs.filter { $0.0 != "page" } + [("page", String(page))])
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  func found(in issues: some Sequence<GitHubModelIssue>) -> [GitHubModelIssue] {
    let wanted = issues.filter { issue in
      issue.isListed && selects(issue) && (state == "all" || issue.isClosed == (state == "closed"))
        && since.map { issue.updatedAt >= $0 } ?? true
    }
    let key: (GitHubModelIssue) -> (Timestamp, Int64) =
      sort == "updated" ? { ($0.updatedAt, $0.number) } : { ($0.createdAt, $0.number) }
    return wanted.sorted { isAscending ? key($0) < key($1) : key($1) < key($0) }
  }
}
