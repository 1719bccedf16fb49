import ScreenModel
import Testing
import TodoModel
import WorkflowRuntime
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of the session")
struct SessionRenderTests {
  private let services = TodoServices.faked()

  @Test("Welcome runs no worker, and its screen sends the fields")
  func welcome() {
    WelcomeWorkflow(services: services).renderTester()
      .render { rendering in
        #expect(rendering.items.map { $0.describe().name } == ["welcome"])
        rendering.items[0].change(["name": "ann"], base: nil)
      }
      .assertNoOutput()
      .assertStateModifications { $0.name = "ann" }
  }

  @Test("Welcome runs the worker of a login, and handles its result")
  func login() {
    let attempt = WelcomeWorkflow.LoginAttempt(number: 1, name: "ann", token: Sample.token)
    var state = WelcomeWorkflow.State()
    (state.login, state.attempt, state.attemptCount) = (.request, attempt, 1)
    WelcomeWorkflow(services: services).renderTester(initialState: state)
      .expectWorker(
        WelcomeWorkflow.LoginWorker(attempt: attempt, accounts: services.accounts),
        producingOutput: .loginEnded(attempt, nil)
      )
      .render { #expect($0.items[0].describe().message?.text == "Logging in…") }
      .verifyOutput { output in
        guard case .loggedIn("ann", Sample.token) = output else { return mismatch(output) }
      }
  }

  @Test("Welcome shows the register screen on top, and closes it on its output")
  func register() {
    var state = WelcomeWorkflow.State()
    state.register = .open(nil)
    WelcomeWorkflow(services: services).renderTester(initialState: state)
      .expectWorkflow(
        type: RegisterWorkflow.self, producingRendering: .sample,
        producingOutput: .back(abandoned: nil),
        assertions: { child in
          #expect(child.submission == nil)
          #expect(!child.isLoggingIn)
        }
      )
      .render { #expect($0.items.map { $0.describe().name } == ["welcome", "register"]) }
      .assertNoOutput()
      .assertStateModifications { $0.register = .closed }
  }

  @Test("Requests during a registration are refused immediately, and nothing changes")
  func busy() {
    let busy = TodoOutcome.failed(TodoError(.busy, "A registration is in progress."))
    let operations: [TodoOperation] = [
      .logIn(name: "bob", password: nil),
      .register(username: "username", password: Secret("password")),
    ]
    var state = WelcomeWorkflow.State()
    state.register = .open(nil)
    for operation in operations {
      WelcomeWorkflow(services: services).renderTester(initialState: state)
        .expectWorkflow(type: RegisterWorkflow.self, producingRendering: .registering)
        .render { #expect($0.operations.begin(operation, Sample.token) == busy) }
        .assertNoAction()
        .assertNoOutput()
    }
  }

  @Test("Without a login, only a login or a registration is possible")
  func notLoggedIn() {
    let operations: [TodoOperation] = [
      .logOut, .load(refresh: true), .list(.page(TodoQuery())), .invalid(Sample.error),
    ]
    for operation in operations {
      WelcomeWorkflow(services: services).renderTester()
        .render { rendering in
          #expect(rendering.operations.begin(operation, Sample.token) == .failed(.notLoggedIn))
        }
        .assertNoAction()
    }
  }

  @Test("Register runs the worker of a registration, and handles its result")
  func registerWorker() {
    let attempt = RegisterWorkflow.Attempt(
      number: 1, username: "username", password: Secret("password"), token: Sample.token)
    var state = RegisterWorkflow.State()
    (state.registration, state.attempt) = (.request, attempt)
    RegisterWorkflow(service: services.register, credentials: services.credentials)
      .renderTester(initialState: state)
      .expectWorker(
        RegisterWorkflow.RegisterWorker(
          attempt: attempt, service: services.register, credentials: services.credentials),
        producingOutput: .ended(attempt, Sample.error)
      )
      .render { screen in
        #expect(screen.isRegistering)
        guard case .form(let form) = screen.describe().body else { return mismatch(screen) }
        #expect(form.fields.allSatisfy { $0.error == nil }, "no error while it is in progress")
      }
      .verifyOutput { output in
        guard case .failed(Sample.token, Sample.error) = output else { return mismatch(output) }
      }
      .assertStateModifications { $0.registration = .error(Sample.error) }
  }

  @Test("Register's screen sends its actions")
  func registerScreen() {
    RegisterWorkflow(service: services.register, credentials: services.credentials)
      .renderTester()
      .render { $0.act(ActionCall(action: "back")) }
      .verifyOutput { output in
        guard case .back(abandoned: nil) = output else { return mismatch(output) }
      }
  }

  @Test("The root shows welcome, or the user's todos on top of it")
  func root() {
    let welcome = WelcomeWorkflow.Rendering(
      items: [RegisterScreen.sample], operations: .answering(.failed(.notLoggedIn)))
    RootWorkflow(services: services).renderTester()
      .expectWorkflow(
        type: WelcomeWorkflow.self, producingRendering: welcome,
        producingOutput: .loggedIn(name: "ann", nil)
      )
      .render { rendering in
        #expect(rendering.operations.begin(.lists, Sample.token) == .failed(.notLoggedIn))
      }
      .assert(state: .todo(name: "ann", today: .sample))
    let todo = TodoWorkflow.Rendering.sample([FailureScreen.sample], .answering(.loggedOut))
    RootWorkflow(services: services).renderTester(initialState: .todo(name: "ann", today: .sample))
      .expectWorkflow(type: WelcomeWorkflow.self, producingRendering: welcome)
      .expectWorkflow(
        type: AgendaWorkflow.self, producingRendering: todo, producingOutput: .loggedOut([]),
        assertions: { #expect($0.directory.name == "ann" && $0.today == .sample) }
      )
      .expectWorker(DayWorker(days: services.days, today: .sample))
      .render { rendering in
        #expect(rendering.backStack.describe().map(\.name) == ["register", "failure"])
        #expect(rendering.operations.begin(.lists, Sample.token) == .loggedOut)
      }
      .assert(state: .welcome)
  }

  @Test("In a back stack, only the front screen offers its actions")
  func backStack() {
    let screens = BackStackScreen(items: [FailureScreen.sample, FailureScreen.sample]).describe()
    var covered = FailureScreen.sample.describe()
    covered.moveToBackground()
    #expect(screens[0] == covered)
    #expect(screens[1] == FailureScreen.sample.describe())
    #expect(BackStackScreen(items: []).describe() == [])
  }

  @Test("A list directly below a form without unsaved text offers its actions, too")
  func coveredList() {
    let list = TodoListScreen.sample
    var edit = TodoEditScreen.sample
    func isOffered(_ items: [any DescribableScreen]) -> Bool {
      let screens = BackStackScreen(items: items).describe()
      return screens.dropLast().allSatisfy { $0.actions.allSatisfy(\.isEnabled) }
    }
    #expect(isOffered([list, edit]))
    #expect(isOffered([list, FailureScreen.sample]))
    edit.form.apply(FieldChanges(texts: ["title": "typed"]), basedOn: nil)
    #expect(!isOffered([list, edit]), "there is unsaved text")
    edit = .sample
    edit.isSaving = true
    #expect(!isOffered([list, edit]), "there is text on its way")
    #expect(!isOffered([list, ConflictScreen.sample]), "mine is nowhere else")
    #expect(!isOffered([list, LoadingScreen.sample]))
    #expect(!isOffered([list, FailureScreen.sample, FailureScreen.sample]))
    #expect(!isOffered([WelcomeScreen.sample, RegisterScreen.sample]))
  }
}
