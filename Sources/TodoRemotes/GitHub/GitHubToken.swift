import Synchronization
import System
import TodoModel

/// Where the token for a GitHub comes from: the environment, or the `gh` program that the user
/// logged in with. Only asked when GitHub is the source.
///
/// `GITHUB_TOKEN` and `GH_TOKEN` are for github.com, and go nowhere else; `GH_ENTERPRISE_TOKEN` and
/// `GITHUB_ENTERPRISE_TOKEN` are for every other host, as with `gh` itself.
package struct GitHubToken: Sendable {
  private let environment: @Sendable (_ name: String) -> String?
  /// Whether `gh` is run where no variable is set.
  private let runsProgram: Bool

  /// - Parameter environment: A variable's value, where it is set.
  package init(environment: @escaping @Sendable (_ name: String) -> String?) {
    self.environment = environment
    runsProgram = true
  }

  /// One token for every host; neither a variable nor `gh` is asked.
  package init(fixed token: Secret) {
    environment = { _ in token.revealed }
    runsProgram = false
  }

  /// The variable that has the token for a host, and the token.
  ///
  /// - Parameter isGitHubItself: Whether the URL stands in the place of github.com: then this
  ///   machine gets its token, too, as for a test.
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

  /// The variables that have the token for a host, the first one first.
  package static func variables(for baseURL: String, isGitHubItself: Bool = false) -> [String] {
    let url = HTTPURL(baseURL)
    let isGitHub =
      url.map { ["api.github.com", "github.com"].contains($0.host) } ?? true
      || isGitHubItself && url?.isLoopback ?? false
    return isGitHub
      ? ["GITHUB_TOKEN", "GH_TOKEN"] : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
  }

  /// The variable that a user is asked to set for a host.
  package static func variable(for baseURL: String, isGitHubItself: Bool = false) -> String {
    variables(for: baseURL, isGitHubItself: isGitHubItself)[0]
  }

  /// The rights that a token needs to read and change issues, as part of a message.
  static let rights =
    "Issues: read and write (fine-grained), or the scope repo (classic; public_repo if the "
    + "repository is public)"

  /// Nil when there is no token: public repositories need none. Blocks while `gh` is asked.
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

  /// How long `gh` may take; it only reads a file or asks a keyring.
  private static let waitMilliseconds: CInt = 3_000
}

/// A token that is looked for when it is first needed, and once: a `gh` that lingers must not delay
/// a start.
package final class LazyToken: Sendable {
  private let find: (@Sendable () async -> Secret?)?
  private let finding = Mutex<Task<Secret?, Never>?>(nil)

  /// - Parameter find: looks for the token; nil where there is none to be found.
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
