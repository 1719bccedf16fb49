import Testing
import WorkflowRuntime
import WorkflowTesting

/// Tests of the testers: each failed expectation is reported at its source location, with the
/// expected and the actual values.
@Suite struct TesterFailureTests {
  private func tester(_ state: Login.State = Login.State()) -> RenderTester<Login> {
    Login().renderTester(initialState: state)
      .expectWorkflow(type: NameField.self, key: "name", producingRendering: "")
  }

  @Test func missingSideEffect() {
    let line = #line + 5
    expectFailures([
      (line, ["Expected side effect with key \"other\"", "side effect with key \"track\""])
    ]) {
      tester().expectSideEffect(key: "track")
        .expectSideEffect(key: "other")
        .render()
    }
  }

  @Test func unexpectedSideEffect() {
    let line = #line + 2
    expectFailures([(line, ["Unexpected side effect with key \"track\"", "none is expected"])]) {
      tester().render()
    }
  }

  @Test func wrongChildKeyNamesTheCandidates() {
    let line = #line + 12
    expectFailures([
      (
        line + 2,
        ["Unexpected child NameField with key \"name\"", "child NameField with key \"nam\""]
      ),
      (
        line,
        ["Expected child NameField with key \"nam\"", "child NameField with key \"name\""]
      ),
    ]) {
      Login().renderTester()
        .expectWorkflow(type: NameField.self, key: "nam", producingRendering: "")
        .expectSideEffect(key: "track")
        .render { #expect($0.title == "name: ") }
    }
  }

  @Test func workerMissingUnexpectedAndNotEquivalent() {
    let busy = Login.State(name: "Ada", isBusy: true)
    let line = #line + 6
    expectFailures([
      (line, ["Expected worker LogIn equivalent to", "Bob", "Ada"]),
      (line + 2, ["Unexpected worker Ticks", "worker LogIn"]),
    ]) {
      let tester = tester(busy)
        .expectWorker(LogIn(name: "Bob"))
        .expectSideEffect(key: "track")
      tester.render()
    }
    let missing = #line + 3
    expectFailures([(missing, ["Expected worker LogIn, but", "side effect with key \"track\""])]) {
      tester().expectSideEffect(key: "track")
        .expectWorker(LogIn(name: "Ada"))
        .render()
    }
  }

  @Test func sameChildTwice() {
    struct Twice: Workflow {
      func render(state: Void, context: RenderContext<Twice>) -> String {
        let first = NameField(name: "a").ignoringOutput().rendered(with: context)
        return first + NameField(name: "b").ignoringOutput().rendered(with: context)
      }
    }
    let line = #line + 4
    expectFailures([(line, ["Twice asks for child NameField twice"])]) {
      Twice().renderTester()
        .expectWorkflow(type: NameField.self, producingRendering: "")
        .render()
    }
  }

  @Test func renderThatDependsOnMoreThanItsArguments() {
    final class Coin { var isHead = false }
    struct Fickle: Workflow {
      let coin: Coin
      func render(state: Void, context: RenderContext<Fickle>) -> Int {
        coin.isHead.toggle()
        if coin.isHead { context.runSideEffect(key: "x") { _ in } }
        return 0
      }
    }
    let line = #line + 4
    expectFailures([(line, ["Fickle asks for other things when it is rendered again"])]) {
      Fickle(coin: Coin()).renderTester()
        .expectSideEffect(key: "x")
        .render()
    }
  }

  @Test func actionsAndOutputsThatDiffer() {
    let tester = tester().expectSideEffect(key: "track")
    let one = tester.render { $0.sink.send(.cancel) }
    let none = tester.render()
    let two = tester.render { screen in
      screen.sink.send(.cancel)
      screen.sink.send(.cancel)
    }
    let line = #line + 12
    expectFailures([
      (line, ["Expected action", "submit", "cancel"]),
      (line + 1, ["of type Prefixed", "cancel"]),
      (line + 2, ["Expected no action", "cancel"]),
      (line + 3, ["Expected output", "loggedIn", "cancelled"]),
      (line + 4, ["Expected no output", "cancelled"]),
      (line + 5, ["Expected one action, but none came"]),
      (line + 6, ["Expected one output, but none came"]),
      (line + 7, ["Expected one action, but 2 came"]),
      (line + 8, ["Expected one output, but 2 came"]),
    ]) {
      one.assert(action: Login.Action.submit)
      one.verifyAction { (_: Login.Prefixed) in }
      one.assertNoAction()
      one.assert(output: .loggedIn("x"))
      one.assertNoOutput()
      none.assert(action: Login.Action.submit)
      none.assert(output: .cancelled)
      two.assert(action: Login.Action.cancel)
      two.assert(output: .cancelled)
    }
  }

  @Test func statesThatDiffer() {
    let result = tester().expectSideEffect(key: "track").render { $0.sink.send(.submit) }
    let line = #line + 5
    expectFailures([
      (line, ["Expected state", "isBusy: false", "isBusy: true"]),
      (line + 1, ["Expected state", "Ada"]),
    ]) {
      result.assert(state: Login.State())
      result.assertStateModifications { $0.name = "Ada" }
    }
  }

  @Test func actionTesterReports() {
    let tester = Login.Action.tester(withState: Login.State())
    let line = #line + 9
    expectFailures([
      (line, ["Expected state", "Ada"]),
      (line + 1, ["Expected an output, but none came"]),
      (line + 2, ["Expected an output, but none came"]),
      (line + 3, ["Expected no output", "cancelled"]),
      (line + 4, ["Expected output", "loggedIn", "cancelled"]),
      (line + 5, ["Prefixed reads its workflow's values"]),
    ]) {
      tester.assert(state: Login.State(name: "Ada"))
      tester.assert(output: .cancelled)
      tester.verifyOutput { _ in }
      tester.send(action: .cancel).assertNoOutput()
      tester.send(action: .cancel).assert(output: .loggedIn(""))
      _ = Login.Prefixed.tester(withState: Login.State()).send(action: .init())
    }
  }

  @Test func workerTesterReports() {
    let line = #line + 5
    expectFailures([
      (line, ["Ada", "to be equivalent to", "Bob"]),
      (line + 1, ["not to be equivalent"]),
    ]) {
      LogIn(name: "Ada").tester().assertEquivalent(to: LogIn(name: "Bob"))
      LogIn(name: "Ada").tester().assertNotEquivalent(to: LogIn(name: "Ada"))
    }
  }

  @Test func testHostReports() {
    let test = WorkflowTestHost(workflow: Login())
    let line = #line + 5
    expectFailures([
      (line, ["No worker LogIn is running", "[]"]),
      (line + 1, ["Only 0 workers have started, not 3"]),
    ]) {
      test.deliver(true, from: LogIn.self)
      test.deliver(true, fromWorkerNumber: 3)
    }
  }

  @Test func unexpectedChildWithoutRendering() {
    struct Watch: Workflow {
      func render(state: Void, context: RenderContext<Watch>) {}
    }
    struct Parent: Workflow {
      func render(state: Void, context: RenderContext<Parent>) {
        Watch().running(with: context, key: "w")
      }
    }
    let line = #line + 2
    expectFailures([(line, ["Unexpected child Watch with key \"w\"", "none is expected"])]) {
      Parent().renderTester().render()
    }
  }

  @Test func sideEffectWithAnotherKeyNamesTheCandidates() {
    let line = #line + 10
    expectFailures([
      (
        line + 1,
        ["Unexpected side effect with key \"track\"", "expected: side effect with key \"trace\""]
      ),
      (line, ["Expected side effect with key \"trace\"", "side effect with key \"track\""]),
    ]) {
      let tester = tester()
      tester
        .expectSideEffect(key: "trace")
        .render()
    }
  }

  @Test func sameWorkerAndSameSideEffectTwice() {
    struct Twice: Workflow {
      func render(state: Void, context: RenderContext<Twice>) -> Int {
        for _ in 0..<2 {
          context.awaitResult(for: Ticks()) { _ in AnyWorkflowAction<Twice>.noAction }
          context.runSideEffect(key: "x") { _ in }
        }
        return 0
      }
    }
    let line = #line + 8
    expectFailures([
      (line, ["Twice asks for worker Ticks twice"]),
      (line, ["Twice asks for side effect with key \"x\" twice"]),
    ]) {
      Twice().renderTester()
        .expectWorker(Ticks())
        .expectSideEffect(key: "x")
        .render()
    }
  }

  @Test func unrequestedExpectedChild() {
    struct Alone: Workflow {
      func render(state: Void, context: RenderContext<Alone>) -> Int { 0 }
    }
    let line = #line + 3
    expectFailures([(line, ["Expected child NameField", "nothing was requested"])]) {
      Alone().renderTester()
        .expectWorkflow(type: NameField.self, producingRendering: "")
        .render()
    }
  }
}
