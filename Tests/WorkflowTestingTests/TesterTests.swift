import Testing
import WorkflowRuntime
import WorkflowTesting

/// Tests correct uses of the testers, for which they must report no failure.
@Suite struct TesterTests {
  private let busy = Login.State(name: "Ada", isBusy: true)

  @Test func renderHandsOverTheRendering() {
    Login().renderTester()
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "field") { child in
        #expect(child.name == "")
      }
      .expectSideEffect(key: "track")
      .render { screen in #expect(screen.title == "field") }
      .assertNoAction()
      .assertNoOutput()
      .assert(state: Login.State())
  }

  @Test func sinkOfTheRenderingLeadsToStateAndOutput() {
    let result = Login().renderTester(initialState: busy)
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
      .expectWorker(LogIn(name: "Ada"))
      .expectWorker(Ticks())
      .expectSideEffect(key: "track")
      .render { screen in screen.sink.send(.answered(true)) }
    result
      .assert(action: Login.Action.answered(true))
      .verifyAction { (action: Login.Action) in #expect(action == .answered(true)) }
      .assert(output: .loggedIn("Ada"))
      .verifyOutput { #expect($0 == .loggedIn("Ada")) }
      .assertStateModifications { $0.isBusy = false }
      .verifyState { #expect($0.isBusy == false) }
  }

  @Test func childOutputBecomesAction() {
    Login().renderTester()
      .expectWorkflow(
        type: NameField.self, key: "name", producingRendering: "", producingOutput: "Bob"
      )
      .expectSideEffect(key: "track")
      .render()
      .assert(action: Login.Action.rename("Bob"))
      .assert(state: Login.State(name: "Bob"))
  }

  @Test func workerAnswersBecomeActions() {
    let result = Login().renderTester(initialState: busy)
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
      .expectWorker(LogIn(name: "Ada"), producingOutput: true)
      .expectWorker(Ticks(), producingOutputs: [1, 2])
      .expectSideEffect(key: "track")
      .render()
    #expect(result.outputs == [.loggedIn("Ada")])
    #expect(result.actions as? [Login.Action] == [.answered(true), .tick, .tick])
    #expect(result.state.ticks == 2)
  }

  @Test func sideEffectSendsAnAction() {
    Login().renderTester()
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
      .expectSideEffect(key: "track", producingAction: Login.Action.cancel)
      .render()
      .assert(action: Login.Action.cancel)
      .assert(output: .cancelled)
  }

  @Test func actionsReadTheWorkflowsValues() {
    Login(prefix: "Dr. ").renderTester(initialState: .init(name: "Ada"))
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
      .expectSideEffect(key: "track")
      .render { $0.prefixed.send(.init()) }
      .assert(state: .init(name: "Dr. Ada"))
  }

  @Test func renderThrowsWhatItsClosureThrows() {
    struct Broken: Error {}
    #expect(throws: Broken.self) {
      try Login().renderTester()
        .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
        .expectSideEffect(key: "track")
        .render { _ in throw Broken() }
    }
  }

  @Test func childWithoutRenderingAndWithoutOutput() {
    struct Watch: Workflow {
      func render(state: Void, context: RenderContext<Watch>) {}
    }
    struct Parent: Workflow {
      func render(state: Void, context: RenderContext<Parent>) -> String {
        Watch().running(with: context)
        return NameField(name: "x").ignoringOutput().rendered(with: context)
      }
    }
    Parent().renderTester()
      .expectWorkflow(type: Watch.self)
      .expectWorkflow(type: NameField.self, producingRendering: "y", producingOutput: "ignored")
      .render { #expect($0 == "y") }
      .assertNoAction()
  }

  @Test func actionTesterChains() {
    Login.Action.tester(withState: Login.State())
      .send(action: .rename("Ada"))
      .assert(state: Login.State(name: "Ada"))
      .assertNoOutput()
      .send(action: .submit)
      .verifyState { #expect($0.isBusy) }
      .send(action: .answered(true))
      .assert(output: .loggedIn("Ada"))
      .verifyOutput { #expect($0 == .loggedIn("Ada")) }
  }

  @Test func actionTesterGivesTheWorkflow() {
    Login.Prefixed.tester(withState: Login.State(name: "Ada"), workflow: Login(prefix: "Dr. "))
      .send(action: .init())
      .assert(state: Login.State(name: "Dr. Ada"))
  }

  @Test func workerTesterRunsAndCompares() async {
    await LogIn(name: "Ada").tester()
      .assertEquivalent(to: LogIn(name: "Ada"))
      .assertNotEquivalent(to: LogIn(name: "Bob"))
      .run { #expect($0 == [true]) }
    await Ticks().tester().run { #expect($0 == [1, 2]) }
  }

  @Test func testHostTakesWorkerEffectsAndDeliversOutputs() {
    let test = WorkflowTestHost(workflow: Login())
    #expect(test.running == [])
    test.host.rendering.sink.send(.submit)
    #expect(test.running == ["LogIn", "Ticks"])
    test.deliver(1, from: Ticks.self)
    test.deliver(true, from: LogIn.self)
    #expect(test.host.drainOutputs() == [.loggedIn("")])
    #expect(test.drainLog() == ["start LogIn #1", "start Ticks #2", "stop Ticks #2"])
  }

  @Test func childOfAnErasedTypeIsExpectedByTheTypeInside() {
    struct Parent: Workflow {
      func render(state: Void, context: RenderContext<Parent>) -> Int {
        NameField(name: "x").mapRendering(\.count).asAnyWorkflow().ignoringOutput()
          .rendered(with: context)
      }
    }
    Parent().renderTester()
      .expectWorkflow(type: NameField.self, producingRendering: "four")
      .render { #expect($0 == 4) }
  }

  @Test func verificationsThrowWhatTheirClosuresThrow() {
    struct Broken: Error {}
    let tester = Login.Action.tester(withState: Login.State()).send(action: .cancel)
    #expect(throws: Broken.self) { try tester.verifyState { _ in throw Broken() } }
    #expect(throws: Broken.self) { try tester.verifyOutput { _ in throw Broken() } }
    let result = Login().renderTester()
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
      .expectSideEffect(key: "track")
      .render { $0.sink.send(.cancel) }
    #expect(throws: Broken.self) { try result.verifyState { _ in throw Broken() } }
    #expect(throws: Broken.self) { try result.verifyOutput { _ in throw Broken() } }
    #expect(throws: Broken.self) {
      try result.verifyAction { (_: Login.Action) in throw Broken() }
    }
  }

  @Test func testHostDeliversLateAnswersAndEndsOfStreams() {
    let test = WorkflowTestHost(workflow: Login())
    test.host.rendering.sink.send(.submit)
    test.finish(Ticks.self)
    #expect(test.running == ["LogIn"])
    test.host.rendering.sink.send(.answered(false))
    test.deliver(true, fromWorkerNumber: 1)
    #expect(test.host.drainOutputs() == [])
    #expect(test.running == [])
  }

  @Test func testHostBeginsWithSavedStates() {
    struct Note: StateSavingWorkflow {
      func makeInitialState() -> String { "new" }
      func render(state: String, context: RenderContext<Note>) -> String { state }
      func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }
      func restoredState(from bytes: [UInt8]) -> String? {
        String(validating: bytes, as: UTF8.self)
      }
    }
    var snapshot = WorkflowHost(workflow: Note()).snapshot()
    snapshot.nodes[0].state = Array("saved".utf8)
    let test = WorkflowTestHost(workflow: Note(), restoring: snapshot)
    #expect(test.host.rendering == "saved")
  }
}
