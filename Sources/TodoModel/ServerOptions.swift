/// The options of the server, from flags, the environment or `initialize`.
package struct ServerOptions: Sendable, Equatable {
  package var store: StoreKind = .sqlite(path: nil)
  /// The sources of todos, at least one; with several, the user chooses one after the login.
  package var sources: [SourceKind] = [.local]
  package var sync: SyncKind = .auto
  /// The URL that replaces https://api.github.com.
  package var githubURL: String?
  /// The URL of an account service; with `nil`, accounts are in the store.
  package var registerURL: String?
  package var credentials: CredentialsKind = .file

  package init() {}
}

/// When a list is synced with its source.
package enum SyncKind: String, Sendable, CaseIterable {
  /// After edits, at login, and every few minutes.
  case auto
  /// Only when the user requests it.
  case manual

  /// Throws an error whose message lists the accepted values.
  package init(_ text: String) throws(OptionError) {
    guard let kind = SyncKind(rawValue: text) else {
      throw OptionError("expected auto or manual")
    }
    self = kind
  }
}

/// The place that stores the tokens of accounts.
package enum CredentialsKind: String, Sendable, CaseIterable {
  case file, keyring

  /// Throws an error whose message lists the accepted values.
  package init(_ text: String) throws(OptionError) {
    guard let kind = CredentialsKind(rawValue: text) else {
      throw OptionError("expected file or keyring")
    }
    self = kind
  }
}

package enum StoreKind: Sendable, Equatable {
  case memory
  /// A database file; with `nil`, in the user's data directory.
  case sqlite(path: String?)
  /// No local copy: every read and change is a request to the source.
  case source

  /// Parses `memory`, `sqlite`, `sqlite:PATH` or `source`. Throws an error whose message lists the
  /// accepted values.
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
  /// A repository at github.com, or at the host of `githubURL`.
  case github(repository: String)
  /// A repository at a host that the option names.
  case remote(GitHubAddress)

  /// Parses `local`, `github:OWNER/REPO`, `github:HOST/OWNER/REPO` (GitHub Enterprise) or
  /// `github+https://host/base/OWNER/REPO` (any service with GitHub's REST API). Throws an error
  /// whose message lists the accepted values.
  package init(_ text: String) throws(OptionError) {
    let problem = OptionError("expected local or github:OWNER/REPO")
    if text == "local" {
      self = .local
      return
    }
    if text.hasPrefix("github:"), let repository = RepositoryName(text.dropFirst(7)) {
      self = .github(repository: repository.description)
    } else if let address = GitHubAddress(text) {
      self = .remote(address)
    } else {
      throw problem
    }
  }
}

extension [SourceKind] {
  /// Adds a source unless it is in the list: two spellings of one repository are one source.
  package mutating func add(_ source: SourceKind) {
    if !contains(where: { $0.listName == source.listName }) { append(source) }
  }
}

extension SourceKind {
  /// The name under which its lists are stored, in lower case: names of repositories do not depend
  /// on case.
  package var listName: String {
    switch self {
    case .local: ""
    case .github(let repository): "github:\(repository.lowercased())"
    case .remote(let address): address.description
    }
  }
}

/// The error for an invalid option; its message lists the accepted values.
package struct OptionError: Error, Sendable, Equatable {
  package var message: String
  package init(_ message: String) { self.message = message }
}
