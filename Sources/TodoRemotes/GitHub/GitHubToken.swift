import Synchronization
import System
import TodoModel

/// A source of the token for a GitHub server: the environment, or the `gh` program with which the
/// user has logged in. It is used only if GitHub is the source of todos.
///
/// `GITHUB_TOKEN` and `GH_TOKEN` are for github.com, and go nowhere else; `GH_ENTERPRISE_TOKEN` and
/// `GITHUB_ENTERPRISE_TOKEN` are for every other host, as with `gh` itself.
package struct GitHubToken: Sendable {
  private let environment: @Sendable (_ name: String) -> String?
  /// Whether `gh` is run if no variable is set.
  private let runsProgram: Bool

  /// Creates a source that reads the environment and runs `gh`.
  ///
  /// - Parameter environment: Returns the value of a variable; `nil` if it is not set.
  package init(environment: @escaping @Sendable (_ name: String) -> String?) {
    self.environment = environment
    runsProgram = true
  }

  /// Creates a source with one token for every host, which reads no variable and does not run `gh`.
  package init(fixed token: Secret) {
    environment = { _ in token.revealed }
    runsProgram = false
  }

  /// Returns the variable that has the token for a host, and the token; `nil` if no variable is
  /// set.
  ///
  /// - Parameter isGitHubItself: Whether the URL replaces that of github.com, as in a test. Then a
  ///   server on this machine gets the token of github.com, too.
  package func variable(
    for baseURL: String, isGitHubItself: Bool
  ) -> (name: String, token: Secret)? {
    guard HTTPURL(baseURL) != nil else { return nil }
    for name in Self.variables(for: baseURL, isGitHubItself: isGitHubItself) {
      // A file that was read into a variable ends with a line feed.
      if let text = environment(name)?.trimmed, !text.isEmpty { return (name, Secret(text)) }
    }
    return nil
  }

  /// Returns the variables that may have the token for a host, in the order in which they are read.
  package static func variables(for baseURL: String, isGitHubItself: Bool = false) -> [String] {
    let url = HTTPURL(baseURL)
    let isGitHub =
      url.map { ["api.github.com", "github.com"].contains($0.host) } ?? true
      || isGitHubItself && url?.isLoopback ?? false
    return isGitHub
      ? ["GITHUB_TOKEN", "GH_TOKEN"] : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
  }

  /// Returns the variable that a user is asked to set for a host.
  package static func variable(for baseURL: String, isGitHubItself: Bool = false) -> String {
    variables(for: baseURL, isGitHubItself: isGitHubItself)[0]
  }

  /// The rights that a token needs to read and change issues, as part of a message.
  static let rights =
    "Issues: read and write (fine-grained), or the scope repo (classic; public_repo if the "
    + "repository is public)"

  /// Returns the token for a host; `nil` if there is none, since public repositories need none.
  /// Blocks while `gh` runs.
  package func token(for baseURL: String, isGitHubItself: Bool = false) -> Secret? {
    if let known = variable(for: baseURL, isGitHubItself: isGitHubItself) { return known.token }
    guard runsProgram else { return nil }
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

  /// The timeout of `gh`, in milliseconds; it only reads a file or asks a keyring.
  private static let waitMilliseconds: CInt = 3_000
}

/// A token that is looked up when it is first needed, and only once, so that a slow `gh` does not
/// delay the start.
package final class LazyToken: Sendable {
  private let find: (@Sendable () async -> Secret?)?
  private let finding = Mutex<Task<Secret?, Never>?>(nil)

  /// Creates a token that is not looked up yet.
  ///
  /// - Parameter find: looks up the token; `nil` if there is no source of a token.
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
