import TodoModel

/// Accounts that are kept beside the todos, in the store's own database.
///
/// A password is kept as a yescrypt hash only. This says who may use a profile through the server;
/// it does not keep out someone who can read the file.
package struct EmbeddedAccounts: AccountService, RegisterService {
  private let store: SQLiteStore

  package init(store: SQLiteStore) { self.store = store }

  /// Returns when `name` has no account or the password is right. Throws `invalidCredentials`, or
  /// `storage` when the accounts cannot be read.
  package func authenticate(name: String, password: Secret?) async throws(TodoError) {
    guard let hash = try store.passwordHash(of: name) else { return }
    guard let password else { throw .invalidCredentials }
    let isRight = try await store.environment.offload.run { () throws(TodoError) in
      hash.matches(password)
    }
    guard isRight else { throw .invalidCredentials }
  }

  /// Makes an account and answers a random token. Throws `registrationFailed` when the name is
  /// taken, `validation` for a password that is too long, or `storage`.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    let taken = TodoError(.registrationFailed, "That name is taken.")
    // Asked before the hash is made, because that takes long; the table has the last word.
    guard try store.passwordHash(of: username) == nil else { throw taken }
    let hash = try await store.environment.offload.run { () throws(TodoError) in
      try PasswordHash(hashing: password)
    }
    guard try store.addAccount(named: username, hash: hash) else { throw taken }
    return Secret(Self.randomToken())
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

extension SQLiteStore {
  /// Nil when there is no such account.
  func passwordHash(of name: String) throws(TodoError) -> PasswordHash? {
    try withConnection { connection throws(TodoError) in
      try connection.first("SELECT password_hash FROM account WHERE name = ?", [.text(name)]) {
        row in
        PasswordHash(text: row.text(0))
      }
    }
  }

  /// False when the name is taken.
  func addAccount(named name: String, hash: PasswordHash) throws(TodoError) -> Bool {
    let now = environment.now()
    return try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        try connection.first(
          """
          INSERT INTO account (name, password_hash, created_at) VALUES (?, ?, ?)
          ON CONFLICT DO NOTHING RETURNING 1
          """, [.text(name), .text(hash.text), .integer(now.milliseconds)]
        ) { _ in true } ?? false
      }
    }
  }
}
