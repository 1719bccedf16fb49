import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Actions of the welcome screen")
struct WelcomeActionTests {
  typealias Action = WelcomeWorkflow.Action
  private let token = Sample.token

  private func state(name: String = "ann", password: String = "") -> WelcomeWorkflow.State {
    var state = WelcomeWorkflow.State()
    state.name = name
    state.password = Secret(password)
    return state
  }

  @Test("Typing changes the fields, and removes an error")
  func changed() {
    var failed = state(name: "")
    failed.login = .error(Sample.error)
    Action.tester(withState: failed)
      .send(action: .changed(name: "ann", password: nil)).assertNoOutput()
      .assert(state: state())
      .send(action: .changed(name: nil, password: Secret("x"))).assertNoOutput()
      .assert(state: state(password: "x"))
  }

  @Test("Typing does not stop a login")
  func changedDuringLogin() {
    Action.tester(withState: state())
      .send(action: .loginTapped)
      .send(action: .changed(name: "bob", password: nil))
      .verifyState { state in
        #expect(state.login.isInFlight)
        #expect(state.attempt?.name == "ann")
      }
  }

  @Test("An empty password counts as no password", arguments: [("", nil), ("x", Secret("x"))])
  func loginTapped(typed: String, password: Secret?) {
    Action.tester(withState: state(name: " ann ", password: typed))
      .send(action: .loginTapped).assertNoOutput()
      .verifyState { state in
        let attempt = WelcomeWorkflow.LoginAttempt(number: 1, name: "ann", password: password)
        #expect(state.attempt == attempt)
        #expect(state.login.isInFlight)
      }
  }

