import ScreenModel
import TodoModel

struct RegisterScreen {
  var username: String
  var password: Secret
  var isRegistering: Bool
  var isLoggingIn: Bool
  var failure: TodoError?
  /// The number of the attempt to register. This number is also the ID of the screen's message.
  /// Therefore, a message with the same text as before counts as new.
  var attemptNumber: Int
  var onChanged: (_ username: String?, _ password: Secret?) -> Void
  var onRegisterTapped: () -> Void
  var onBackTapped: () -> Void
}

extension RegisterScreen: DescribableScreen {
  private enum Field { static let (username, password) = ("username", "password") }

  var contents: Screen {
    let problems = isRegistering ? [] : self.problems
    func problem(_ field: String) -> String? {
      problems.first { $0.field == field }?.message
    }
    return Screen(
      name: "register", title: "Register",
      body: .form([
        ScreenField(
          name: Field.username, label: "User name", value: username,
          // No error is shown for an empty field, which the user has not filled in yet.
          error: username.isEmpty ? nil : problem(Field.username)),
        .secret(
          name: Field.password, label: "Password",
          error: password.isEmpty ? nil : problem(Field.password)),
      ]),
      message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add(
      "register", "Register", role: .register, key: "r", isPrimary: true, on: .right,
      isEnabled: !isRegistering && !isLoggingIn && problems.isEmpty
    ) { _ in onRegisterTapped() }
    actions.add(
      "back", "Back", role: .back, key: "b", on: .left,
      confirm: isTyped ? "Leave without registering?" : nil
    ) { _ in onBackTapped() }
  }

  /// Whether leaving the screen would lose text.
  private var isTyped: Bool { !username.isEmpty || !password.isEmpty }

  private var problems: [FieldProblem] {
    RegisterRules.problems(username: username, password: password)
  }

  private var message: ScreenMessage? {
    if isRegistering { return ScreenMessage(.info, "Registering…", id: attemptNumber) }
    return failure.map { ScreenMessage(.error, $0.message, id: attemptNumber) }
  }

  var hasUnsavedText: Bool { isTyped }

  func applying(_ values: [String: String], base _: String?) -> RegisterScreen {
    var screen = self
    if let username = values[Field.username] { screen.username = username }
    if let password = values[Field.password] { screen.password = Secret(password) }
    return screen
  }

  func change(_ values: [String: String], base _: String?) {
    onChanged(values[Field.username], values[Field.password].map { Secret($0) })
  }
}
