import Synchronization
import TodoModel

/// Tokens that are gone when the server ends: for a store in memory and for tests.
package final class MemoryCredentials: CredentialStore {
  /// By the bytes of the name, as every other store compares names.
  private let tokens = Mutex<[[UInt8]: Secret]>([:])

  package init() {}

  package func save(_ token: Secret, for account: String) throws(TodoError) {
    tokens.withLock { $0[Array(account.utf8)] = token }
  }

  package func token(for account: String) throws(TodoError) -> Secret? {
    tokens.withLock { $0[Array(account.utf8)] }
  }
}
