import Testing
import WorkflowRuntime

/// Tests type-erased workflows and actions, maps, and derived sinks.
@Suite struct ErasureTests {
  struct Title: Workflow {
    let title: String
    func render(state: Void, context: RenderContext<Title>) -> String { title }
  }

  @Test func erasedWorkflowRendersLikeTheWrappedOne() {
    let erased = AnyWorkflow(Title(title: "a"))
    #expect(WorkflowHost(workflow: erased).rendering == "a")
    #expect(erased.workflowType is Title.Type)
    #expect((erased.base as? Title)?.title == "a")
  }

  @Test func erasingTwiceDoesNotNest() {
    let twice = AnyWorkflow(AnyWorkflow(Title(title: "a")))
    #expect(twice.workflowType is Title.Type)
  }

  @Test func erasedChildHasNoNodeOfItsOwn() {
    let host = WorkflowHost(
      workflow: Made<Void, String>(initial: ()) { _, context in
        Title(title: "a").asAnyWorkflow().rendered(with: context)
      })
    #expect(host.debugSnapshot().nodes.map(\.workflowName).last == "Title")
    #expect(host.debugSnapshot().nodes.count == 2)
  }

  @Test func erasedRootSendsItsOutputs() {
    let host = WorkflowHost(workflow: Counter().asAnyWorkflow())
    host.rendering.sink.send(.tapAndReport)
    #expect(host.drainOutputs() == [1])
    #expect(host.rendering.count == 1)
  }

  @Test func mapsRenderingAndOutput() {
    let mapped = Counter().mapRendering { ("\($0.count)", $0.sink) }.mapOutput { "told \($0)" }
    let host = WorkflowHost(workflow: mapped.asAnyWorkflow())
    #expect(host.rendering.0 == "0")
    host.rendering.1.send(.tapAndReport)
    #expect(host.rendering.0 == "1")
    #expect(host.drainOutputs() == ["told 1"])
  }

  @Test func mappedChildIsIdentifiedByTheWrappedWorkflow() {
    var isMapped: StateMutationSink<Made<Bool, Counter.Rendering>>?
    let host = WorkflowHost(
      workflow: Made<Bool, Counter.Rendering>(initial: false) { state, context in
        isMapped = context.makeStateMutationSink()
        return state
          ? Counter().mapRendering { $0 }.asAnyWorkflow().ignoringOutput().rendered(with: context)
          : Counter().ignoringOutput().rendered(with: context)
      })
    host.rendering.sink.send(.tap)
    isMapped?.send { $0 = true }
    #expect(host.rendering.count == 1)
  }

  @Test func mapNeverToAnyOutput() {
    let workflows = [
      Title(title: "a").mapOutput(to: Int.self).asAnyWorkflow(),
      Counter().mapRendering { "\($0.count)" }.asAnyWorkflow(),
    ]
    let host = WorkflowHost(
      workflow: Made<Void, [String]>(initial: ()) { _, context in
        workflows.map { $0.ignoringOutput().rendered(with: context) }
      })
    #expect(host.rendering == ["a", "0"])
  }

  @Test func onOutputChangesTheParentsState() {
    struct Parent: Workflow {
      typealias Output = String
      func makeInitialState() -> Int { 0 }
      func render(state: Int, context: RenderContext<Parent>) -> (Int, Counter.Rendering) {
        let child = Counter()
          .onOutput { state, output in
            state += output * 10
            return "got \(output)"
          }
          .rendered(with: context)
        return (state, child)
      }
    }
    let host = WorkflowHost(workflow: Parent())
    host.rendering.1.sink.send(.tapAndReport)
    #expect(host.rendering.0 == 10)
    #expect(host.drainOutputs() == ["got 1"])
  }

  @Test func outputMapAtTheRenderedCall() {
    let host = WorkflowHost(
      workflow: Made<Int, Counter.Rendering>(initial: 0) { _, context in
        Counter().rendered(with: context) { AnyWorkflowAction(sendingOutput: "told \($0)") }
      })
    host.rendering.sink.send(.report)
    #expect(host.drainOutputs() == ["told 0"])
  }

  @Test func ignoredOutputStillChangesTheChild() {
    let host = WorkflowHost(
      workflow: Made<Int, Counter.Rendering>(initial: 0) { _, context in
        Counter().ignoringOutput().rendered(with: context)
      })
    host.rendering.sink.send(.tapAndReport)
    #expect(host.rendering.count == 1)
    #expect(host.drainOutputs() == [])
  }

