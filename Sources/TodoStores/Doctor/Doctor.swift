import System
import TodoAccounts
import TodoModel
import TodoRemotes

/// The command `doctor`, which checks everything that the server needs. The command changes
/// nothing: a missing store is not created. Its output contains no token.
package struct Doctor: Sendable {
  package let options: ServerOptions
  /// The folder of the default store and the credentials.
  package let dataFolder: String
  package let token: GitHubToken
  package let transport: any HTTPTransport

  package init(
    options: ServerOptions, dataFolder: String, token: GitHubToken,
    transport: any HTTPTransport
  ) {
    self.options = options
    self.dataFolder = dataFolder
    self.token = token
    self.transport = transport
  }

  /// The timeouts of requests to the source. They are shorter than in a session, because the user
  /// is waiting.
  package static var timeouts: RequestTimeouts {
    var timeouts = RequestTimeouts.standard
    timeouts.connectMilliseconds = 5_000
    timeouts.idleMilliseconds = 5_000
    return timeouts
  }

  /// Returns the findings. Problems come last, because the user sees the end of the output.
  package func findings() async -> [Finding] {
    var findings = [Finding(.ok, "\(Product.name) \(Product.version)")]
    findings += storeFindings + credentialFindings
    for kind in options.sources {
      if case .caldav(let address) = kind {
        findings += await CalDAVCheck(address: address, options: options, transport: transport)
          .findings()
        continue
      }
      let (token, tokenFinding) = findToken(for: GitHubSource(kind, options))
      if !findings.contains(tokenFinding) { findings.append(tokenFinding) }
      findings.append(await finding(of: GitHubSource(kind, options), token: token))
    }
    if let url = options.registerURL { findings.append(Self.registerFinding(url)) }
    return findings.filter { $0.verdict != .problem } + findings.filter { $0.verdict == .problem }
  }

  private var storeFindings: [Finding] {
    switch options.store {
    case .memory: [Finding(.note, "store: in memory; nothing is kept when the server ends")]
    case .sqlite(let path?): StoreCheck(path: path, isPrivateFolder: false).findings()
    case .sqlite(nil): defaultStoreFindings
    case .source:
      [
        options.sources.count != 1 || options.sources == [.local]
          ? Finding(.problem, "store: \(StoreKind.sourceRule)")
          : Finding(.note, "store: at the source; this machine has accounts only")
      ] + defaultStoreFindings
    }
  }

  private var defaultStoreFindings: [Finding] {
    StoreCheck(path: "\(dataFolder)/todos.sqlite", isPrivateFolder: true).findings()
  }

  private var credentialFindings: [Finding] {
    if options.credentials == .keyring {
      return KeyringCredentials.isInstalled
        ? [Finding(.ok, "credentials: in the keyring, by way of secret-tool")]
        : [Finding(.problem, "credentials: \(KeyringCredentials.missing.message)")]
    }
    let path = "\(dataFolder)/credentials.json"
    guard let mode = FileMode(of: path) else {
      return [Finding(.ok, "credentials: none are kept yet (\(path))")]
    }
    do throws(TodoError) {
      let count = try FileCredentials(path: path).count()
      return [Finding(.ok, "credentials: \(path), mode \(mode), \(counted(count, "token"))")]
    } catch {
      return [Finding(.problem, "credentials: \(error.message)")]
    }
  }

  private func findToken(for source: GitHubSource?) -> (token: Secret?, finding: Finding) {
    let url = source?.address.baseURL ?? GitHubAddress.defaultURL
    let replacesGitHubCom = source?.replacesGitHubCom ?? true
    if let known = token.variable(for: url, replacesGitHubCom: replacesGitHubCom) {
      return (known.token, Finding(.ok, "GitHub token: from \(known.name)"))
    }
    if let token = token.token(for: url, replacesGitHubCom: replacesGitHubCom) {
      return (token, Finding(.ok, "GitHub token: from `gh auth token`"))
    }
    let variables = GitHubToken.variables(for: url, replacesGitHubCom: replacesGitHubCom)
    let text =
      "GitHub token: none (\(variables.joined(separator: ", ")) and `gh auth token` have none); "
      + "public repositories need none"
    return (nil, Finding(.note, text))
  }

  private func finding(of source: GitHubSource?, token: Secret?) async -> Finding {
    guard let source else {
      return Finding(.ok, "source: local; nothing is loaded")
    }
    let name = "source: \(source.name) at \(source.address.baseURL)"
    do throws(TodoError) {
      let service = try GitHubIssues(
        source.address, token: { token }, tokenVariable: source.tokenVariable,
        transport: transport, now: { .now })
      try await service.checkAccess()
      return Finding(.ok, "\(name) answers with status 200")
    } catch {
      let status = error.status.map { " (status \($0))" } ?? ""
      return Finding(.problem, "\(name): \(error.message)\(status)")
    }
  }

  private static func registerFinding(_ text: String) -> Finding {
    guard let url = HTTPURL(text) else {
      return Finding(.problem, "register URL: it must be an http or https URL")
    }
    guard url.isConfidential else {
      return Finding(
        .problem,
        "register URL: a password is not sent over plain http to \(url.host). Use https.")
    }
    return Finding(.ok, "register URL: \(url.scheme)://\(url.host):\(url.port) is allowed")
  }
}

/// A finding of `doctor`.
package struct Finding: Sendable, Equatable, CustomStringConvertible {
  package enum Verdict: String, Sendable { case ok, note, problem }

  package let verdict: Verdict
  /// The message of the finding: one line of printable characters.
  package let text: String

  init(_ verdict: Verdict, _ text: String) {
    self.verdict = verdict
    // A path or a service's message may contain line breaks and control characters.
    self.text = PrintableText.escaped(String(text.map { $0.isNewline ? " " : $0 }))
  }

  /// The topic, such as `store`: the text before the first colon, or `version` if there is no
  /// colon.
  package var topic: String {
    text.firstIndex(of: ":").map { String(text[..<$0]) } ?? "version"
  }

  package var description: String { "\(verdict.rawValue): \(text)" }
}

/// Returns a count with its noun, such as `1 list` or `2 lists`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
