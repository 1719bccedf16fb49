/// What a user can choose: by flags, by environment, or in `initialize`.
package struct ServerOptions: Sendable, Equatable {
  package var store: StoreKind = .sqlite(path: nil)
  /// Where the todos come from, at least one; several are a choice after the login.
  package var sources: [SourceKind] = [.local]
  package var sync: SyncKind = .auto
  /// Another host than api.github.com.
  package var githubURL: String?
  /// An account service; nil: accounts are kept in the store.
  package var registerURL: String?
  package var credentials: CredentialsKind = .file
  /// A command that prints the password of a CalDAV source. No front-end can set it.
  package var sourcePasswordCommand: String?

  package init() {}
}

/// When a list and its source are brought together.
package enum SyncKind: String, Sendable, CaseIterable {
  /// After edits, at login, and every few minutes.
  case auto
  /// Only when it is asked for.
  case manual

  /// Throws a sentence that says what to write.
  package init(_ text: String) throws(OptionError) {
    guard let kind = SyncKind(rawValue: text) else {
      throw OptionError("expected auto or manual")
    }
    self = kind
  }
}

/// Where the tokens of accounts are kept.
package enum CredentialsKind: String, Sendable, CaseIterable {
  case file, keyring

  /// Throws a sentence that says what to write.
  package init(_ text: String) throws(OptionError) {
    guard let kind = CredentialsKind(rawValue: text) else {
      throw OptionError("expected file or keyring")
    }
    self = kind
  }
}

package enum StoreKind: Sendable, Equatable {
  case memory
  /// Nil: at the place where a user's data belongs.
  case sqlite(path: String?)
  /// At the source only: nothing of a list is on this machine.
  case source

  /// Reads `memory`, `sqlite`, `sqlite:PATH` or `source`. Throws a message that says what to write.
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
  case local
  /// At github.com, or at what `githubURL` puts in its place.
  case github(IssueSelection)
  /// At a host that the source names itself.
  case remote(GitHubAddress)
  case caldav(CalDAVAddress)

  /// Reads `local`, `github:OWNER/REPO`, `github:HOST/OWNER/REPO` (a GitHub Enterprise) or
  /// `github+https://host/base/OWNER/REPO` (whatever speaks GitHub's REST), each with `@me` in place of
  /// the repository, or with an `IssueFilter` after `?`; or a `CalDAVAddress`. Throws a message with the
  /// expected form.
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
    let isGitHubItself = text.hasPrefix("github:") && parts[0].split(separator: "/").count <= 2
    self =
      isGitHubItself && address.baseURL == GitHubAddress.defaultURL
      ? .github(address.issues) : .remote(address)
  }

  package static func == (a: SourceKind, b: SourceKind) -> Bool {
    // Paths of a calendar server are case-sensitive.
    if case .caldav(let a) = a, case .caldav(let b) = b { return a == b }
    return a.text.lowercased() == b.text.lowercased()
  }
}

extension [SourceKind] {
  /// Adds a source that is not there yet: two spellings of one repository are one list.
  ///
  /// - Throws: An error if the list is there with another filter.
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
  /// The name that its lists are kept under: names of repositories do not depend on case, and a filter selects
  /// only what is shown of a list.
  package var listName: String {
    switch self {
    case .local: ""
    case .github(let issues): "github:\(issues.place.lowercased())"
    case .remote(let address): address.description
    case .caldav(let address): address.description
    }
  }

  /// The source as it is written on the command line.
  package var text: String {
    let (name, view): (String, RemoteView?) =
      switch self {
      case .local: ("local", nil)
      case .github(let issues): ("github:\(issues.place)", issues.view)
      case .remote(let address): (address.description, address.issues.view)
      case .caldav(let address): (address.description, nil)
      }
    return name + (view?.filter.map { "?\($0)" } ?? "")
  }
}

/// A choice that cannot be understood, in one sentence that says what to write instead.
package struct OptionError: Error, Sendable, Equatable {
  package var message: String
  package init(_ message: String) { self.message = message }
}
