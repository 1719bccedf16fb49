import ScreenModel
import TodoModel

struct RegisterScreen {
  var username: String
  var problems: [FieldProblem]
  var isPasswordTyped: Bool
  var isRegistering: Bool
  var isRegisterEnabled: Bool
  var failure: TodoError?
  /// Which attempt the message is about.
  var attemptNumber: Int
  var onChanged: (_ username: String?, _ password: Secret?) -> Void
  var onRegisterTapped: () -> Void
  var onBackTapped: () -> Void
}

extension RegisterScreen: DescribableScreen {
  private enum Field { static let (username, password) = ("username", "password") }
  private enum Action { static let (register, back) = ("register", "back") }

  func describe() -> Screen {
    Screen(
      name: "register", title: "Register",
      bar: ScreenBar(left: Action.back, right: Action.register),
      body: .form([
        ScreenField(
          name: Field.username, label: "User name", value: username,
          error: username.isEmpty ? nil : problem(Field.username)),
        .secret(
          name: Field.password, label: "Password",
          error: isPasswordTyped ? problem(Field.password) : nil),
      ]),
      message: message,
      actions: [
        ScreenAction(
          name: Action.register, title: "Register", role: .register, key: "r", isPrimary: true,
          isEnabled: isRegisterEnabled),
        ScreenAction(
          name: Action.back, title: "Back", role: .back, key: "b",
          confirm: isTyped ? "Leave without registering?" : nil),
      ])
  }

  /// Whether there is text that would be gone.
  private var isTyped: Bool { !username.isEmpty || isPasswordTyped }

  /// An empty field is not scolded before anything was typed into it.
  private func problem(_ field: String) -> String? {
    problems.first { $0.field == field }?.message
  }

  private var message: ScreenMessage? {
    if isRegistering { return ScreenMessage(.info, "Registering…", id: attemptNumber) }
    return failure.map { ScreenMessage(.error, $0.message, id: attemptNumber) }
  }

  var hasUnsavedText: Bool { isTyped }

  func change(_ values: [String: String], base _: String?) {
    onChanged(values[Field.username], values[Field.password].map { Secret($0) })
  }

  func act(_ call: ActionCall) {
    switch call.action {
    case Action.register: onRegisterTapped()
    case Action.back: onBackTapped()
    default: break
    }
  }
}
