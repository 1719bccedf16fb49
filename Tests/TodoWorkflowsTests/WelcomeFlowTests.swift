import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Logging in")
struct WelcomeFlowTests {
  private let app = TestApp()

  @Test("At the start there is a form, and an empty name enables nothing")
  func start() throws {
    #expect(app.names == ["welcome"])
    #expect(app.front.bar == .hidden)
    #expect(try app.field("name").value == "")
    #expect(try app.field("password").isSecret)
    #expect(app.isEnabled("login") == false)
    #expect(app.isEnabled("openRegister") == true)
    #expect(app.running == [])
  }

  @Test(
    "Login is enabled with a name that is not blank, on one line, of at most 256 characters",
    arguments: [
      ("ann", true), ("", false), ("  ", false), (" ann ", true), ("a\nb", false), ("a\0b", false),
      (String(repeating: "👨‍👩‍👧‍👦", count: 256), true), (String(repeating: "x", count: 257), false),
    ])
  func nameRules(name: String, isEnabled: Bool) throws {
    try app.change(["name": name])
    #expect(app.isEnabled("login") == isEnabled)
    let isBlank = name.allSatisfy { $0 == " " }
    let hasError = try app.field("name").error != nil
    #expect(hasError == (!isEnabled && !isBlank))
  }

  @Test("A successful login shows progress, then loads")
  func goodLogin() throws {
    try app.change(["name": " ann "])
    try app.change(["password": "hunter2"])
    #expect(try app.field("name").value == " ann ")
    #expect(try app.field("password").value == nil)
    try app.act("login")
    #expect(app.message == "Logging in…")
    #expect(app.isEnabled("login") == false)
    #expect(app.isEnabled("openRegister") == false)
    #expect(app.running == ["LoginWorker"])
    app.answerLogin(1, name: "ann")
    #expect(app.names == ["welcome", "loading"])
    #expect(app.running == ["LoadWorker"])
  }

  @Test("A failed login shows why, keeps the name and clears the password")
  func badLogin() throws {
    try app.change(["name": "ann", "password": "wrong"])
    try app.act("login")
    app.answerLogin(1, name: "ann", .invalidCredentials)
    #expect(app.names == ["welcome"])
    #expect(app.front.message == ScreenMessage(.error, "The name or the password is wrong.", id: 1))
    #expect(try app.field("name").value == "ann")
    #expect(app.isEnabled("login") == true)
    #expect(app.running == [])
    try app.change(["password": "right"])
    #expect(app.front.message == nil)
  }

  @Test("A second attempt has its own worker, and the first one's late result is dropped")
  func secondAttempt() throws {
    try app.change(["name": "ann"])
    try app.act("login")
    app.answerLogin(1, name: "ann", .invalidCredentials)
    try app.act("login")
    #expect(app.running == ["LoginWorker"])
    let attempt = WelcomeWorkflow.LoginAttempt(number: 1, name: "ann")
    app.test.deliver(WelcomeWorkflow.Action.loginEnded(attempt, nil), fromWorkerNumber: 1)
    #expect(app.names == ["welcome"])
    app.answerLogin(2, name: "ann")
    #expect(app.names == ["welcome", "loading"])
  }

  @Test("An operation logs in through the same state, and is answered")
  func operation() throws {
    app.begin(.logIn(name: " ann ", password: Secret("hunter2")), 7)
    #expect(app.message == "Logging in…")
    app.answerLogin(1, name: "ann", token: 7)
    #expect(app.end(7) == .loggedIn(name: "ann"))
    #expect(app.names == ["welcome", "loading"])
  }

  @Test("An operation with a wrong password ends with the failure")
  func operationFails() throws {
    app.begin(.logIn(name: "ann", password: nil), 7)
    app.answerLogin(1, name: "ann", token: 7, .invalidCredentials)
    #expect(app.end(7) == .failed(.invalidCredentials))
    #expect(app.message == "The name or the password is wrong.")
  }

  @Test("An operation with a blank name is refused immediately")
  func blankName() throws {
    app.begin(.logIn(name: "  ", password: nil), 7)
    let problem = FieldProblem(field: "name", message: "A name must not be blank.")
    #expect(app.end(7) == .failed(.validation([problem])))
    #expect(app.running == [])
  }

  @Test("The same message about another attempt has another number")
  func saidAgain() {
    for number in 1...2 {
      app.begin(.logIn(name: "", password: nil), UInt64(number))
      #expect(app.front.message == ScreenMessage(.error, "A name must not be blank.", id: number))
    }
  }

  @Test("A login during another one is refused as busy, and the first continues")
  func busy() throws {
    app.begin(.logIn(name: "ann", password: nil), 7)
    app.begin(.logIn(name: "bob", password: nil), 8)
    #expect(app.end(8) == .failed(TodoError(.busy, "A login is in progress.")))
    #expect(app.end(7) == nil)
    app.answerLogin(1, name: "ann", token: 7)
    #expect(app.end(7) == .loggedIn(name: "ann"))
  }

  @Test("A cancelled login stops, and the form can be used again")
  func cancelled() throws {
    app.begin(.logIn(name: "ann", password: nil), 7)
    app.cancel(8)
    #expect(app.running == ["LoginWorker"])
    app.cancel(7)
    #expect(app.running == [])
    #expect(app.message == nil)
    #expect(app.end(7) == nil)
  }

  @Test("Typed text keeps its bytes")
  func spelling() throws {
    try app.change(["name": "\u{E9}"])
    try app.change(["name": "e\u{301}"])
    #expect(try app.field("name").value?.unicodeScalars.count == 2)
  }

  @Test("The worker asks the account service", arguments: [nil, TodoError.invalidCredentials])
  func worker(failure: TodoError?) async {
    func worker(_ number: Int, _ name: String) -> WelcomeWorkflow.LoginWorker {
      WelcomeWorkflow.LoginWorker(
        attempt: WelcomeWorkflow.LoginAttempt(number: number, name: name),
        accounts: FakeAccountService(failure: failure))
    }
    await worker(1, "ann").tester()
      .assertEquivalent(to: worker(1, "bob"))
      .assertNotEquivalent(to: worker(2, "ann"))
      .run { answers in
        #expect(answers.count == 1)
        guard case .loginEnded(let attempt, let answer) = answers.first else {
          Testing.Issue.record("not the end of a login")
          return
        }
        #expect(attempt.name == "ann")
        #expect(answer == failure)
      }
  }
}
