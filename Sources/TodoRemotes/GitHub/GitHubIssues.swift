import JSONRPC
import TodoModel

/// A reader for the open issues of a GitHub repository, page by page. Pull requests are left out.
///
/// ```swift
/// let issues = try GitHubIssues(
///   repository: "octo/tasks", token: nil, transport: CurlTransport(), now: { .now })
/// var link: PageLink?
/// repeat {
///   let page = try await issues.issues(at: link)
///   link = page.next
/// } while link != nil
/// ```
///
/// Errors have the kinds that Protocol.md lists. The error is `invalidResponse` if links lead out
/// of the base path, form a loop, or exceed `PageLink.pagesMax` pages.
package struct GitHubIssues: Sendable {
  package static let defaultURL = "https://api.github.com"

  /// The client without a token. `client` adds the token before each request.
  private let anonymous: GitHubClient
  private let token: @Sendable () async -> Secret?

  /// Creates a reader for the issues of a repository. Throws `validation` if the repository is not
  /// of the form `OWNER/REPO`, or if the URL is not an http or https URL.
  package init(
    repository: String, baseURL: String = GitHubIssues.defaultURL, token: Secret?,
    transport: any HTTPTransport, now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) {
    let client = try GitHubClient(
      repository: repository, baseURL: baseURL, token: nil, transport: transport, now: now)
    self.init(client, token: { token })
  }

  /// Creates a reader for the issues at an address.
  ///
  /// - Parameters:
  ///   - token: Called before each request. Returns `nil` if there is no token.
  ///   - tokenVariable: The environment variable that error messages name; `nil` for the variable
  ///     that `GitHubToken` reads for the host.
  package init(
    _ address: GitHubAddress, token: @escaping @Sendable () async -> Secret?,
    tokenVariable: String? = nil, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) {
    self.init(
      try GitHubClient(
        address, token: nil, tokenVariable: tokenVariable, transport: transport, now: now),
      token: token)
  }

  private init(_ client: GitHubClient, token: @escaping @Sendable () async -> Secret?) {
    anonymous = client
    self.token = token
  }

  var client: GitHubClient {
    get async {
      var client = anonymous
      client.token = await token().flatMap { $0.isEmpty ? nil : $0 }
      return client
    }
  }

  package func issues(at link: PageLink?) async throws(TodoError) -> IssuePage {
    let first = PageLink(url: try anonymous.url("issues?per_page=100&state=open").description)
    return try await page(link ?? first)
  }

  /// Requests one issue to check that the list can be read. Throws the errors of `issues(at:)`.
  package func checkAccess() async throws(TodoError) {
    _ = try await issues(
      at: PageLink(url: anonymous.url("issues?per_page=1&state=open").description))
  }

  private func page(_ link: PageLink) async throws(TodoError) -> IssuePage {
    let client = await client
    let url = try client.address(link.url)
    let (response, json) = try await client.json("GET", url)
    guard let values = json.arrayValue else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than a list of issues.",
        status: response.status)
    }
    var issues: [Issue] = []
    for value in values {
      let entry = try GitHubIssue(value, from: client, status: response.status)
      if !entry.isPullRequest { issues.append(entry.issue) }
    }
    let links = try LinkHeader(of: response)
    let next = try links.next(after: link, at: url, on: client)
    return IssuePage(
      issues: issues, next: next, pageCount: next == nil ? link.number : links.lastPageNumber)
  }
}
