import Synchronization
import TodoModel

/// A store of tokens in memory, for a todo store in memory and for tests.
package final class MemoryCredentials: CredentialStore {
  /// The tokens, by the UTF-8 bytes of the account's name. The other stores also compare names byte
  /// by byte; `String` does not.
  private let tokens = Mutex<[[UInt8]: Secret]>([:])

  package init() {}

  package func save(_ token: Secret, for account: String) throws(TodoError) {
    tokens.withLock { $0[Array(account.utf8)] = token }
  }

  package func token(for account: String) throws(TodoError) -> Secret? {
    tokens.withLock { $0[Array(account.utf8)] }
  }
}
