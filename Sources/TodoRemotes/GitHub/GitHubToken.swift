import System
import TodoModel

/// Where a GitHub token comes from: the environment, or the `gh` program that the user logged in
/// with. Only asked when GitHub is the source.
package struct GitHubToken: Sendable {
  private let environment: @Sendable () -> String?

  /// - Parameter environment: The variable's value, where it is set.
  package init(environment: @escaping @Sendable () -> String?) { self.environment = environment }

  /// Nil when there is no token: public repositories need none.
  package func token(for baseURL: String) -> Secret? {
    if let text = environment() { return Secret(text) }
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
