/// The options of the server, from flags, the environment or `initialize`.
package struct ServerOptions: Sendable, Equatable {
  package var store: StoreKind = .sqlite(path: nil)
  /// The sources of todos, at least one. If there are several, the user chooses one after the
  /// login.
  package var sources: [SourceKind] = [.local]
  package var sync: SyncKind = .auto
  /// The URL of the GitHub API; `nil` for https://api.github.com.
  package var githubURL: String?
  /// The URL of a service that registers accounts; with `nil`, the store contains the accounts.
  package var registerURL: String?
  package var credentials: CredentialsKind = .file
  /// A shell command that prints the password for CalDAV sources. Front-ends cannot set it.
  package var sourcePasswordCommand: String?
  /// The servers to which the output of `sourcePasswordCommand` may be sent, as URLs without a
  /// path. They are the servers of the CalDAV sources that were given by flags or the environment
  /// at the start of the program. If a front-end adds a source at another server, that server must
  /// not receive the password.
  package var sourcePasswordOrigins: Set<String> = []

  package init() {}
}

/// The policy for starting syncs of a list with its source.
package enum SyncKind: String, Sendable, CaseIterable {
  /// Syncs after edits, after the login, and at an interval that depends on the source
  /// (`RemoteCapabilities.pollMilliseconds`).
  case auto
  /// Syncs only when the user requests it.
  case manual

  /// Parses `auto` or `manual`.
  ///
  /// - Throws: An error whose message lists the accepted values.
  package init(_ text: String) throws(OptionError) {
    guard let kind = SyncKind(rawValue: text) else {
      throw OptionError("expected auto or manual")
    }
    self = kind
  }
}

/// The storage for the access tokens of accounts.
package enum CredentialsKind: String, Sendable, CaseIterable {
  case file, keyring

  /// Parses `file` or `keyring`.
  ///
  /// - Throws: An error whose message lists the accepted values.
  package init(_ text: String) throws(OptionError) {
    guard let kind = CredentialsKind(rawValue: text) else {
      throw OptionError("expected file or keyring")
    }
    self = kind
  }
}

package enum StoreKind: Sendable, Equatable {
  case memory
  /// The todos are stored in a SQLite database at a path; with `nil`, in the user's data directory.
  case sqlite(path: String?)
  /// The todos are not stored on this machine: each read and each change is a request to the
  /// source.
  case source

  /// Parses `memory`, `sqlite`, `sqlite:PATH` or `source`.
  ///
  /// - Throws: An error whose message lists the accepted values.
  package init(_ text: String) throws(OptionError) {
    switch text {
    case "memory": self = .memory
    case "sqlite": self = .sqlite(path: nil)
    case "source": self = .source
    case _ where text.hasPrefix("sqlite:") && text.utf8.count > 7:
      self = .sqlite(path: String(text.dropFirst(7)))
    default: throw OptionError("expected memory, sqlite, sqlite:PATH or source")
    }
  }
}

package enum SourceKind: Sendable, Equatable {
  /// Returns the servers of all CalDAV sources in `sources`, as URLs without a path.
  package static func caldavOrigins(of sources: [SourceKind]) -> Set<String> {
    Set(sources.compactMap { if case .caldav(let address) = $0 { address.origin } else { nil } })
  }

  /// Whether the source is a CalDAV server without the path of a task list, so that the server's
  /// lists must be discovered.
  package var needsDiscovery: Bool {
    if case .caldav(let address) = self { address.path == nil } else { false }
  }

  case local
  /// Issues at `ServerOptions.githubURL` or, if that is `nil`, at github.com.
  case github(IssueSelection)
  /// Issues at another host. The address contains the host.
  case remote(GitHubAddress)
  case caldav(CalDAVAddress)

  /// Parses a source. The accepted forms are:
  ///
  /// - `local`
  /// - `github:OWNER/REPO`
  /// - `github:HOST/OWNER/REPO`, at a GitHub Enterprise server
  /// - `github+https://host/base/OWNER/REPO`, at any server with GitHub's REST API
  /// - the text of a `CalDAVAddress`
  ///
  /// In the forms for GitHub, `@me` can replace the repository. A repository can be followed by `?`
  /// and the text of an `IssueFilter`.
  ///
  /// - Throws: An error whose message names the expected form.
  package init(_ text: String) throws(OptionError) {
    if text == "local" {
      self = .local
      return
    }
    if text.hasPrefix(CalDAVAddress.prefix) {
      guard let address = CalDAVAddress(text) else {
        throw OptionError("expected \(CalDAVAddress.forms)")
      }
      self = .caldav(address)
      return
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard var address = GitHubAddress(String(parts[0])) else {
      throw OptionError("expected local or github:OWNER/REPO")
    }
    if parts.count == 2 {
      guard case .repository(let name, _) = address.issues else {
        throw OptionError("expected no filter after @me")
      }
      address.issues = .repository(name, try IssueFilter(parts[1]))
    }
    let replacesGitHubCom = text.hasPrefix("github:") && parts[0].split(separator: "/").count <= 2
    self =
      replacesGitHubCom && address.baseURL == GitHubAddress.defaultURL
      ? .github(address.issues) : .remote(address)
  }

  package static func == (a: SourceKind, b: SourceKind) -> Bool {
    // The paths of a CalDAV server are case-sensitive.
    if case .caldav(let a) = a, case .caldav(let b) = b { return a == b }
    return a.text.lowercased() == b.text.lowercased()
  }
}

extension [SourceKind] {
  /// Adds a source, unless the array already contains it in any spelling.
  ///
  /// - Throws: An error if the array contains the same repository with another filter.
  package mutating func add(_ source: SourceKind) throws(OptionError) {
    guard let other = first(where: { $0.listName == source.listName }) else {
      return append(source)
    }
    guard other == source else {
      throw OptionError("expected one filter of \(source.listName)")
    }
  }
}

extension SourceKind {
  /// The name under which the lists of the source are stored. The name of a repository is in lower
  /// case. A filter is not part of the name: it only hides todos of a stored list.
  package var listName: String {
    switch self {
    case .local: ""
    case .github(let issues): "github:\(issues.place.lowercased())"
    case .remote(let address): address.description
    case .caldav(let address): address.description
    }
  }

  /// The source as the user writes it on the command line.
  package var text: String {
    let (name, filter): (String, String?) =
      switch self {
      case .local: ("local", nil)
      case .github(let issues): ("github:\(issues.place)", issues.filterText)
      case .remote(let address): (address.description, address.issues.filterText)
      case .caldav(let address): (address.description, nil)
      }
    return name + (filter.map { "?\($0)" } ?? "")
  }
}

/// An error for an invalid option. Its message lists the accepted values.
package struct OptionError: Error, Sendable, Equatable {
  package var message: String
  package init(_ message: String) { self.message = message }
}
