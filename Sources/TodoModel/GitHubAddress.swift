/// The address of a source of GitHub issues: the URL of an API, and either a repository or `@me`.
///
///     GitHubAddress("github:octo/tasks")                      // at api.github.com
///     GitHubAddress("github:git.example.org/octo/tasks")      // at https://git.example.org/api/v3
///     GitHubAddress("github+https://example.org/base/octo/tasks")
///     GitHubAddress("github:@me")                             // assigned to the user, everywhere
///
/// Two addresses are equal if they differ only in their filters or in the case of names. Requests
/// use the names as the user has spelled them.
package struct GitHubAddress: Hashable, Sendable, CustomStringConvertible {
  /// The URL of the API, without a trailing slash, such as `https://api.github.com`.
  package let baseURL: String
  package var issues: IssueSelection

  package static let defaultURL = "https://api.github.com"

  package init(baseURL: String = GitHubAddress.defaultURL, issues: IssueSelection) {
    let base = baseURL.last == "/" ? String(baseURL.dropLast()) : baseURL
    self.baseURL = Self.lowercasedHost(base)
    self.issues = issues
  }

  package init(baseURL: String = GitHubAddress.defaultURL, repository: RepositoryName) {
    self.init(baseURL: baseURL, issues: .repository(repository, IssueFilter()))
  }

  /// Parses an address, such as `github:octo/tasks`; `nil` for any other text.
  ///
  /// - Parameter githubURL: The URL of the API for an address that names no host; `nil` for
  ///   `defaultURL`.
  package init?(_ text: String, githubURL: String? = nil) {
    let start = text.hasPrefix("github:") ? 7 : text.hasPrefix("github+") ? 7 : 0
    var parts = text.dropFirst(start).split(separator: "/", omittingEmptySubsequences: false)
    guard start > 0, let issues = Self.removeIssues(from: &parts) else { return nil }
    guard text.hasPrefix("github+") else {
      switch parts.count {
      case 0: self.init(baseURL: githubURL ?? Self.defaultURL, issues: issues)
      case 1:
        // A host name without a dot or a port is probably a mistyped path. Such a host can still be
        // given as a URL.
        guard Self.isHost(parts[0]), parts[0].contains(".") || parts[0].contains(":") else {
          return nil
        }
        self.init(baseURL: "https://\(parts[0])/api/v3", issues: issues)
      default: return nil
      }
      return
    }
    // The parts of a URL: the scheme, an empty part, the host and an optional path.
    guard parts.count >= 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty,
      Self.isHost(parts[2]),
      parts[3...].allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(URLText.isPlain) })
    else { return nil }
    self.init(baseURL: parts.joined(separator: "/"), issues: issues)
  }

  /// Removes the selection of issues, `OWNER/REPO` or `@me`, from the end of a path.
  ///
  /// - Returns: The removed selection; `nil` if the path does not end with one.
  private static func removeIssues(from parts: inout [Substring]) -> IssueSelection? {
    if parts.last == "@me" {
      parts.removeLast()
      return .assigned
    }
    guard let repository = RepositoryName(parts.suffix(2).joined(separator: "/")) else {
      return nil
    }
    parts.removeLast(2)
    return .repository(repository, IssueFilter())
  }

  /// The canonical text of this address: the name under which the lists of the source are stored,
  /// and a valid value for `--source`.
  package var description: String {
    let place = issues.place.lowercased()
    if baseURL == Self.defaultURL { return "github:\(place)" }
    let enterprise = baseURL.split(separator: "/", omittingEmptySubsequences: false)
    if enterprise.count == 5, enterprise[0] == "https:", enterprise[3...] == ["api", "v3"] {
      return "github:\(enterprise[2])/\(place)"
    }
    return "github+\(baseURL)/\(place)"
  }

  package var remote: RemoteAddress { remote(of: SourceUser()) }

  /// Returns the address for requests. The `view` of the address is the selection made by a filter
  /// or by `@me`. It is `nil` if all issues of a repository are selected.
  ///
  /// - Parameter user: The user of the access token.
  package func remote(of user: SourceUser) -> RemoteAddress {
    RemoteAddress(
      kind: "github", baseURL: baseURL, place: issues.place, description: description,
      view: issues.view(of: user))
  }

  package static func == (a: GitHubAddress, b: GitHubAddress) -> Bool {
    a.baseURL == b.baseURL && a.description == b.description
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(baseURL)
    hasher.combine(description)
  }

  /// Returns a URL with its scheme and host in lower case. The path stays unchanged, because it is
  /// case-sensitive.
  private static func lowercasedHost(_ url: String) -> String {
    var parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    for index in parts.indices.prefix(3) { parts[index] = parts[index].lowercased() }
    return parts.joined(separator: "/")
  }

  /// Returns whether a text can be a host name or an IP address, with an optional port.
  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { URLText.isPlain($0) || "[]:".utf8.contains($0) }
  }
}

/// The selection of issues that a GitHub source contains.
package enum IssueSelection: Sendable {
  /// The issues of a repository that match a filter. The name of the repository is in the user's
  /// spelling.
  case repository(RepositoryName, IssueFilter)
  /// The issues assigned to the user of the access token, in all repositories.
  case assigned

  /// The repository or `@me`, as it is written in an address, without the filter.
  package var place: String {
    switch self {
    case .repository(let name, _): name.description
    case .assigned: "@me"
    }
  }

  /// The filter, as it is written after `?` in an address; `nil` without a filter.
  package var filterText: String? {
    switch self {
    case .repository(_, let filter): filter.selectsAll ? nil : filter.description
    case .assigned: nil
    }
  }

  fileprivate func view(of user: SourceUser) -> RemoteView? {
    switch self {
    case .repository(_, let filter):
      filter.selectsAll
        ? nil
        : RemoteView(
          key: filter.key, filter: filterText, labels: filter.labels,
          additions: filter.additions(of: user))
    case .assigned: RemoteView(key: "@me", filter: nil, additions: .refused, spansPlaces: true)
    }
  }
}

extension IssueFilter {
  /// Returns the users whose new issues can match this filter.
  ///
  /// - Parameter user: The user of the access token, who is the creator of all issues that this
  ///   program creates.
  fileprivate func additions(of user: SourceUser) -> RemoteView.Additions {
    switch creator {
    case nil, .me: .allowed
    case .named(let name): .ofUser(named: name, user)
    }
  }
}
