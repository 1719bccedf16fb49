import SQLiteDatabase
import TodoModel

/// Accounts that are kept beside the todos, in the store's own database.
///
/// A password is kept as a yescrypt hash only. This says who may use a profile through the server;
/// it does not keep out someone who can read the file.
package struct EmbeddedAccounts: AccountService, RegisterService {
  private let database: Database
  private let environment: Environment
  private let wait: @Sendable (_ milliseconds: Int64) async -> Void

  /// In user-perceived characters.
  package static let passwordCharactersMin = 8

  /// - Parameter wait: Waits before a try that is slowed; nil: as the environment does.
  package init(
    database: Database, environment: Environment,
    wait: (@Sendable (_ milliseconds: Int64) async -> Void)? = nil
  ) {
    self.database = database
    self.environment = environment
    self.wait = wait ?? environment.sleep
  }

  /// Returns when `name` has no account or the password is right. After five wrong ones in a row it
  /// waits before it looks (see `PasswordTries`).
  ///
  /// Throws `invalidCredentials`, `rateLimited` when too many wait already, or `storage`.
  package func authenticate(name: String, password: Secret?) async throws(TodoError) {
    guard let password else {
      // A name alone guesses nothing.
      guard try account(name) == nil else { throw .invalidCredentials }
      return
    }
    _ = try await hash(of: name, checking: password)
  }

  /// Gives an account another password, when the old one is right.
  ///
  /// Throws `notFound` where the name has no account, `invalidCredentials`, `rateLimited`,
  /// `validation` for a new password that is too short or too long, or `storage`.
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

  /// The account's hash, when the password is right; nil when there is no account, which takes as
  /// long to find out.
  private func hash(
    of name: String, checking password: Secret
  ) async throws(TodoError) -> PasswordHash? {
    let (database, offload) = (database, environment.offload)
    let attempt = try await offload.run { () throws(TodoError) in try beginTry(of: name) }
    guard let attempt else {
      _ = try await offload.run { () throws(TodoError) in PasswordHash.decoy.matches(password) }
      return nil
    }
    if attempt.waitMilliseconds > 0 { await wait(attempt.waitMilliseconds) }
    guard !Task.isCancelled else { throw .invalidCredentials }
    let isRight = try await offload.run { () throws(TodoError) in
      guard attempt.hash.matches(password) else { return false }
      try database.change { connection throws(TodoError) in
        try connection.accounts.keep(.none, of: name)
      }
      return true
    }
    guard isRight else { throw .invalidCredentials }
    return attempt.hash
  }

  /// Makes an account and answers a random token. Throws `registrationFailed` when the name is
  /// taken, `validation` for a password that is too long, or `storage`.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    try add(username, try await hash(password, of: username))
    return Secret(Self.randomToken())
  }

  /// The hash of a new account's password. Throws as `register` does.
  func hash(_ password: Secret, of username: String) async throws(TodoError) -> PasswordHash {
    // Asked before the hash is made, because that takes long; the table has the last word.
    guard try account(username) == nil else { throw Self.taken }
    return try await environment.offload.run { () throws(TodoError) in
      try PasswordHash(hashing: password)
    }
  }

  /// Makes an account. Throws `registrationFailed` when the name is taken, or `storage`.
  func add(_ username: String, _ hash: PasswordHash) throws(TodoError) {
    let now = environment.now()
    let isAdded = try database.change { connection throws(TodoError) in
      try connection.accounts.add(username, hash: hash, at: now)
    }
    guard isAdded else { throw Self.taken }
  }

  private static let taken = TodoError(.registrationFailed, "That name is taken.")

  private func account(_ name: String) throws(TodoError) -> AccountTable.Account? {
    try database.withWriter { connection throws(TodoError) in try connection.accounts.account(name)
    }
  }

  /// What a try needs to know: the hash to compare with, and how long to wait before that.
  /// Nil when there is no such account.
  private func beginTry(
    of name: String
  ) throws(TodoError) -> (hash: PasswordHash, waitMilliseconds: Int64)? {
    let now = environment.now()
    // Most names have no account, and to look for one changes nothing.
    guard try account(name) != nil else { return nil }
    return try database.change { connection throws(TodoError) in
      guard var account = try connection.accounts.account(name) else { return nil }
      let wait = try account.tries.begin(at: now)
      try connection.accounts.keep(account.tries, of: name)
      return (account.hash, wait)
    }
  }

  /// 32 random bytes in hexadecimal.
  private static func randomToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
