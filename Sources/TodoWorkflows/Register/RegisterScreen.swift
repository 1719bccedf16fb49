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

  var contents: Screen {
    Screen(
      name: "register", title: "Register",
      body: .form([
        ScreenField(
          name: Field.username, label: "User name", value: username,
          error: username.isEmpty ? nil : problem(Field.username)),
        .secret(
          name: Field.password, label: "Password",
          error: isPasswordTyped ? problem(Field.password) : nil),
      ]),
      message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add(
      "register", "Register", role: .register, key: "r", isPrimary: true, on: .right,
      isEnabled: isRegisterEnabled
    ) { _ in onRegisterTapped() }
    actions.add(
      "back", "Back", role: .back, key: "b", on: .left,
      confirm: isTyped ? "Leave without registering?" : nil
    ) { _ in onBackTapped() }
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
}
