import Testing
import WorkflowRuntime
import WorkflowTesting

/// Types and keys with the same printed name are distinct, and mismatches are reported.
@Suite struct TesterIdentityTests {
  private enum Left {
    struct Row: Workflow {
      func render(state: Void, context: RenderContext<Row>) -> String { "left" }
    }
    struct Watch: Worker, Equatable {
      func run() async -> Int { 1 }
    }
  }

  private enum Right {
    struct Row: Workflow {
      func render(state: Void, context: RenderContext<Row>) -> String { "right" }
    }
    struct Watch: Worker, Equatable {
      func run() async -> Int { 2 }
    }
  }

  private struct Alike: Workflow {
    func makeInitialState() -> [Int] { [] }
    func render(state: [Int], context: RenderContext<Alike>) -> [String] {
      func answered(_ number: Int) -> AnyWorkflowAction<Alike> {
        AnyWorkflowAction { state in
          state.append(number)
          return nil
        }
      }
      context.awaitResult(for: Left.Watch()) { answered($0) }
      context.awaitResult(for: Right.Watch()) { answered(10 * $0) }
      context.runSideEffect(key: 1) { _ in }
      context.runSideEffect(key: "1") { _ in }
      return [Left.Row().rendered(with: context), Right.Row().rendered(with: context)]
    }
  }

  @Test func typesWithEqualNamesAreDistinct() {
    Alike().renderTester()
      .expectWorker(Right.Watch(), producingOutput: 3)
      .expectWorker(Left.Watch(), producingOutput: 4)
      .expectSideEffect(key: "1")
      .expectSideEffect(key: 1)
      .expectWorkflow(type: Right.Row.self, producingRendering: "r")
      .expectWorkflow(type: Left.Row.self, producingRendering: "l")
      .render { #expect($0 == ["l", "r"]) }
      .assert(state: [4, 30])
  }

  @Test func failureMessagesDistinguishEqualNames() {
    let line = #line + 10
    expectFailures([
      (line, ["Unexpected side effect with key Int \"1\"", "with key String \"1\""]),
      (line, ["Unexpected child", "Right.Row; expected", "Left.Row"]),
    ]) {
      Alike().renderTester()
        .expectWorker(Right.Watch())
        .expectWorker(Left.Watch())
        .expectSideEffect(key: "1")
        .expectWorkflow(type: Left.Row.self, producingRendering: "l")
        .render()
    }
  }

  @Test func testHostDeliversByTypeAndNotByName() {
    let test = WorkflowTestHost(workflow: Alike())
    #expect(test.running == ["Watch", "Watch"])
    test.deliver(5, from: Left.Watch.self)
    test.deliver(6, from: Right.Watch.self)
    #expect(test.host.debugSnapshot().nodes[0].state == "[5, 60]")
    let line = #line + 2
    expectFailures([(line, ["No worker Watch is running", "[]"])]) {
      test.deliver(7, from: Left.Watch.self)
    }
  }

  @Test func workerWithOneAnswerHasEndedWithIt() {
    let test = WorkflowTestHost(workflow: Alike())
    test.deliver(1, fromWorkerNumber: 1)
    #expect(test.running == ["Watch"])
    test.deliver(1, fromWorkerNumber: 1)
    #expect(test.host.debugSnapshot().nodes[0].state == "[1]")
    #expect(test.host.debugSnapshot().nodes[0].workers.count == 1)
  }

  // MARK: Renders with different results

  private final class Clock: Equatable {
    var ticks = 0
    func tick() -> Int {
      ticks += 1
      return ticks
    }
    static func == (left: Clock, right: Clock) -> Bool { left === right }
  }

  private struct Ticking: Workflow {
    let clock: Clock
    func render(state: Void, context: RenderContext<Ticking>) -> Int { clock.tick() }
  }

  private struct Named: Workflow, Equatable {
    let name: String
    func render(state: Void, context: RenderContext<Named>) -> String { name }
  }

  private struct Giving: Workflow {
    let clock: Clock
    func render(state: Void, context: RenderContext<Giving>) -> String {
      Named(name: "\(clock.tick())").rendered(with: context)
    }
  }

  private struct Waiting: Workflow {
    let clock: Clock
    func render(state: Void, context: RenderContext<Waiting>) {
      context.awaitResult(for: LogIn(name: "\(clock.tick())")) { _ in
        AnyWorkflowAction<Waiting>.noAction
      }
    }
  }

  private struct Sinking: Workflow {
    struct Screen: Equatable {
      var reported: Sink<String>
      var edit: StateMutationSink<Sinking>
    }
    typealias Output = String
    func render(state: Void, context: RenderContext<Sinking>) -> Screen {
      Screen(reported: context.makeOutputSink(), edit: context.makeStateMutationSink())
    }
  }

  @Test func renderWithDifferentResultsTheSecondTimeFails() {
    let line = #line + 6
    expectFailures([
      (line, ["Ticking shows something else", "first 1, then 2"]),
      (line + 3, ["Giving asks for another child Named", "\"1\"", "\"2\""]),
      (line + 6, ["Waiting asks for another worker LogIn", "\"1\"", "\"2\""]),
    ]) {
      Ticking(clock: Clock()).renderTester().render()
      Giving(clock: Clock()).renderTester()
        .expectWorkflow(type: Named.self, producingRendering: "")
        .render()
      Waiting(clock: Clock()).renderTester()
        .expectWorker(LogIn(name: "1"))
        .render()
    }
    Sinking().renderTester().render()
  }
}
