import TodoModel

/// Accounts of a service on the network. Who registers there needs the same password here, so that
/// nobody else sees the todos of that name through this server.
package struct ServiceAccounts: RegisterService {
  private let service: any RegisterService
  private let accounts: EmbeddedAccounts

  package init(_ service: any RegisterService, beside accounts: EmbeddedAccounts) {
    self.service = service
    self.accounts = accounts
  }

  /// Throws as both do. A name that is taken here is not asked for at the service, and neither is
  /// one whose password could not be kept here.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    let hash = try await accounts.hash(password, of: username)
    let token = try await service.register(username: username, password: password)
    try accounts.add(username, hash)
    return token
  }
}
