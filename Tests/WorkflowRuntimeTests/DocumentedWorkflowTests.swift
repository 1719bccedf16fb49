import Testing
import WorkflowRuntime

/// Compiles and runs the examples about describing a workflow.
@Suite struct DocumentedWorkflowTests {
  struct Counter: Workflow {
    struct Rendering {
      var count: Int
      var onTap: () -> Void
    }
    enum Action: WorkflowAction {
      case tap
      typealias WorkflowType = Counter
      func apply(toState state: inout Int) -> Never? {
        state += 1
        return nil
      }
    }
    func makeInitialState() -> Int { 0 }
    func render(state: Int, context: RenderContext<Counter>) -> Rendering {
      let sink = context.makeSink(of: Action.self)
      return Rendering(count: state, onTap: { sink.send(.tap) })
    }
  }

  struct Login: Workflow {
    struct State: Equatable { var name = "" }
    enum Output: Equatable { case loggedIn(name: String) }
    enum Action: WorkflowAction {
      typealias WorkflowType = Login
      case nameChanged(String)
      case submit

      func apply(toState state: inout Login.State) -> Login.Output? {
        switch self {
        case .nameChanged(let name):
          state.name = name
          return nil
        case .submit:
          return .loggedIn(name: state.name)
        }
      }
    }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Login>) -> (names: Sink<String>, Sink<Action>)
    {
      let sink = context.makeSink(of: Action.self)
      let names = sink.contraMap { (name: String) in Action.nameChanged(name) }
      names.send("Ada")
      return (names, sink)
    }
  }

  struct Stepper: Workflow {
    let step: Int
    struct AddStep: ContextualAction {
      typealias WorkflowType = Stepper
      func apply(toState state: inout Int, workflow: Stepper) -> Never? {
        state += workflow.step
        return nil
      }
    }
    func makeInitialState() -> Int { 0 }
    func workflowDidChange(from previousWorkflow: Stepper, state: inout Int) {
      if step != previousWorkflow.step { state = 0 }
    }
    func render(state: Int, context: RenderContext<Stepper>) -> (count: Int, sink: Sink<AddStep>) {
      (state, context.makeSink())
    }
  }

  struct Page: Workflow {
    struct State: Equatable {
      var text = "old"
      var pressed: [Character] = []
    }
    enum Output: Equatable { case back }
    struct Field {
      var text: String
      var onChange: (String) -> Void
    }
    struct Screen { var onBack: () -> Void }
    typealias Key = Character

    func makeInitialState() -> State { State() }

    func render(
      state: State, context: RenderContext<Page>
    ) -> (field: Field, screen: Screen, keys: Sink<Key>, clear: () -> Void) {
      let keys = context.makeSink(of: Key.self) { state, key in
        state.pressed.append(key)
        return nil
      }
      return (field(state, context), screen(context), keys, clear(context))
    }

    private func field(_ state: State, _ context: RenderContext<Page>) -> Field {
      let sink = context.makeStateMutationSink()
      return Field(text: state.text, onChange: { sink.send(\.text, value: $0) })
    }

    private func screen(_ context: RenderContext<Page>) -> Screen {
      let output = context.makeOutputSink()
      return Screen(onBack: { output.send(.back) })
    }

    private func clear(_ context: RenderContext<Page>) -> () -> Void {
      let sink = context.makeStateMutationSink()
      return {
        sink.send { $0.text.removeAll() }
      }
    }
  }

  @Test func counter() {
    let host = WorkflowHost(workflow: Counter())
    host.rendering.onTap()
    print(host.rendering.count)  // 1
    #expect(host.rendering.count == 1)
  }

  @Test func sinks() {
    let host = WorkflowHost(workflow: Login())
    host.rendering.1.send(.submit)
    #expect(host.drainOutputs() == [.loggedIn(name: "Ada")])
    var got: [String] = []
    do {
      func print(_ text: String) { got.append(text) }
      let printed = Sink<String> { print($0) }
      printed.send("a")
    }
    #expect(got == ["a"])
  }

  @Test func sinksOfAPage() {
    let host = WorkflowHost(workflow: Page())
    host.rendering.keys.send("a")
    host.rendering.field.onChange("new")
    #expect(host.rendering.field.text == "new")
    host.rendering.clear()
    #expect(host.rendering.field.text == "")
    host.rendering.screen.onBack()
    #expect(host.drainOutputs() == [.back])
  }

  @Test func actionsThatReadAValue() {
    let host = WorkflowHost(workflow: Stepper(step: 3))
    host.rendering.sink.send(.init())
    #expect(host.rendering.count == 3)
    host.update(workflow: Stepper(step: 10))
    #expect(host.rendering.count == 0)
    let context = ApplyContext(workflow: Stepper(step: 3))
    let step = context[workflowValue: \.step]  // 3
    #expect(step == 3)
  }

  @Test func actionsMadeOfClosures() {
    let reset = AnyWorkflowAction<Stepper> { state in
      state = 0
      return nil
    }
    let add = AnyWorkflowAction<Stepper>(reading: { state, workflow in
      state += workflow.step
      return nil
    })
    let back = AnyWorkflowAction<Page>(sendingOutput: .back)
    var state = 5
    _ = reset.apply(toState: &state)
    #expect(state == 0)
    _ = add.apply(toState: &state, context: ApplyContext(workflow: Stepper(step: 2)))
    #expect(state == 2)
    var page = Page.State()
    #expect(back.apply(toState: &page) == .back)
  }
}
