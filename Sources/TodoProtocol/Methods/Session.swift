import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The method `login`: logs a user in, and opens the user's list.
struct Login: Method {
  typealias Result = LoggedIn
  static let name = "login"
  static let purpose = "Logs a user in."
  static let rules = MethodRules.entersSession

  var user = ""
  var password: Secret?

  static let members: [Member<Login>] = [
    .required("name") { $0.user = $1 },
    .optional("password") { $0.password = $1 },
  ]

  func command() -> RequestCommand { .operation(.logIn(name: user, password: password)) }
}

/// The method `logout`: logs the user out.
struct Logout: Method {
  typealias Result = RevisionResult
  static let name = "logout"
  static let purpose = "Logs the user out."
  static let rules = MethodRules.leavesList
  static let members: [Member<Logout>] = []

  func command() -> RequestCommand { .operation(.logOut) }
}

/// The method `register`: registers an account. The name and password are checked by the same rules
/// as in the registration form.
struct Register: Method {
  typealias Result = Registered
  static let name = "register"
  static let purpose = "Creates an account."
  static let rules = MethodRules.entersSession

  var username = ""
  var password = Secret("")

  static let members: [Member<Register>] = [
    .required("username") { $0.username = $1 },
    .required("password") { $0.password = $1 },
  ]

  func command() -> RequestCommand {
    .operation(.register(username: username, password: password))
  }
}

/// The method `loadTodos`: loads the open list from its source.
struct LoadTodos: Method {
  typealias Result = Loaded
  static let name = "loadTodos"
  static let purpose = "Loads the open list from its source."
  static let rules = MethodRules(waitsForSession: true, endsWithSignal: true)

  var refresh = false
  /// The token for progress reports; `nil` if the client wants none.
  var progressToken: RequestID?

  static let members: [Member<LoadTodos>] = [
    .optional("refresh") { $0.refresh = $1 },
    .optional("workDoneToken") { $0.progressToken = $1 },
  ]

  func command() -> RequestCommand {
    .reported(.load(refresh: refresh), progressToken: progressToken)
  }
}
