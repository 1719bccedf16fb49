import TodoModel

/// Accounts of a service on the network. A registered user needs the same password in the local
/// store, so that no other user sees these todos through this server.
package struct ServiceAccounts: RegisterService {
  private let service: any RegisterService
  private let accounts: EmbeddedAccounts

  package init(_ service: any RegisterService, beside accounts: EmbeddedAccounts) {
    self.service = service
    self.accounts = accounts
  }

  /// Registers the account at the service and locally.
  ///
  /// - Throws: The errors of both. A name that is taken locally, or whose password cannot be stored
  ///   locally, is not sent to the service.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    let hash = try await accounts.hash(password, of: username)
    let token = try await service.register(username: username, password: password)
    try accounts.add(username, hash)
    return token
  }
}
