import SQLiteDatabase
import TodoModel

/// The accounts in a database, each with its number of consecutive wrong passwords.
final class AccountTable: ConnectionPart {
  private unowned let connection: Connection
  private lazy var find = Statement(
    "SELECT password_hash, wrong_count, waiting_until FROM account WHERE name = ?",
    on: connection)
  private lazy var add = Statement(
    """
    INSERT INTO account (name, password_hash, created_at) VALUES (?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var setAttempts = Statement(
    "UPDATE account SET wrong_count = ?, waiting_until = ? WHERE name = ?", on: connection)
  private lazy var replaceHash = Statement(
    """
    UPDATE account SET password_hash = ?, wrong_count = 0, waiting_until = 0
    WHERE name = ? AND password_hash = ? RETURNING 1
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  struct Account {
    var hash: PasswordHash
    var attempts: PasswordAttempts
  }

  /// Returns the account with a name; `nil` if there is none.
  func account(_ name: String) throws(TodoError) -> Account? {
    try find.first(.text(name)) { row in
      Account(
        hash: PasswordHash(text: row.text(0)),
        attempts: PasswordAttempts(
          wrongCount: Int64(row.count(1)), waitingUntil: row.time(2)))
    }
  }

  /// Adds an account.
  ///
  /// - Returns: `false` if the name is already used.
  func add(_ name: String, hash: PasswordHash, at now: Timestamp) throws(TodoError) -> Bool {
    try add.first(.text(name), .text(hash.text), .integer(now.milliseconds)) { _ in true } ?? false
  }

  func record(_ attempts: PasswordAttempts, of name: String) throws(TodoError) {
    try setAttempts.run(
      .integer(attempts.wrongCount), .integer(attempts.waitingUntil.milliseconds), .text(name))
  }

  /// Replaces the password hash of an account.
  ///
  /// - Returns: `false` if the account no longer has the old hash.
  func replace(
    _ old: PasswordHash, of name: String, with new: PasswordHash
  ) throws(TodoError) -> Bool {
    try replaceHash.first(.text(new.text), .text(name), .text(old.text)) { _ in true } ?? false
  }
}

extension Connection {
  var accounts: AccountTable { part(AccountTable.self) }
}

/// The table of accounts.
package struct AccountSchema: SchemaPart {
  package init() {}

  /// The script that creates the table. The column `wrong_count` is the number of consecutive wrong
  /// passwords. After several of them, attempts wait one after the other. The column
  /// `waiting_until` is the time at which the last of these attempts may continue, in milliseconds
  /// since 1970.
  package var scripts: [String] { [Self.table] }

  private static let table = """
    CREATE TABLE account (
      name TEXT PRIMARY KEY,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      wrong_count INTEGER NOT NULL DEFAULT 0,
      waiting_until INTEGER NOT NULL DEFAULT 0
    );
    """

  package func update(from version: Int, over connection: Connection) throws(TodoError) {}

  package func renew(over connection: Connection) throws(TodoError) {}
}
