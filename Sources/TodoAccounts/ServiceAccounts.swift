import TodoModel

/// A service that registers each account both at a service on the network and in the local store.
/// The local account has the same password. Therefore, no other user of this server can see the
/// todos of the account.
package struct ServiceAccounts: RegisterService {
  private let service: any RegisterService
  private let accounts: EmbeddedAccounts

  package init(_ service: any RegisterService, beside accounts: EmbeddedAccounts) {
    self.service = service
    self.accounts = accounts
  }

  /// Registers an account at the service and locally.
  ///
  /// - Throws: The errors of both registrations. If the name is already used locally, or the
  ///   password cannot be hashed locally, nothing is sent to the service.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    let hash = try await accounts.hash(password, of: username)
    let token = try await service.register(username: username, password: password)
    try accounts.add(username, hash)
    return token
  }
}
