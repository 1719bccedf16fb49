import Synchronization
import System
import TodoModel

/// A lookup of the token for a GitHub server: in environment variables, or from the program `gh` if
/// the user has logged in there. Nothing is looked up unless GitHub is a source of todos.
///
/// As in `gh` itself, `GITHUB_TOKEN` and `GH_TOKEN` are only for github.com. `GH_ENTERPRISE_TOKEN`
/// and `GITHUB_ENTERPRISE_TOKEN` are for all other hosts.
package struct GitHubToken: Sendable {
  private let environment: @Sendable (_ name: String) -> String?
  /// Whether `gh` is run if no environment variable is set.
  private let runsGitHubCLI: Bool

  /// Creates an object that reads environment variables and runs `gh`.
  ///
  /// - Parameter environment: Returns the value of a variable; `nil` if it is not set.
  package init(environment: @escaping @Sendable (_ name: String) -> String?) {
    self.environment = environment
    runsGitHubCLI = true
  }

  /// Creates an object that returns the same token for all hosts. It reads no environment variables
  /// and does not run `gh`.
  package init(fixed token: Secret) {
    environment = { _ in token.revealed }
    runsGitHubCLI = false
  }

  /// Returns the environment variable with the token for a host, and the token; `nil` if no
  /// variable is set.
  ///
  /// - Parameter replacesGitHubCom: Whether `baseURL` is used in place of github.com, such as in a
  ///   test. If so, and if the server at `baseURL` is on this machine, it gets the token for
  ///   github.com.
  package func variable(
    for baseURL: String, replacesGitHubCom: Bool
  ) -> (name: String, token: Secret)? {
    guard HTTPURL(baseURL) != nil else { return nil }
    for name in Self.variables(for: baseURL, replacesGitHubCom: replacesGitHubCom) {
      // If the value was read from a file, it ends with a line feed.
      if let text = environment(name)?.trimmed, !text.isEmpty { return (name, Secret(text)) }
    }
    return nil
  }

  /// Returns the environment variables that can contain the token for a host, in the order in which
  /// they are read.
  package static func variables(for baseURL: String, replacesGitHubCom: Bool = false) -> [String] {
    let url = HTTPURL(baseURL)
    let isGitHub =
      url.map { ["api.github.com", "github.com"].contains($0.host) } ?? true
      || replacesGitHubCom && url?.isLoopback ?? false
    return isGitHub
      ? ["GITHUB_TOKEN", "GH_TOKEN"] : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
  }

  /// Returns the environment variable that error messages ask the user to set for a host.
  package static func variable(for baseURL: String, replacesGitHubCom: Bool = false) -> String {
    variables(for: baseURL, replacesGitHubCom: replacesGitHubCom)[0]
  }

  /// The rights that a token needs for reading and changing issues, as part of an error message.
  static let rights =
    "Issues: read and write (fine-grained), or the scope repo (classic; public_repo if the "
    + "repository is public)"

  /// Returns the token for a host; `nil` if there is none. Public repositories can be read without
  /// a token. Blocks while `gh` runs.
  package func token(for baseURL: String, replacesGitHubCom: Bool = false) -> Secret? {
    if let known = variable(for: baseURL, replacesGitHubCom: replacesGitHubCom) {
      return known.token
    }
    guard runsGitHubCLI else { return nil }
    var arguments = ["gh", "auth", "token"]
    if baseURL != GitHubIssues.defaultURL {
      guard let url = HTTPURL(baseURL) else { return nil }
      arguments += ["--hostname", url.host]
    }
    let outcome = ChildProgram(words: arguments).run(
      input: [], withinMilliseconds: Self.waitMilliseconds)
    guard case .ended(status: 0, let output, _) = outcome else { return nil }
    let line = output.prefix { $0 > 0x20 && $0 < 0x7F }
    return line.isEmpty ? nil : Secret(String(decoding: line, as: UTF8.self))
  }

  /// The timeout of `gh`, in milliseconds. It is short, because `gh` only reads a file or a
  /// keyring.
  private static let waitMilliseconds: CInt = 3_000
}

/// A token that is looked up once, when it is first needed. Thus a slow `gh` does not delay the
/// start of the server.
package final class LazyToken: Sendable {
  private let find: (@Sendable () async -> Secret?)?
  private let finding = Mutex<Task<Secret?, Never>?>(nil)

  /// Creates a token that is not looked up yet.
  ///
  /// - Parameter find: Looks up the token; `nil` if there is no token to look up.
  package init(_ find: (@Sendable () async -> Secret?)?) { self.find = find }

  package var value: Secret? {
    get async {
      guard let find else { return nil }
      return await finding.withLock { known in
        let task = known ?? Task { await find() }
        known = task
        return task
      }.value
    }
  }
}
