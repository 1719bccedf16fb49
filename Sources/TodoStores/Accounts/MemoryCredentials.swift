import Synchronization
import TodoModel

/// Tokens that are gone when the server ends: for a store in memory and for tests.
package final class MemoryCredentials: CredentialStore {
  private let tokens = Mutex<[String: Secret]>([:])

  package init() {}

  package func save(_ token: Secret, for account: String) throws(TodoError) {
    tokens.withLock { $0[account] = token }
  }

  package func token(for account: String) throws(TodoError) -> Secret? {
    tokens.withLock { $0[account] }
  }
}
