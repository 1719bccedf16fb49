import ScreenModel
import TodoModel

struct WelcomeScreen {
  var name: String
  var isBusy: Bool
  var failure: TodoError?
  /// The number of the attempt to log in. It is used as the ID of the screen's message, so that the
  /// same message after another attempt counts as new.
  var attemptNumber: Int
  var onChanged: (_ name: String?, _ password: Secret?) -> Void
  var onLoginTapped: () -> Void
  var onRegisterTapped: () -> Void
}

extension WelcomeScreen: DescribableScreen {
  private enum Field { static let (name, password) = ("name", "password") }

  var contents: Screen {
    Screen(
      name: "welcome", title: "Welcome",
      body: .form([
        ScreenField(
          name: Field.name, label: "Name", value: name,
          error: name.trimmed.isEmpty ? nil : nameProblem),
        .secret(name: Field.password, label: "Password"),
      ]),
      message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add(
      "login", "Log in", role: .login, key: "l", isPrimary: true, isEnabled: isLoginEnabled
    ) { _ in onLoginTapped() }
    actions.add("openRegister", "Register", role: .register, key: "r", isEnabled: !isBusy) { _ in
      onRegisterTapped()
    }
  }

  private var isLoginEnabled: Bool { !isBusy && nameProblem == nil }

  private var nameProblem: String? { ProfileRules.nameProblem(name.trimmed) }

  private var message: ScreenMessage? {
    if isBusy { return ScreenMessage(.info, "Logging in…", id: attemptNumber) }
    return failure.map { ScreenMessage(.error, $0.message, id: attemptNumber) }
  }

  func applying(_ values: [String: String], base _: String?) -> WelcomeScreen {
    var screen = self
    if let name = values[Field.name] { screen.name = name }
    return screen
  }

  func change(_ values: [String: String], base _: String?) {
    onChanged(values[Field.name], values[Field.password].map { Secret($0) })
  }
}
