/// The place and the name of a source that has the issues of a repository.
///
///     GitHubAddress("github:octo/tasks")                      // at api.github.com
///     GitHubAddress("github:git.example.org/octo/tasks")      // at https://git.example.org/api/v3
///     GitHubAddress("github+https://example.org/base/octo/tasks")
///
/// Two spellings of one repository are one address: names are compared without regard to case.
/// Requests spell it as the user does.
package struct GitHubAddress: Hashable, Sendable, CustomStringConvertible {
  /// Without a slash at its end, such as `https://api.github.com`.
  package let baseURL: String
  /// The name in the user's spelling.
  package let repository: RepositoryName

  package static let defaultURL = "https://api.github.com"

  package init(baseURL: String = GitHubAddress.defaultURL, repository: RepositoryName) {
    let base = baseURL.last == "/" ? String(baseURL.dropLast()) : baseURL
    self.baseURL = Self.lowercasedHost(base)
    self.repository = repository
  }

  /// Returns `nil` for other texts. `github:OWNER/REPO` is at `githubURL`.
  package init?(_ text: String, githubURL: String? = nil) {
    if text.hasPrefix("github:") {
      let parts = text.dropFirst(7).split(separator: "/", omittingEmptySubsequences: false)
      guard let repository = RepositoryName(parts.suffix(2).joined(separator: "/")) else {
        return nil
      }
      switch parts.count {
      case 2: self.init(baseURL: githubURL ?? Self.defaultURL, repository: repository)
      case 3:
        // A host without a dot is more often a path by mistake; it has a URL.
        guard Self.isHost(parts[0]), parts[0].contains(".") || parts[0].contains(":") else {
          return nil
        }
        self.init(baseURL: "https://\(parts[0])/api/v3", repository: repository)
      default: return nil
      }
      return
    }
    guard text.hasPrefix("github+") else { return nil }
    let url = text.dropFirst(7)
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    // The scheme, nothing, the host, perhaps a path, the owner and the name.
    guard parts.count >= 5, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty,
      Self.isHost(parts[2]),
      let repository = RepositoryName(parts.suffix(2).joined(separator: "/")),
      parts[3..<(parts.count - 2)].allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(URLPath.isPlain) }
      )
    else { return nil }
    self.init(baseURL: parts.dropLast(2).joined(separator: "/"), repository: repository)
  }

  /// The one name of this source: what its lists are kept under, and what `--source` takes.
  package var description: String {
    let repository = repository.lowercased
    if baseURL == Self.defaultURL { return "github:\(repository)" }
    let enterprise = baseURL.split(separator: "/", omittingEmptySubsequences: false)
    if enterprise.count == 5, enterprise[0] == "https:", enterprise[3...] == ["api", "v3"] {
      return "github:\(enterprise[2])/\(repository)"
    }
    return "github+\(baseURL)/\(repository)"
  }

  package var remote: RemoteAddress {
    RemoteAddress(
      kind: "github", baseURL: baseURL, place: repository.description, description: description)
  }

  package static func == (a: GitHubAddress, b: GitHubAddress) -> Bool {
    a.baseURL == b.baseURL && a.repository.lowercased == b.repository.lowercased
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(baseURL)
    hasher.combine(repository.lowercased)
  }

  /// Scheme and host of a URL do not depend on case; its path does.
  private static func lowercasedHost(_ url: String) -> String {
    var parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    for index in parts.indices.prefix(3) { parts[index] = parts[index].lowercased() }
    return parts.joined(separator: "/")
  }

  /// A name or an address, perhaps with a port.
  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { URLPath.isPlain($0) || "[]:".utf8.contains($0) }
  }
}

/// The paths of URLs.
package enum URLPath {
  /// Whether a byte means itself in the path of every URL: an unreserved one (RFC 3986).
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
