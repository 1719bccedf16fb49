import System
import TodoModel

/// An account service that reads passwords from the output of a command (`--password-command`), for
/// adapters that cannot ask the user.
///
/// The command runs only after a login without a password has failed because the account needs one.
/// The printed password is used only to repeat this login.
struct AccountsByCommand: AccountService {
  var base: any AccountService
  var settings: ServeSettings

  func authenticate(name: String, password: Secret?) async throws(TodoError) {
    do throws(TodoError) {
      try await base.authenticate(name: name, password: password)
    } catch {
      guard error.kind == .invalidCredentials, password == nil else { throw error }
      let settings = settings
      let printed = try await Offload.thread.run { () throws(TodoError) in
        try settings.password()
      }
      try await base.authenticate(name: name, password: printed)
    }
  }
}
