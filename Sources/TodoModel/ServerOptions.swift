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
  case github(repository: String)
  /// At a host that the source names itself.
  case remote(GitHubAddress)
  case caldav(CalDAVAddress)

  /// Reads `local`, `github:OWNER/REPO`, `github:HOST/OWNER/REPO` (a GitHub Enterprise) or
  /// `github+https://host/base/OWNER/REPO` (whatever speaks GitHub's REST), or a `CalDAVAddress`. Throws
  /// a sentence that says what to write.
  package init(_ text: String) throws(OptionError) {
    let problem = OptionError("expected local or github:OWNER/REPO")
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
  /// Adds a source that is not there yet: two spellings of one repository are one list.
  package mutating func add(_ source: SourceKind) {
    if !contains(where: { $0.listName == source.listName }) { append(source) }
  }
}

extension SourceKind {
  /// What its lists are kept under: names of repositories do not depend on case.
  package var listName: String {
    switch self {
    case .local: ""
    case .github(let repository): "github:\(repository.lowercased())"
    case .remote(let address): address.description
    case .caldav(let address): address.description
    }
  }
}

/// A choice that cannot be understood, in one sentence that says what to write instead.
package struct OptionError: Error, Sendable, Equatable {
  package var message: String
  package init(_ message: String) { self.message = message }
}