  @Test("Pressing twice starts one login")
  func tappedTwice() {
    Action.tester(withState: state())
      .send(action: .loginTapped)
      .send(action: .loginTapped).assertNoOutput()
      .verifyState { #expect($0.attemptCount == 1) }
  }

  @Test("A successful login clears its state and password")
  func loginEnded() {
    let attempt = WelcomeWorkflow.LoginAttempt(number: 1, name: "ann", token: token)
    var register = state(name: " ann", password: "x")
    register.register = .open(nil)
    Action.tester(withState: register)
      .send(action: .loginEnded(attempt, nil))
      .verifyOutput { output in
        guard case .loggedIn("ann", token) = output else { return mismatch(output) }
      }
      .assert(state: state())
  }

  @Test("A failed login is reported only to its operation")
  func loginFailed() {
    let attempt = WelcomeWorkflow.LoginAttempt(number: 1, name: "ann", token: token)
    Action.tester(withState: state(password: "x"))
      .send(action: .loginEnded(attempt, Sample.error))
      .verifyOutput { output in
        guard case .failed(token, Sample.error) = output else { return mismatch(output) }
      }
      .verifyState { state in
        #expect(state.login.failure == Sample.error)
        #expect(state.password.isEmpty)
      }
      .send(action: .loginEnded(.init(number: 1, name: "ann"), Sample.error)).assertNoOutput()
  }

  @Test("The register screen opens, and back closes it")
  func registerScreen() {
    Action.tester(withState: state())
      .send(action: .registerTapped).assertNoOutput()
      .verifyState { #expect($0.register == .open(nil)) }
      .send(action: .registerScreen(.back(abandoned: nil))).assertNoOutput()
      .assert(state: state())
      .send(action: .registerScreen(.back(abandoned: token)))
      .verifyOutput { output in
        guard case .failed(token, let error) = output else { return mismatch(output) }
        #expect(error.kind == .registrationFailed)
      }
  }

  @Test("A registration logs in, and clears the form")
  func registered() {
    Action.tester(withState: state(password: "x"))
      .send(action: .registerScreen(.registered(username: "bob", token)))
      .verifyOutput { output in
        guard case .registered("bob", token) = output else { return mismatch(output) }
      }
      .assert(state: state(name: "bob"))
  }

  @Test("A refused request changes nothing")
  func refuse() {
    let busy = TodoError(.busy, "A login is in progress.")
    var loggingIn = state()
    loggingIn.login = .request
    Action.tester(withState: loggingIn)
      .send(action: .register(username: "username", password: Secret("password"), token))
      .verifyOutput { output in
        guard case .failed(token, busy) = output else { return mismatch(output) }
      }
      .send(action: .logIn(name: "bob", password: nil, token))
      .verifyOutput { output in
        guard case .failed(token, busy) = output else { return mismatch(output) }
      }
      .assert(state: loggingIn)
  }

  @Test("Cancelling ends only the operation with the token")
  func cancel() {
    let other = OperationToken(number: 2)
    Action.tester(withState: state())
      .send(action: .logIn(name: "ann", password: nil, token)).assertNoOutput()
      .send(action: .cancel(other)).assertNoOutput()
      .verifyState { #expect($0.login.isInFlight) }
      .send(action: .cancel(token)).assertNoOutput()
      .verifyState { #expect(!$0.login.isInFlight) }
      .send(action: .register(username: "username", password: Secret("password"), token))
      .send(action: .cancel(other))
      .verifyState { #expect($0.register != .closed) }
      .send(action: .cancel(token)).assertNoOutput()
      .verifyState { #expect($0.register == .closed) }
  }
}

@Suite("Actions of the register screen")
struct RegisterActionTests {
  typealias Action = RegisterWorkflow.Action
  private let token = Sample.token

  private var filledIn: RegisterWorkflow.State {
    var state = RegisterWorkflow.State()
    state.username = "username"
    state.password = Secret("password")
    return state
  }

  @Test("Typing changes the fields")
  func changed() {
    Action.tester(withState: RegisterWorkflow.State())
      .send(action: .changed(username: "username", password: nil)).assertNoOutput()
      .send(action: .changed(username: nil, password: Secret("password"))).assertNoOutput()
      .assert(state: filledIn)
  }

  @Test("Pressing twice starts one registration")
  func tappedTwice() {
    Action.tester(withState: filledIn)
      .send(action: .registerTapped).assertNoOutput()
      .verifyState { #expect($0.isRegistering) }
      .send(action: .registerTapped)
      .verifyState { #expect($0.attemptCount == 1) }
  }

  @Test("Success ends the request")
  func success() {
    let attempt = RegisterWorkflow.Attempt(
      number: 1, username: "username", password: Secret("password"), token: token)
    Action.tester(withState: filledIn)
      .send(action: .registerTapped)
      .send(action: .ended(attempt, nil))
      .verifyOutput { output in
        guard case .registered("username", token) = output else { return mismatch(output) }
      }
      .verifyState { state in
        #expect(!state.isRegistering)
        #expect(state.password.isEmpty)
      }
  }

  @Test("Failure ends the request", arguments: [nil, Sample.token])
  func failure(token: OperationToken?) {
    let attempt = RegisterWorkflow.Attempt(
      number: 1, username: "username", password: Secret("password"), token: token)
    let tester = Action.tester(withState: filledIn)
      .send(action: .registerTapped)
      .send(action: .ended(attempt, Sample.error))
      .verifyState { state in
        #expect(!state.isRegistering)
        #expect(state.registration.failure == Sample.error)
      }
    guard let token else {
      tester.assertNoOutput()
      return
    }
    tester.verifyOutput { output in
      guard case .failed(token, Sample.error) = output else { return mismatch(output) }
    }
  }

  @Test("Back names the operation that it abandons")
  func back() {
    let submission = RegisterWorkflow.Submission(
      username: "username", password: Secret("password"), token: token)
    let workflow = RegisterWorkflow(
      service: FakeRegisterService(), credentials: FakeCredentialStore(), submission: submission)
    Action.tester(withState: workflow.makeInitialState())
      .verifyState { #expect($0.isRegistering) }
      .send(action: .backTapped)
      .verifyOutput { output in
        guard case .back(abandoned: token) = output else { return mismatch(output) }
      }
    Action.tester(withState: filledIn)
      .send(action: .backTapped)
      .verifyOutput { output in
        guard case .back(abandoned: nil) = output else { return mismatch(output) }
      }
  }
}

@Suite("Actions of the root")
struct RootActionTests {
  typealias Action = RootWorkflow.Action

  private func ends(_ output: RootWorkflow.Output) -> [OperationToken] {
    if case .ended(let ends) = output { ends.map(\.token) } else { [] }
  }

  @Test("A login shows the user's todos, and ends its operation")
  func login() {
    Action.tester(withState: .welcome)
      .send(action: .welcome(.loggedIn(name: "ann", nil), today: .sample)).assertNoOutput()
      .assert(state: .todo(name: "ann", today: .sample))
    Action.tester(withState: .welcome)
      .send(action: .welcome(.registered(name: "ann", Sample.token), today: .sample))
      .verifyOutput { #expect(ends($0) == [Sample.token]) }
      .assert(state: .todo(name: "ann", today: .sample))
  }

  @Test("A failure does not change the screen")
  func failure() {
    Action.tester(withState: .welcome)
      .send(action: .welcome(.failed(Sample.token, Sample.error), today: .sample))
      .verifyOutput { #expect(ends($0) == [Sample.token]) }
      .assert(state: .welcome)
  }

  @Test("A logout returns to welcome, and ends all operations")
  func logOut() {
    let end = OperationEnd(Sample.token, .loggedOut)
    Action.tester(withState: .todo(name: "ann", today: .sample))
      .send(action: .todo(.loggedOut([end])))
      .verifyOutput { #expect(ends($0) == [Sample.token]) }
      .assert(state: .welcome)
  }

  @Test("Ends and progress are passed on")
  func passedOn() {
    let end = OperationEnd(Sample.token, .shown)
    Action.tester(withState: .todo(name: "ann", today: .sample))
      .send(action: .todo(.ended([end])))
      .verifyOutput { #expect(ends($0) == [Sample.token]) }
      .send(action: .todo(.progressed([Sample.token], LoadProgress(pagesDone: 2))))
      .verifyOutput { output in
        guard case .progressed(let tokens, let progress) = output else { return mismatch(output) }
        #expect(tokens == [Sample.token])
        #expect(progress.pagesDone == 2)
      }
      .assert(state: .todo(name: "ann", today: .sample))
  }
}
