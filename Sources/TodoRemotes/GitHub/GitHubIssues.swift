import JSONRPC
import TodoModel

/// The open issues of a GitHub repository, page by page, without its pull requests.
///
/// ```swift
/// let issues = try GitHubIssues(
///   repository: "octo/tasks", token: nil, transport: CurlTransport())
/// var link: PageLink?
/// repeat {
///   let page = try await issues.issues(at: link)
///   link = page.next
/// } while link != nil
/// ```
///
/// Throws the kinds that protocol.md lists; links that lead out of the base path, in a circle or over
/// more than `PageLink.pagesMax` pages are `invalidResponse`.
package struct GitHubIssues: Sendable {
  package static let defaultURL = "https://api.github.com"

  /// Without its token.
  private let anonymous: GitHubClient
  private let token: @Sendable () async -> Secret?

  /// Throws `validation` for anything but `OWNER/REPO` and an http or https URL.
  package init(
    repository: String, baseURL: String = GitHubIssues.defaultURL, token: Secret?,
    transport: any HTTPTransport, now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) {
    let client = try GitHubClient(
      repository: repository, baseURL: baseURL, token: nil, transport: transport, now: now)
    self.init(client, token: { token })
  }

  /// - Parameters:
  ///   - token: Asked for when it is first needed.
  ///   - tokenVariable: The variable to name in messages; nil for the one of the host.
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

  /// Asks for one issue, which is enough to know that the list can be read. Throws as `issues`.
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
