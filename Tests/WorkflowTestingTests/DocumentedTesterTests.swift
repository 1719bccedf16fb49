import Testing
import WorkflowRuntime
import WorkflowTesting

/// Compiles and runs the examples in the documentation of the testers.
@Suite struct DocumentedTesterTests {
  struct Stepper: Workflow {
    let step: Int
    func makeInitialState() -> Int { 0 }
    func render(state: Int, context: RenderContext<Stepper>) -> Int { state }
  }

  struct AddStep: ContextualAction {
    typealias WorkflowType = Stepper
    func apply(toState state: inout Int, workflow: Stepper) -> Never? {
      state += workflow.step
      return nil
    }
  }

  struct Login: Workflow {
    struct State: Equatable {
      var name = ""
      var isBusy = false
    }
    enum Output: Equatable { case loggedIn(name: String) }
    enum Action: WorkflowAction {
      case nameChanged(String)
      case answered(Bool)
      typealias WorkflowType = Login
      func apply(toState state: inout State) -> Output? {
        switch self {
        case .nameChanged(let name):
          state.name = name
          return nil
        case .answered(let isRight): return isRight ? .loggedIn(name: state.name) : nil
        }
      }
    }
    struct Screen { var title: String }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Login>) -> Screen {
      if state.isBusy {
        context.awaitResult(for: LogIn(name: state.name)) { Action.answered($0) }
      }
      return Screen(title: "Hello, \(state.name)")
    }
  }

  struct Editor: Workflow {
    let text: String
    typealias Output = String
    func render(state: Void, context: RenderContext<Editor>) -> String { text }
  }

  struct Page: Workflow {
    struct State: Equatable {
      var title = "old"
      var changeCount = 0
    }
    enum Action: WorkflowAction, Equatable {
      case edited(String)
      case changed
      typealias WorkflowType = Page
      func apply(toState state: inout State) -> Never? {
        switch self {
        case .edited(let title): state.title = title
        case .changed: state.changeCount += 1
        }
        return nil
      }
    }
    var isTicking = false
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Page>) -> String {
      guard !isTicking else {
        context.awaitResult(for: Ticks()) { _ in Action.changed }
        return ""
      }
      context.runSideEffect(key: "watch") { _ in }
      return Editor(text: state.title)
        .mapOutput { Action.edited($0) }
        .rendered(with: context, key: "title")
    }
  }

  struct User: Equatable, Sendable { var name: String }
  struct LoadError: Error, Equatable {}

  struct LoadUser: Worker, Equatable {
    let id: Int
    func run() async -> Result<User, LoadError> { .success(User(name: "Ada")) }
  }

  struct Find: Worker, Equatable {
    let query: String
    func run() async -> [String] { [query] }
  }

  struct Search: Workflow {
    struct State: Equatable {
      var query = ""
      var hits: [String] = []
    }
    struct Screen {
      var hits: [String]
      var onQuery: (String) -> Void
    }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Search>) -> Screen {
      let sink = context.makeStateMutationSink()
      if !state.query.isEmpty {
        context.awaitResult(for: Find(query: state.query)) { hits in
          AnyWorkflowAction<Search> { state in
            state.hits = hits
            return nil
          }
        }
      }
      return Screen(hits: state.hits, onQuery: { sink.send(\.query, value: $0) })
    }
  }

  @Test func actionTester() {
    Login.Action.tester(withState: Login.State(name: ""))
      .send(action: .nameChanged("Ada"))
      .assert(state: Login.State(name: "Ada"))
      .assertNoOutput()
    AddStep.tester(withState: 1, workflow: Stepper(step: 3))
      .send(action: AddStep())
      .assert(state: 4)
  }

  @Test func renderTester() {
    Login()
      .renderTester(initialState: Login.State(name: "Ada", isBusy: true))
      .expectWorker(LogIn(name: "Ada"), producingOutput: true)
      .render { screen in #expect(screen.title == "Hello, Ada") }
      .assert(output: .loggedIn(name: "Ada"))
  }

  @Test func expectations() {
    var tester = Page().renderTester().expectSideEffect(key: "watch")
    tester =
      tester.expectWorkflow(
        type: Editor.self, key: "title", producingRendering: "field", producingOutput: "new"
      ) { editor in #expect(editor.text == "old") }
    let result = tester.render { #expect($0 == "field") }
    result.assertStateModifications { $0.title = "new" }
    result.verifyAction { (action: Page.Action) in #expect(action == .edited("new")) }
  }

  @Test func answersOfStreamsAndSideEffects() {
    var tester = Page(isTicking: true).renderTester()
    tester =
      tester.expectWorker(Ticks(), producingOutputs: [1, 2])
    tester.render().assertStateModifications { $0.changeCount = 2 }
    tester = Page().renderTester()
      .expectWorkflow(type: Editor.self, key: "title", producingRendering: "")
    tester =
      tester.expectSideEffect(key: "watch", producingAction: Page.Action.changed)
    tester.render().assertStateModifications { $0.changeCount = 1 }
  }

  @Test func workerTester() async {
    let ada = User(name: "Ada")
    await LoadUser(id: 1).tester()
      .assertEquivalent(to: LoadUser(id: 1))
      .assertNotEquivalent(to: LoadUser(id: 2))
      .run { outputs in #expect(outputs == [.success(ada)]) }
  }

  @Test func testHost() {
    let test = WorkflowTestHost(workflow: Search())
    test.host.rendering.onQuery("swift")
    #expect(test.drainLog() == ["start Find #1"])
    test.deliver(["a", "b"], from: Find.self)
    #expect(test.host.rendering.hits == ["a", "b"])
    test.host.rendering.onQuery("swiftly")
    test.deliver(["late"], fromWorkerNumber: 1)
    #expect(test.host.rendering.hits == ["a", "b"])
  }
}
