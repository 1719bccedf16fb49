import System
import TodoAccounts
import TodoDatabase
import TodoModel
import TodoStores

/// `passwd`: changes the password of an account in the store.
struct PasswordCommand {
  private let settings: ServeSettings
  private let name: String

  init(_ settings: ServeSettings, name: String) {
    self.settings = settings
    self.name = name
  }

  /// Changes the password.
  ///
  /// - Returns: The exit code: 0 if the account has the new password, otherwise 1.
  func run() -> Int32 {
    guard settings.options.registerURL == nil else {
      return fail(
        "the account service of --register-url has a password of its own; change that there, and "
          + "the one of this store without --register-url")
    }
    do throws(TodoError) {
      let accounts = EmbeddedAccounts(
        database: try settings.openAccounts().database, environment: .live)
      guard let (old, new) = try isatty(STDIN_FILENO) == 1 ? askUser() : readLines() else {
        return fail("passwd needs two lines: the old password and the new one")
      }
      let result = waiting { [name] in
        await Result { () async throws(TodoError) in
          try await accounts.changePassword(of: name, from: old, to: new)
        }
      }
      guard let result else { return fail(SystemLimit.noPipe) }
      try result.get()
      writeLine("The password was changed.", to: STDOUT_FILENO)
      return 0
    } catch {
      return fail(error.message)
    }
  }

  private func readLines() -> (old: Secret, new: Secret)? {
    guard let old = readLine(), let new = readLine() else { return nil }
    return (Secret(old), Secret(new))
  }

  private func askUser() throws(TodoError) -> (old: Secret, new: Secret)? {
    guard let old = ask("Old password: "), let new = ask("New password: "),
      let again = ask("New password again: ")
    else { return nil }
    guard new == again else {
      throw .validation([
        FieldProblem(field: "password", message: "The two new passwords differ; try again.")
      ])
    }
    return (old, new)
  }

  /// Reads a password from the terminal without echo; `nil` at the end of the input.
  private func ask(_ prompt: String) -> Secret? {
    while true {
      switch SilentPrompt().ask(prompt) {
      case .line(let line): return Secret(line)
      case .inputEnded: return nil
      // Most signals end the process here. After Ctrl-Z it continues, and the prompt is repeated.
      case .signal(let number): raise(number)
      }
    }
  }
}

extension Result where Failure == TodoError, Success: Sendable {
  fileprivate init(_ body: () async throws(TodoError) -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
