import System
import TodoModel
import TodoRemotes

/// A store of tokens in the desktop's keyring, by means of libsecret's `secret-tool`. A token is
/// passed to the tool through a pipe, never as an argument.
package struct KeyringCredentials: CredentialStore {
  private static let program = "secret-tool"
  /// The timeout of a `secret-tool` process. It is long enough for the user to unlock the keyring.
  private static let waitMilliseconds: CInt = 30_000

  package init() {}

  /// Adds or replaces the token of an account.
  ///
  /// - Throws: `TodoError` of kind `storage`.
  package func save(_ token: Secret, for account: String) throws(TodoError) {
    if let problem = token.tokenProblem {
      throw .storage("The token \(problem), so it is not kept. Register again.")
    }
    var bytes = Array(token.revealed.utf8)
    defer { bytes.withUnsafeMutableBytes(wipe) }
    guard bytes.count <= ChildProgram.inputBytesMax else {
      throw .storage("The token is too long for the keyring. Use --credentials file.")
    }
    let words = ["store", "--label=\(Product.name): \(account)"] + Self.attributes(of: account)
    let result = try run(words, input: bytes)
    guard result.status == 0 else { throw refusal(result.errors, hiding: [token]) }
  }

  /// Returns the token of an account; `nil` if the account has none.
  ///
  /// - Throws: `TodoError` of kind `storage`.
  package func token(for account: String) throws(TodoError) -> Secret? {
    let result = try run(["lookup"] + Self.attributes(of: account), input: [])
    var bytes = result.output
    defer { bytes.withUnsafeMutableBytes(wipe) }
    guard result.status == 0 else {
      // If `secret-tool` finds no token, it prints no error.
      guard result.errors.isEmpty else { throw refusal(result.errors, hiding: []) }
      return nil
    }
    // If its output is a terminal, `secret-tool` adds a line feed.
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes.isEmpty ? nil : Secret(String(decoding: bytes, as: UTF8.self))
  }

  /// Whether `secret-tool` is on the `PATH`. The check does not run it.
  package static var isInstalled: Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  package static let missing = TodoError.storage(
    "secret-tool is missing, and --credentials keyring needs it. "
      + "On Debian: apt-get install libsecret-tools; or use --credentials file.")

  /// Returns the attributes that identify a token. The prefix `name:` prevents `secret-tool` from
  /// parsing the name of an account as an option.
  private static func attributes(of account: String) -> [String] {
    ["service", Product.name, "account", "name:\(account)"]
  }

  private func run(
    _ words: [String], input: [UInt8]
  ) throws(TodoError) -> (status: CInt, output: [UInt8], errors: [UInt8]) {
    let program = ChildProgram(words: [Self.program] + words)
    switch program.run(input: input, withinMilliseconds: Self.waitMilliseconds) {
    case .ended(let status, let output, let errors): return (status, output, errors)
    case .missing: throw Self.missing
    case .failed: throw .storage("secret-tool cannot be run. Use --credentials file.")
    case .tookTooLong:
      throw .storage(
        "The keyring did not answer within \(Self.waitMilliseconds / 1_000) s. "
          + "Unlock it, or use --credentials file.")
    }
  }

  private func refusal(_ errors: [UInt8], hiding secrets: [Secret]) -> TodoError {
    let reason = SanitizedMessage(String(decoding: errors, as: UTF8.self), hiding: secrets).text
    let words = reason.isEmpty ? "" : ": \(reason)"
    return .storage("The keyring refused\(words). Unlock it, or use --credentials file.")
  }
}
