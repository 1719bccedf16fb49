import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Registering")
struct RegisterFlowTests {
  private let app: TestApp

  init() throws {
    app = TestApp()
    try app.act("openRegister")
  }

  private func fillIn(_ username: String = "username", _ password: String = "password") throws {
    try app.change(["username": username, "password": password])
  }

  @Test("The form is above the welcome screen, and shows no errors before the first edit")
  func start() throws {
    #expect(app.names == ["welcome", "register"])
    #expect(app.screens[0].actions.allSatisfy { !$0.isEnabled })
    #expect(try app.field("username").error == nil)
    #expect(try app.field("password").error == nil)
    #expect(app.isEnabled("register") == false)
    #expect(app.isEnabled("back") == true)
    #expect(app.front.bar == ScreenBar(left: "back", right: "register"))
  }

  @Test(
    "Register is enabled when both have at least 8 grapheme clusters",
    arguments: [
      ("username", "password", true), ("usernam", "password", false),
      ("username", "passwor", false), ("", "", false), ("        ", "password", false),
      ("username", "        ", true), ("  usernam  ", "password", false),
      ("éééééééé", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", true),
      ("username", "e\u{301}e\u{301}e\u{301}e\u{301}", false),
      (String(repeating: "👨‍👩‍👧‍👦", count: 8), String(repeating: "🇩🇪", count: 8), true),
      (String(repeating: "👨‍👩‍👧‍👦", count: 7), "password", false),
      ("username", String(repeating: "🇩🇪", count: 7), false),
      ("user\nname", "password", false), (String(repeating: "x", count: 257), "password", false),
    ])
  func enabled(username: String, password: String, isEnabled: Bool) throws {
    try fillIn(username, password)
    #expect(app.isEnabled("register") == isEnabled)
  }

  @Test("Each field shows its error after the first edit")
  func fieldErrors() throws {
    try app.change(["username": "ann"])
    #expect(try app.field("username").error == "At least 8 characters.")
    #expect(try app.field("password").error == nil)
    try app.change(["password": "x"])
    #expect(try app.field("password").error == "At least 8 characters.")
    try fillIn()
    #expect(try app.field("username").error == nil)
    #expect(try app.field("password").error == nil)
  }

  @Test("It is not enabled while a registration is in flight")
  func inFlight() throws {
    try fillIn()
    try app.act("register")
    #expect(app.isEnabled("register") == false)
    #expect(app.isEnabled("back") == true)
    #expect(app.message == "Registering…")
    #expect(app.running == ["RegisterWorker"])
    try app.change(["username": "username2"])
    #expect(app.isEnabled("register") == false)
    #expect(app.running == ["RegisterWorker"])
  }

  @Test("Success logs in")
  func success() throws {
    try fillIn()
    try app.act("register")
    app.answerRegister(1, name: "username")
    #expect(app.names == ["welcome", "loading"])
    #expect(app.running == ["LoadWorker"])
  }

  @Test(
    "Every failure ends the request and is shown",
    arguments: [
      TodoError(.registrationFailed, "Dunno."), TodoError(.registrationFailed, "Invalid token"),
      TodoError(.offline, "No connection."), TodoError(.storage, "The disk is full."),
    ])
  func failure(error: TodoError) throws {
    try fillIn()
    try app.act("register")
    app.answerRegister(1, name: "username", error)
    #expect(app.front.message == ScreenMessage(.error, error.message, id: 1))
    #expect(app.isEnabled("register") == true)
    #expect(try app.field("username").value == "username")
    #expect(app.running == [])
    try app.act("register")
    #expect(app.isEnabled("register") == false)
    app.answerRegister(2, name: "username")
    #expect(app.names == ["welcome", "loading"])
  }

  @Test("An error is removed at the next edit")
  func failureForgotten() throws {
    try fillIn()
    try app.act("register")
    app.answerRegister(1, name: "username", TodoError(.offline, "No connection."))
    try app.change(["password": "password2"])
    #expect(app.front.message == nil)
  }

  @Test("Back stops it, and the form is empty the next time")
  func back() throws {
    try fillIn()
    try app.act("register")
    try app.act("back")
    #expect(app.names == ["welcome"])
    #expect(app.running == [])
    #expect(app.isEnabled("openRegister") == true)
    try app.act("openRegister")
    #expect(try app.field("username").value == "")
    #expect(app.isEnabled("register") == false)
    #expect(app.front.message == nil)
  }

  @Test("Typed text keeps its bytes")
  func spelling() throws {
    try app.change(["username": "\u{E9}"])
    try app.change(["username": "e\u{301}"])
    #expect(try app.field("username").value?.unicodeScalars.count == 2)
  }
}

@Suite("Registering by an operation")
struct RegisterOperationTests {
  private let app = TestApp()

