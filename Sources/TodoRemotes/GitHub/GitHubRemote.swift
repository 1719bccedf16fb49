import JSONRPC
import TodoModel

/// A source of todos on GitHub: the issues of a repository, or all issues assigned to a user.
///
/// Each issue is a todo. The todo has the title and the labels of the issue. It is done if the
/// issue is closed. If this program has created the issue, the last line of the body is a marker:
/// `<!-- todo-server:MARKER -->`. The note of the todo is the body without the marker.
///
/// Errors have the kinds that Protocol.md lists. A redirect is followed only below the base URL,
/// with the same method and body. After a permanent redirect, the `RemoteAnswer` contains the new
/// path.
package struct GitHubRemote: TodoRemote {
  package var address: RemoteAddress { place.remote(of: user.known) }
  package var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities(fields: Issue.fields)
    capabilities.limits = Self.limits
    capabilities.details = [.assignees, .milestone, .comments, .due]
    capabilities.recognition = .marker
    capabilities.removal = .closes
    capabilities.changesLabelsSingly = true
    capabilities.changes = .time
    switch place.issues {
    case .repository: capabilities.listsLabels = true
    case .assigned: capabilities.reportsLeaving = false
    }
    return capabilities
  }
  private let place: GitHubAddress
  private let token: @Sendable () async -> Secret?
  private let tokenVariable: String?
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Timestamp
  private let user = TokenUser()

  /// Creates the source at an address. Throws `validation` unless the URL of the API is an http or
  /// https URL.
  package static func checked(
    _ address: GitHubAddress, token: @escaping @Sendable () async -> Secret?,
    tokenVariable: String? = nil, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) -> GitHubRemote {
    let remote = GitHubRemote(
      address, token: token, tokenVariable: tokenVariable, transport: transport, now: now)
    _ = try remote.client(with: nil)
    return remote
  }

  /// Creates the source at an address.
  ///
  /// - Parameters:
  ///   - token: Called before each request. Returns `nil` if there is no token.
  ///   - tokenVariable: The environment variable that error messages name; `nil` for the variable
  ///     that `GitHubToken` reads for the host.
  package init(
    _ address: GitHubAddress, token: @escaping @Sendable () async -> Secret?,
    tokenVariable: String? = nil, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp
  ) {
    place = address
    self.token = token
    self.tokenVariable = tokenVariable
    self.transport = transport
    self.now = now
  }

  private func client(with token: Secret?) throws(TodoError) -> GitHubClient {
    try GitHubClient(
      place, token: token, tokenVariable: tokenVariable, transport: transport, now: now)
  }

  /// Returns the name of the token's user; `nil` if the selected issues do not depend on it, or the
  /// token does not belong to a user.
  private func userName(_ client: GitHubClient) async throws(TodoError) -> String? {
    if place.issues.namesUser { return try await user.name(by: client) }
    guard place.issues.namesCreator, client.token != nil else { return nil }
    return try await user.nameIfUser(by: client)
  }

  /// The maximum lengths at GitHub. The limit of 65,536 characters for a body includes the marker.
  private static let limits = FieldLimits([
    .title: 256, .note: 65_536 - IssueBody.markerCharactersMax, .labels: 50,
  ])

  package func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    let client = try client(with: await token())
    let name = try await userName(client)
    let matcher = IssueMatcher(issues: place.issues, user: name)
    let call = GitHubCall(client: client, root: request.path, matcher: matcher, now: now)
    switch request.kind {
    case .list:
      return try await call.page("issues?per_page=100&state=open\(matcher.query)", isView: true)
    case .user: return RemoteAnswer(.user(try await client.user()))
    case .access:
      return try await call.page("issues?per_page=1&state=open\(call.scopeQuery)")
    case .changes(let since, let validator):
      let answer = try await call.page(
        "issues?state=all&since=\(since)&sort=updated&direction=asc&per_page=100\(call.scopeQuery)",
        unless: validator)
      try Self.check(answer, since: since)
      return answer
    case .newest:
      return try await call.page(
        "issues?state=all&sort=created&direction=desc&per_page=100\(call.scopeQuery)")
    case .page(let link): return try await call.page(link)
    case .read(let key): return try await call.item("GET", key)
    case .create(let content, let marker): return try await call.create(content, marker)
    case .change(let key, let content, let fields, let marker, _):
      return try await call.item("PATCH", key, GitHubIssue.members(of: content, fields, marker))
    case .listLabels(let link): return try await call.labels(link)
    case .changeLabel(let key, let change): return try await call.changeLabel(key, change)
    case .remove(let key, _):
      return try await call.item(
        "PATCH", key, ["state": "closed", "state_reason": "not_planned"])
    }
  }

  /// Checks that a full page contains no changes that are older than requested. If the source
  /// ignored `since`, the sync would request the same page again and again.
  ///
  /// - Throws: `invalidResponse` if there are older changes.
  private static func check(_ answer: RemoteAnswer, since: String) throws(TodoError) {
    guard case .items(let page) = answer.body, page.isFull, let since = Timestamp(rfc3339: since)
    else { return }
    guard page.items.allSatisfy({ $0.updatedAt ?? since >= since }) else {
      throw TodoError(
        .invalidResponse,
        "GitHub sent changes that are older than requested. This is a fault of the source.")
    }
  }
}