  @Test func erasedActionKeepsItsBase() {
    let erased = AnyWorkflowAction(Counter.Action.tap)
    #expect(erased.base as? Counter.Action == .tap)
    #expect(!erased.isClosureBased)
    #expect(AnyWorkflowAction(erased).base as? Counter.Action == .tap)
    var state = 0
    _ = erased.apply(toState: &state)
    #expect(state == 1)
  }

  @Test func closureActionHasItsSourceLocation() {
    let line: UInt = #line + 1
    let action = AnyWorkflowAction<Counter> { state in
      state = 5
      return 6
    }
    #expect(action.isClosureBased)
    #expect(action.origin?.line == line)
    #expect(action.origin?.fileID == #fileID)
    var state = 0
    #expect(action.apply(toState: &state) == 6)
    #expect(state == 5)
    #expect(AnyWorkflowAction<Counter>.noAction.apply(toState: &state) == nil)
    #expect(AnyWorkflowAction<Counter>(sendingOutput: 3).apply(toState: &state) == 3)
  }

  @Test func contextualActionReadsTheCurrentWorkflow() {
    struct Stepper: Workflow {
      let step: Int
      struct Add: ContextualAction {
        typealias WorkflowType = Stepper
        func apply(toState state: inout Int, workflow: Stepper) -> Never? {
          state += workflow.step
          return nil
        }
      }
      func makeInitialState() -> Int { 0 }
      func render(state: Int, context: RenderContext<Stepper>) -> (Int, Sink<Add>) {
        (state, context.makeSink())
      }
    }
    let host = WorkflowHost(workflow: Stepper(step: 1))
    let sink = host.rendering.1
    sink.send(.init())
    host.update(workflow: Stepper(step: 10))
    sink.send(.init())
    #expect(host.rendering.0 == 11)
    let context = ApplyContext(workflow: Stepper(step: 3))
    #expect(context[workflowValue: \.step] == 3)
  }

  @Test func closureActionReadsTheCurrentWorkflow() {
    let action = AnyWorkflowAction<Title>(reading: { _, workflow in
      #expect(workflow.title == "now")
      return nil
    })
    var state: Void = ()
    _ = action.apply(toState: &state, context: ApplyContext(workflow: Title(title: "now")))
  }

  @Test func sinksOfSinks() {
    var got: [String] = []
    let sink = Sink<String> { got.append($0) }
    let numbers = sink.contraMap { (number: Int) in "\(number)" }
    numbers.send(1)
    sink.send("a")
    #expect(got == ["1", "a"])
    #expect(numbers == numbers)
  }

  @Test func closureActionsOfOneSinkTypeDoNotOverrideEachOther() {
    typealias Numbers = Made<[Int], Int>
    var sinks: [Sink<AnyWorkflowAction<Numbers>>] = []
    let host = WorkflowHost(
      workflow: Numbers(initial: []) { state, context in
        sinks = [context.makeSink(), context.makeSink()]
        return state.reduce(0) { $0 * 10 + $1 }
      })
    for (number, sink) in sinks.enumerated() {
      sink.send(
        AnyWorkflowAction { state in
          state.append(number + 1)
          return nil
        })
    }
    #expect(host.rendering == 12)
  }

  @Test func eventSinkAppliesEachEvent() {
    let host = WorkflowHost(
      workflow: Made<Int, (Int, Sink<String>)>(initial: 0) { state, context in
        let sink = context.makeSink(of: String.self) { state, event in
          state += event.count
          return event
        }
        return (state, sink)
      })
    host.rendering.1.send("abc")
    #expect(host.rendering.0 == 3)
    #expect(host.drainOutputs() == ["abc"])
  }

  @Test func stateMutationSinkSetsAValue() {
    struct Form: Workflow {
      struct State: Equatable { var name = "" }
      func makeInitialState() -> State { State() }
      func render(
        state: State, context: RenderContext<Form>
      ) -> (String, StateMutationSink<Form>) { (state.name, context.makeStateMutationSink()) }
    }
    let host = WorkflowHost(workflow: Form())
    host.rendering.1.send(\.name, value: "Ada")
    #expect(host.rendering.0 == "Ada")
    host.rendering.1.send { $0.name += "!" }
    #expect(host.rendering.0 == "Ada!")
  }

  @Test func outputSink() {
    let host = WorkflowHost(
      workflow: Made<Int, Sink<String>>(initial: 0) { _, context in context.makeOutputSink() })
    host.rendering.send("out")
    #expect(host.drainOutputs() == ["out"])
  }
}