  private func register(_ token: UInt64, _ username: String = "username") {
    app.begin(.register(username: username, password: Secret("password")), token)
  }

  @Test("It fills in the form, and is answered")
  func success() throws {
    register(7, " username ")
    #expect(app.names == ["welcome", "register"])
    #expect(try app.field("username").value == " username ")
    #expect(app.running == ["RegisterWorker"])
    app.answerRegister(1, name: "username", token: 7)
    #expect(app.end(7) == .registered(name: "username"))
    #expect(app.names == ["welcome", "loading"])
  }

  @Test("A failure is answered and shown")
  func failure() throws {
    let error = TodoError(.registrationFailed, "Dunno.")
    register(7)
    app.answerRegister(1, name: "username", token: 7, error)
    #expect(app.end(7) == .failed(error))
    #expect(app.message == "Dunno.")
    #expect(app.isEnabled("register") == true)
  }

  @Test("A failed registration can be repeated")
  func again() throws {
    register(7)
    app.answerRegister(1, name: "username", token: 7, TodoError(.offline, "No connection."))
    register(8)
    #expect(app.running == ["RegisterWorker"])
    app.answerRegister(2, name: "username", token: 8)
    #expect(app.end(8) == .registered(name: "username"))
  }

  @Test("A second one is refused as busy, and the first continues")
  func busy() throws {
    register(7)
    register(8, "username2")
    #expect(app.end(8) == .failed(TodoError(.busy, "A registration is in progress.")))
    #expect(try app.field("username").value == "username")
    app.answerRegister(1, name: "username", token: 7)
    #expect(app.end(7) == .registered(name: "username"))
  }

  @Test("Back ends its operation as abandoned")
  func back() throws {
    register(7)
    try app.act("back")
    let error = TodoError(.registrationFailed, "The registration was abandoned.")
    #expect(app.end(7) == .failed(error))
    #expect(app.running == [])
  }

  @Test("Back after its end has no further outcome")
  func backAfterEnd() throws {
    let error = TodoError(.offline, "No connection.")
    register(7)
    app.answerRegister(1, name: "username", token: 7, error)
    try app.act("back")
    #expect(app.end(7) == .failed(error))
    #expect(app.names == ["welcome"])
  }

  @Test("Cancelling stops it and closes its form")
  func cancelled() throws {
    register(7)
    app.cancel(7)
    #expect(app.names == ["welcome"])
    #expect(app.running == [])
    #expect(app.end(7) == nil)
  }

  @Test("A login meanwhile is refused as busy, and the registration continues")
  func loginMeanwhile() throws {
    register(7)
    app.begin(.logIn(name: "ann", password: nil), 8)
    #expect(app.end(8) == .failed(TodoError(.busy, "A registration is in progress.")))
    #expect(app.running == ["RegisterWorker"])
    #expect(app.end(7) == nil)
  }

  @Test("During a login it is refused as busy, and the login continues")
  func duringLogin() throws {
    app.begin(.logIn(name: "ann", password: nil), 8)
    register(7)
    #expect(app.end(7) == .failed(TodoError(.busy, "A login is in progress.")))
    app.answerLogin(1, name: "ann", token: 8)
    #expect(app.end(8) == .loggedIn(name: "ann"))
  }

  @Test("The form does not register during a login")
  func formDuringLogin() throws {
    try app.act("openRegister")
    try app.change(["username": "username", "password": "password"])
    app.begin(.logIn(name: "ann", password: nil), 8)
    #expect(app.isEnabled("register") == false)
    app.answerLogin(1, name: "ann", token: 8, .invalidCredentials)
    #expect(app.names == ["welcome", "register"])
    #expect(app.isEnabled("register") == true)
  }

  @Test("A login that succeeds closes the form")
  func loginClosesForm() throws {
    try app.act("openRegister")
    app.begin(.logIn(name: "ann", password: nil), 8)
    app.answerLogin(1, name: "ann", token: 8)
    #expect(app.names == ["welcome", "loading"])
  }

  @Test("A login after a failed registration does not end that again")
  func loginAfterFailure() throws {
    let error = TodoError(.offline, "No connection.")
    register(7)
    app.answerRegister(1, name: "username", token: 7, error)
    app.begin(.logIn(name: "ann", password: nil), 8)
    app.answerLogin(1, name: "ann", token: 8)
    #expect(app.end(8) == .loggedIn(name: "ann"))
    #expect(app.end(7) == .failed(error))
  }
}
