import JSONRPC
import Synchronization
import TodoModel

/// A selection of issues, with the name of the user whom `@me` stands for.
struct IssueMatcher: Sendable {
  let issues: IssueSelection
  /// The name of the token's user; `nil` if the selection does not depend on this name, or if the
  /// token does not belong to a user.
  let user: String?

  /// Returns whether the selection contains an issue.
  func contains(_ issue: GitHubIssue) -> Bool {
    switch issues {
    case .assigned: return Self.has(user, issue.assignees)
    case .repository(_, let filter):
      let isAssigned =
        switch filter.assignee {
        case nil: true
        case .nobody: issue.assignees.isEmpty
        case .user(let user): Self.has(name(of: user), issue.assignees)
        }
      let isOfMilestone =
        switch filter.milestone {
        case nil: true
        case Optional.some(.none): issue.milestoneNumber == nil
        case .number(let number): issue.milestoneNumber == number
        }
      let isCreated = filter.creator.map { Self.has(name(of: $0), [issue.creator ?? ""]) } ?? true
      let labels = issue.issue.labels ?? LabelSet()
      return isAssigned && isOfMilestone && isCreated
        && filter.labels.subtracting(labels).isEmpty
    }
  }

  /// The query parameters that request the selection from GitHub.
  var query: String {
    guard case .repository(_, let filter) = issues else { return "&filter=assigned" }
    var query = ""
    func add(_ name: String, _ value: String?) {
      if let value { query += "&\(name)=\(value)" }
    }
    switch filter.assignee {
    case nil: break
    case .nobody: add("assignee", "none")
    case .user(let user): add("assignee", name(of: user).map(URLText.encoded))
    }
    add("creator", filter.creator.flatMap { name(of: $0) }.map(URLText.encoded))
    let labels = filter.labels.texts.map(URLText.encoded)
    add("labels", labels.isEmpty ? nil : labels.joined(separator: ","))
    add("milestone", filter.milestone?.text)
    return query
  }

  /// The members that a new issue must have to be in the selection, except for its labels.
  var requirements: JSONObject {
    var members = JSONObject()
    guard case .repository(_, let filter) = issues else { return members }
    if case .user(let user) = filter.assignee, let name = name(of: user) {
      members["assignees"] = [.string(name)]
    }
    if case .number(let number) = filter.milestone { members["milestone"] = .integer(number) }
    return members
  }

  /// Returns whether an issue has the members in `requirements`.
  func meetsRequirements(_ issue: GitHubIssue) -> Bool {
    guard case .repository(_, let filter) = issues else { return true }
    if case .user(let user) = filter.assignee, !Self.has(name(of: user), issue.assignees) {
      return false
    }
    if case .number(let number) = filter.milestone { return issue.milestoneNumber == number }
    return true
  }

  private func name(of user: IssueFilter.User) -> String? {
    switch user {
    case .me: self.user
    case .named(let name): name
    }
  }

  /// Returns whether `names` contains a user name. Case is ignored.
  private static func has(_ name: String?, _ names: [String]) -> Bool {
    names.contains { $0.lowercased() == name?.lowercased() }
  }
}

extension IssueSelection {
  /// Whether the selection depends on the token's user.
  var namesUser: Bool {
    switch self {
    case .repository(_, let filter): filter.namesUser
    case .assigned: true
    }
  }

  /// Whether the filter contains the name of a creator instead of `@me`. The creator may still be
  /// the token's user.
  var namesCreator: Bool {
    switch self {
    case .repository(_, let filter): filter.namesCreator
    case .assigned: false
    }
  }
}

/// The name of the user to whom a token belongs. It is requested only once for each token.
final class TokenUser: Sendable {
  /// A copy of the user's name. The view of the source (`RemoteView`) reads this copy, which needs
  /// no request.
  let known = SourceUser()
  private let named = Mutex<(token: Secret?, name: String?)?>(nil)

  func name(by client: GitHubClient) async throws(TodoError) -> String {
    if let named = named.withLock({ $0 }), named.token == client.token, let name = named.name {
      return name
    }
    let name = try await client.user()
    named.withLock { $0 = (client.token, name) }
    known.name = name
    return name
  }

  /// Returns the name of the token's user; `nil` if the token does not belong to a user, such as
  /// the token of an app. For such a token, GitHub responds with the error `forbidden` or
  /// `notFound`.
  ///
  /// - Throws: Any other error, such as a rate limit. The requests that need the name would fail
  ///   with the same error.
  func nameIfUser(by client: GitHubClient) async throws(TodoError) -> String? {
    if let named = named.withLock({ $0 }), named.token == client.token { return named.name }
    do {
      return try await name(by: client)
    } catch {
      guard error.kind == .forbidden || error.kind == .notFound else { throw error }
      named.withLock { $0 = (client.token, nil) }
      return nil
    }
  }
}
