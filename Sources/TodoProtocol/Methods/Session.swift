import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// `login`: whose todos they are.
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

  func meaning() -> MethodMeaning { .operation(.logIn(name: user, password: password)) }
}

/// `logout`: ends the session of the user.
struct Logout: Method {
  typealias Result = Shown
  static let name = "logout"
  static let purpose = "Logs the user out."
  static let rules = MethodRules.leavesList
  static let members: [Member<Logout>] = []

  func meaning() -> MethodMeaning { .operation(.logOut) }
}

/// `register`: makes an account. What is blank or short is refused by the rules of the form, with
/// the form's sentence.
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

  func meaning() -> MethodMeaning {
    .operation(.register(username: username, password: password))
  }
}

/// `loadTodos`: brings the list up to date with its source.
struct LoadTodos: Method {
  typealias Result = Loaded
  static let name = "loadTodos"
  static let purpose = "Loads the open list from its source."
  static let rules = MethodRules(waitsForSession: true, endsWithSignal: true)

  var refresh = false
  /// Set when the front-end wants `$/progress`.
  var progressToken: RequestID?

  static let members: [Member<LoadTodos>] = [
    .optional("refresh") { $0.refresh = $1 },
    .optional("workDoneToken") { $0.progressToken = $1 },
  ]

  func meaning() -> MethodMeaning {
    .reported(.load(refresh: refresh), progressToken: progressToken)
  }
}
