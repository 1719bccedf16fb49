import SQLiteDatabase
import TodoModel

/// Accounts in the store's own database.
///
/// Passwords are stored only as yescrypt hashes. An account restricts the use of a profile (the
/// lists of one user) through the server. It does not protect the database file from users who can
/// read the file.
package struct EmbeddedAccounts: AccountService, RegisterService {
  private let database: Database
  private let environment: Environment
  private let wait: @Sendable (_ milliseconds: Int64) async -> Void

  /// The minimum length of a new password, in user-perceived characters.
  package static let passwordCharactersMin = 8

  /// Creates the account service of a database.
  ///
  /// - Parameter wait: Waits before a delayed attempt; `nil` for `environment.sleep`.
  package init(
    database: Database, environment: Environment,
    wait: (@Sendable (_ milliseconds: Int64) async -> Void)? = nil
  ) {
    self.database = database
    self.environment = environment
    self.wait = wait ?? environment.sleep
  }

  /// Checks the password of an account. Throws no error if the password is right. A name without an
  /// account needs no password, so no error is thrown for it either. After five consecutive wrong
  /// passwords, the check is delayed (see `PasswordAttempts`).
  ///
  /// - Throws: `TodoError` of kind `invalidCredentials` for a wrong or missing password, or if the
  ///   task is cancelled; `rateLimited` if too many attempts are already waiting; or `storage`.
  package func authenticate(name: String, password: Secret?) async throws(TodoError) {
    guard let password else {
      // A request without a password guesses nothing, so it does not count as an attempt.
      guard try account(name) == nil else { throw .invalidCredentials }
      return
    }
    _ = try await hash(of: name, checking: password)
  }

  /// Replaces the password of an account, if the old password is right.
  ///
  /// - Throws: `TodoError` of kind `notFound` if there is no account with this name,
  ///   `invalidCredentials`, `rateLimited`, `validation` for a new password that is too short or
  ///   too long, or `storage`.
  package func changePassword(
    of name: String, from old: Secret, to new: Secret
  ) async throws(TodoError) {
    guard new.characterCount >= Self.passwordCharactersMin else {
      throw .validation([
        FieldProblem(
          field: "password",
          message: "The new password needs at least \(Self.passwordCharactersMin) characters.")
      ])
    }
    guard let oldHash = try await hash(of: name, checking: old) else {
      throw TodoError(.notFound, "There is no account of that name in this store.")
    }
    let newHash = try await environment.offload.run { () throws(TodoError) in
      try PasswordHash(hashing: new)
    }
    let isReplaced = try database.change { connection throws(TodoError) in
      try connection.accounts.replace(oldHash, of: name, with: newHash)
    }
    guard isReplaced else { throw .invalidCredentials }
  }

  /// Returns the hash of an account if the password is right; `nil` if there is no account. Without
  /// an account, the password is compared with a decoy hash, so that the comparison takes the same
  /// time.
  ///
  /// - Throws: The errors of `authenticate`.
  private func hash(
    of name: String, checking password: Secret
  ) async throws(TodoError) -> PasswordHash? {
    let (database, offload) = (database, environment.offload)
    let attempt = try await offload.run { () throws(TodoError) in try recordAttempt(of: name) }
    guard let attempt else {
      _ = try await offload.run { () throws(TodoError) in PasswordHash.decoy.matches(password) }
      return nil
    }
    if attempt.waitMilliseconds > 0 { await wait(attempt.waitMilliseconds) }
    guard !Task.isCancelled else { throw .invalidCredentials }
    let isRight = try await offload.run { () throws(TodoError) in
      guard attempt.hash.matches(password) else { return false }
      try database.change { connection throws(TodoError) in
        try connection.accounts.record(.none, of: name)
      }
      return true
    }
    guard isRight else { throw .invalidCredentials }
    return attempt.hash
  }

  /// Creates an account, and returns a random token.
  ///
  /// - Throws: `TodoError` of kind `registrationFailed` if the name is already used, `validation`
  ///   for a password that is too long, or `storage`.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    try add(username, try await hash(password, of: username))
    return Secret(Self.randomToken())
  }

  /// Returns the password hash for a new account.
  ///
  /// - Throws: The errors of `register`.
  func hash(_ password: Secret, of username: String) async throws(TodoError) -> PasswordHash {
    // This check only avoids slow hashing. The insertion into the table detects a name that was
    // registered in the meantime.
    guard try account(username) == nil else { throw Self.nameTaken }
    return try await environment.offload.run { () throws(TodoError) in
      try PasswordHash(hashing: password)
    }
  }

  /// Adds an account.
  ///
  /// - Throws: `TodoError` of kind `registrationFailed` if the name is already used, or `storage`.
  func add(_ username: String, _ hash: PasswordHash) throws(TodoError) {
    let now = environment.now()
    let isAdded = try database.change { connection throws(TodoError) in
      try connection.accounts.add(username, hash: hash, at: now)
    }
    guard isAdded else { throw Self.nameTaken }
  }

  private static let nameTaken = TodoError(.registrationFailed, "That name is taken.")

  private func account(_ name: String) throws(TodoError) -> AccountTable.Account? {
    try database.withWriter { connection throws(TodoError) in try connection.accounts.account(name)
    }
  }

  /// Records an attempt. Returns the hash to compare with and the delay before the comparison;
  /// `nil` if there is no account.
  private func recordAttempt(
    of name: String
  ) throws(TodoError) -> (hash: PasswordHash, waitMilliseconds: Int64)? {
    let now = environment.now()
    // Most names have no account, and reading needs no write transaction.
    guard try account(name) != nil else { return nil }
    return try database.change { connection throws(TodoError) in
      guard var account = try connection.accounts.account(name) else { return nil }
      let wait = try account.attempts.begin(at: now)
      try connection.accounts.record(account.attempts, of: name)
      return (account.hash, wait)
    }
  }

  /// Returns 32 random bytes as hexadecimal digits.
  private static func randomToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
