import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that registers an account. The button is enabled if the name and the password are
/// valid (see `RegisterRules`), and no login or registration is in progress.
struct RegisterWorkflow: Workflow {
  var service: any RegisterService
  var credentials: any CredentialStore
  /// Whether a login is in progress. During a login, the user cannot register.
  var isLoggingIn = false
  /// The name and password from a client's `register` request, used in place of the input in the
  /// form; `nil` without such a request.
  var submission: Submission?

  enum Output {
    case back(abandoned: OperationToken?)
    case registered(username: String, OperationToken?)
    case failed(OperationToken, TodoError)
  }

  struct Submission: Equatable {
    var username: String
    var password: Secret
    var token: OperationToken
  }
}

// MARK: State

extension RegisterWorkflow {
  struct State: Equatable {
    var username = ""
    var password = Secret("")
    /// The state of the request to the service. It is `.request` only while the request is in
    /// flight.
    var registration: AsyncRequestState<Attempt> = .none
    var attempt: Attempt?
    var attemptCount = 0

    var isRegistering: Bool { registration.isInFlight }

    /// Compares texts byte for byte, because two Unicode forms of a text are different input.
    static func == (a: State, b: State) -> Bool {
      a.username.hasSameBytes(as: b.username) && a.password == b.password
        && a.registration == b.registration && a.attempt == b.attempt
        && a.attemptCount == b.attemptCount
    }
  }

  struct Attempt: Equatable {
    var number: Int
    var username: String
    var password: Secret
    var token: OperationToken?
  }

  func makeInitialState() -> State {
    var state = State()
    state.start(submission)
    return state
  }

  func workflowDidChange(from previousWorkflow: RegisterWorkflow, state: inout State) {
    if submission != previousWorkflow.submission { state.start(submission) }
  }
}

extension RegisterWorkflow.State {
  /// Fills in the form with the input from a request, and submits it.
  fileprivate mutating func start(_ submission: RegisterWorkflow.Submission?) {
    guard let submission else { return }
    username = submission.username
    password = submission.password
    start(token: submission.token)
  }

  fileprivate mutating func start(token: OperationToken?) {
    attemptCount += 1
    attempt = RegisterWorkflow.Attempt(
      number: attemptCount, username: username.trimmed, password: password, token: token)
    registration = .request
  }
}

// MARK: Actions

extension RegisterWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = RegisterWorkflow

    case changed(username: String?, password: Secret?)
    case registerTapped
    case backTapped
    case ended(Attempt, TodoError?)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .changed(let username, let password):
        if let username { state.username = username }
        if let password { state.password = password }
        if !state.isRegistering { state.registration = .none }
        return nil
      case .registerTapped:
        if !state.isRegistering { state.start(token: nil) }
        return nil
      case .backTapped:
        return .back(abandoned: state.isRegistering ? state.attempt?.token : nil)
      case .ended(let attempt, let failure):
        if let failure {
          state.registration = .error(failure)
          return attempt.token.map { .failed($0, failure) }
        }
        state.registration = .success(attempt)
        state.password = Secret("")
        return .registered(username: attempt.username, attempt.token)
      }
    }
  }
}

// MARK: Workers

extension RegisterWorkflow {
  struct RegisterWorker: Worker {
    var attempt: Attempt
    var service: any RegisterService
    var credentials: any CredentialStore

    func run() async -> Action {
      do throws(TodoError) {
        try RegisterRules.check(username: attempt.username, password: attempt.password)
        // The store for tokens must be accessible, or the token of the new account would be lost.
        _ = try credentials.token(for: attempt.username)
        let token = try await service.register(
          username: attempt.username, password: attempt.password)
        try credentials.save(token, for: attempt.username)
        return .ended(attempt, nil)
      } catch {
        return .ended(attempt, error)
      }
    }

    func isEquivalent(to otherWorker: RegisterWorker) -> Bool {
      attempt.number == otherWorker.attempt.number
    }
  }
}

// MARK: Rendering

extension RegisterWorkflow {
  func render(state: State, context: RenderContext<RegisterWorkflow>) -> RegisterScreen {
    if state.isRegistering, let attempt = state.attempt {
      context.awaitResult(
        for: RegisterWorker(attempt: attempt, service: service, credentials: credentials))
    }
    let sink = context.makeSink(of: Action.self)
    return RegisterScreen(
      username: state.username, password: state.password, isRegistering: state.isRegistering,
      isLoggingIn: isLoggingIn, failure: state.registration.failure,
      attemptNumber: state.attemptCount,
      onChanged: { sink.send(.changed(username: $0, password: $1)) },
      onRegisterTapped: { sink.send(.registerTapped) },
      onBackTapped: { sink.send(.backTapped) })
  }
}
