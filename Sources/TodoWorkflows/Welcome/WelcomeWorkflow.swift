import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow for logging in with a name, and with a password if the name has an account.
struct WelcomeWorkflow: Workflow {
  var services: TodoServices

  enum Output {
    case loggedIn(name: String, OperationToken?)
    case registered(name: String, OperationToken?)
    case failed(OperationToken, TodoError)
  }
}

extension WelcomeWorkflow: Equatable {
  /// Always returns `true`, because the services do not change while the program runs.
  static func == (a: WelcomeWorkflow, b: WelcomeWorkflow) -> Bool { true }
}

// MARK: State

extension WelcomeWorkflow {
  struct State: Equatable {
    var name = ""
    var password = Secret("")
    var login: AsyncRequestState<LoginAttempt> = .none
    /// The current or the latest attempt to log in.
    var attempt: LoginAttempt?
    var attemptCount = 0
    var register: RegisterStep = .closed

    /// Compares texts byte for byte, because two Unicode forms of a text are different input.
    static func == (a: State, b: State) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.password == b.password && a.login == b.login
        && a.attempt == b.attempt && a.attemptCount == b.attemptCount && a.register == b.register
    }
  }

  enum RegisterStep: Equatable {
    case closed
    /// The register screen is open. The value is the input of a client's request to register; `nil`
    /// if the user fills in the form.
    case open(RegisterWorkflow.Submission?)
  }

  struct LoginAttempt: Equatable {
    var number: Int
    var name: String
    var password: Secret?
    var token: OperationToken?
  }

  func makeInitialState() -> State { State() }
}

// MARK: Actions

extension WelcomeWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = WelcomeWorkflow

    case changed(name: String?, password: Secret?)
    case loginTapped
    case logIn(name: String, password: Secret?, OperationToken)
    case loginEnded(LoginAttempt, TodoError?)
    case registerTapped
    case register(username: String, password: Secret, OperationToken)
    case registerScreen(RegisterWorkflow.Output)
    case cancel(OperationToken)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .changed(let name, let password):
        if let name { state.name = name }
        if let password { state.password = password }
        if !state.login.isInFlight { state.login = .none }
        return nil
      case .loginTapped:
        let password = state.password.isEmpty ? nil : state.password
        return state.start(name: state.name, password: password, token: nil)
      case .logIn(let name, let password, let token):
        return state.start(name: name, password: password, token: token)
      case .loginEnded(let attempt, let failure):
        return state.end(attempt, failure)
      case .registerTapped:
        state.register = .open(nil)
        return nil
      case .register(_, _, let token) where state.login.isInFlight:
        return .failed(token, TodoError(.busy, "A login is in progress."))
      case .register(let username, let password, let token):
        state.register = .open(
          RegisterWorkflow.Submission(username: username, password: password, token: token))
        return nil
      case .registerScreen(let output):
        return state.apply(output)
      case .cancel(let token):
        if state.login.isInFlight, state.attempt?.token == token { state.login = .none }
        if case .open(let submission?) = state.register, submission.token == token {
          state.register = .closed
        }
        return nil
      }
    }
  }
}

extension WelcomeWorkflow.State {
  fileprivate mutating func start(
    name: String, password: Secret?, token: OperationToken?
  ) -> WelcomeWorkflow.Output? {
    if login.isInFlight {
      return token.map { .failed($0, TodoError(.busy, "A login is in progress.")) }
    }
    attemptCount += 1
    let name = name.trimmed
    if let problem = ProfileRules.nameProblem(name) {
      let error = TodoError.validation([FieldProblem(field: "name", message: problem)])
      login = .error(error)
      return token.map { .failed($0, error) }
    }
    attempt = WelcomeWorkflow.LoginAttempt(
      number: attemptCount, name: name, password: password, token: token)
    login = .request
    return nil
  }

  fileprivate mutating func end(
    _ attempt: WelcomeWorkflow.LoginAttempt, _ failure: TodoError?
  ) -> WelcomeWorkflow.Output? {
    password = Secret("")
    self.attempt?.password = nil
    if let failure {
      login = .error(failure)
      return attempt.token.map { .failed($0, failure) }
    }
    login = .none
    self.attempt = nil
    name = attempt.name
    register = .closed
    return .loggedIn(name: attempt.name, attempt.token)
  }

  fileprivate mutating func apply(_ output: RegisterWorkflow.Output) -> WelcomeWorkflow.Output? {
    switch output {
    case .back(let abandoned):
      register = .closed
      return abandoned.map {
        .failed($0, TodoError(.registrationFailed, "The registration was abandoned."))
      }
    case .failed(let token, let error):
      return .failed(token, error)
    case .registered(let username, let token):
      self = WelcomeWorkflow.State()
      name = username
      return .registered(name: username, token)
    }
  }
}

// MARK: Workers

extension WelcomeWorkflow {
  struct LoginWorker: Worker {
    var attempt: LoginAttempt
    var accounts: any AccountService

    func run() async -> Action {
      do throws(TodoError) {
        try await accounts.authenticate(name: attempt.name, password: attempt.password)
        return .loginEnded(attempt, nil)
      } catch {
        return .loginEnded(attempt, error)
      }
    }

    func isEquivalent(to otherWorker: LoginWorker) -> Bool {
      attempt.number == otherWorker.attempt.number
    }
  }
}

// MARK: Rendering

extension WelcomeWorkflow {
  struct Rendering {
    var items: [any DescribableScreen]
    var operations: Operations
  }

  func render(state: State, context: RenderContext<WelcomeWorkflow>) -> Rendering {
    if state.login.isInFlight, let attempt = state.attempt {
      context.awaitResult(for: LoginWorker(attempt: attempt, accounts: services.accounts))
    }
    let sink = context.makeSink(of: Action.self)
    var items: [any DescribableScreen] = [
      WelcomeScreen(
        name: state.name, isBusy: state.login.isInFlight, failure: state.login.failure,
        attemptNumber: state.attemptCount,
        onChanged: { sink.send(.changed(name: $0, password: $1)) },
        onLoginTapped: { sink.send(.loginTapped) },
        onRegisterTapped: { sink.send(.registerTapped) })
    ]
    var isRegistering = false
    if case .open(let submission) = state.register {
      let screen = RegisterWorkflow(
        service: services.register, credentials: services.credentials,
        isLoggingIn: state.login.isInFlight, submission: submission
      )
      .mapOutput { Action.registerScreen($0) }
      .rendered(with: context)
      isRegistering = screen.isRegistering
      items.append(screen)
    }
    return Rendering(items: items, operations: operations(sink, isRegistering: isRegistering))
  }

  /// Returns the operations that are possible before the login. While a login or registration is in
  /// progress, every other login or registration fails immediately.
  private func operations(_ sink: Sink<Action>, isRegistering: Bool) -> Operations {
    Operations(
      begin: { operation, token in
        let busy = TodoOutcome.failed(TodoError(.busy, "A registration is in progress."))
        switch operation {
        case .logIn where isRegistering: return busy
        case .register where isRegistering: return busy
        case .logIn(let name, let password):
          sink.send(.logIn(name: name, password: password, token))
        case .register(let username, let password):
          sink.send(.register(username: username, password: password, token))
        case .logOut, .load, .sync, .lists, .openList, .watch, .list, .invalid:
          return .failed(.notLoggedIn)
        }
        return nil
      },
      cancel: { sink.send(.cancel($0)) },
      isWaiting: { _ in false })
  }
}
