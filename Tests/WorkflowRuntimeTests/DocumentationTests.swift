import Testing
import WorkflowRuntime

/// The examples of the documentation comments, compiled and run.
@Suite struct DocumentationTests {
  struct Tapped: Workflow {
    struct Rendering {
      var count: Int
      var onTap: () -> Void
    }
    enum Action: WorkflowAction {
      case tap
      typealias WorkflowType = Tapped
      func apply(toState state: inout Int) -> Never? {
        state += 1
        return nil
      }
    }
    func makeInitialState() -> Int { 0 }
    func render(state: Int, context: RenderContext<Tapped>) -> Rendering {
      let sink = context.makeSink(of: Action.self)
      return Rendering(count: state, onTap: { sink.send(.tap) })
    }
  }

  struct LogIn: Workflow {
    struct State: Equatable { var name = "" }
    enum Output: Equatable { case loggedIn(name: String) }
    enum Action: WorkflowAction {
      typealias WorkflowType = LogIn
      case nameChanged(String)
      case submit

      func apply(toState state: inout LogIn.State) -> LogIn.Output? {
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
    func render(state: State, context: RenderContext<LogIn>) -> (Sink<String>, Sink<Action>) {
      let sink = context.makeSink(of: Action.self)
      let names = sink.contraMap { (name: String) in Action.nameChanged(name) }
      return (names, sink)
    }
  }

  struct Stepper: Workflow {
    let step: Int
    struct AddStep: WorkflowAction {
      typealias WorkflowType = Stepper
      func apply(toState state: inout Int) -> Never? { nil }
      func apply(toState state: inout Int, context: ApplyContext<Stepper>) -> Never? {
        state += context[workflowValue: \.step]
        return nil
      }
    }
    func makeInitialState() -> Int { 0 }
    func render(state: Int, context: RenderContext<Stepper>) -> (Int, Sink<AddStep>) {
      (state, context.makeSink())
    }
  }

  struct Editor: Workflow {
    let text: String
    enum Output: Equatable {
      case edited(String)
      case back
    }
    struct Screen {
      var onEdit: (String) -> Void
      var onBack: () -> Void
    }
    func render(state: Void, context: RenderContext<Editor>) -> Screen {
      let output = context.makeOutputSink()
      return Screen(onEdit: { output.send(.edited($0)) }, onBack: { output.send(.back) })
    }
  }

  struct Desk: Workflow {
    struct State: Equatable {
      var text = ""
      var pressed: [Character] = []
    }
    func makeInitialState() -> State { State() }
    func render(
      state: State, context: RenderContext<Desk>
    ) -> (text: String, editor: Editor.Screen, keys: Sink<Character>, preview: Editor.Screen) {
      let keys = context.makeSink(of: Character.self) { state, key in
        state.pressed.append(key)
        return nil
      }
      let editor = Editor(text: state.text)
        .onOutput { state, output in
          if case .edited(let text) = output { state.text = text }
          return nil
        }
        .rendered(with: context)
      let preview = Editor(text: "").ignoringOutput().rendered(with: context, key: "preview")
      return (state.text + String(state.pressed), editor, keys, preview)
    }
  }

  struct Draft: StateSavingWorkflow {
    func makeInitialState() -> String { "" }
    func render(
      state: String, context: RenderContext<Draft>
    ) -> (String, StateMutationSink<Draft>) { (state, context.makeStateMutationSink()) }
    func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }
    func restoredState(from bytes: [UInt8]) -> String? {
      String(validating: bytes, as: UTF8.self)
    }
  }

  final class ActionLog: WorkflowObserver {
    var lines: [String] = []
    func workflowDidReceiveAction<Action: WorkflowAction>(
      _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
    ) {
      lines.append("\(session.workflowName)#\(session.id): \(action)")
    }
  }

  @Test func counter() {
    let log = ActionLog()
    let host = WorkflowHost(workflow: Tapped(), observers: [log])
    host.rendering.onTap()
    #expect(host.rendering.count == 1)
    #expect(log.lines == ["Tapped#1: tap"])
  }

  @Test func actionsAndOutputs() {
    let host = WorkflowHost(workflow: LogIn())
    host.batch {
      host.rendering.0.send("Ada")
      host.rendering.1.send(.submit)
    }
    #expect(host.takeOutputs() == [.loggedIn(name: "Ada")])
  }

  @Test func actionThatReadsAValue() {
    let host = WorkflowHost(workflow: Stepper(step: 3))
    host.rendering.1.send(.init())
    #expect(host.rendering.0 == 3)
  }

  @Test func childrenAndEvents() {
    let host = WorkflowHost(workflow: Desk())
    host.rendering.editor.onEdit("a")
    host.rendering.preview.onEdit("b")
    host.rendering.keys.send("!")
    #expect(host.rendering.text == "a!")
  }

  @Test func oneOfSeveralWorkflows() {
    func step(isNew: Bool) -> AnyWorkflow<Never, String> {
      isNew
        ? Draft().mapRendering { $0.0 }.asAnyWorkflow()
        : Tapped().mapRendering { "\($0.count)" }.asAnyWorkflow()
    }
    #expect(WorkflowHost(workflow: step(isNew: true)).rendering == "")
    #expect(WorkflowHost(workflow: step(isNew: false)).rendering == "0")
  }

  @Test func savedStates() {
    let host = WorkflowHost(workflow: Draft())
    host.rendering.1.send { $0 = "text" }
    let saved = host.snapshot()
    let again = WorkflowHost(workflow: Draft(), restoring: saved)
    #expect(again.rendering.0 == "text")
  }

  @Test func edgeByHand() async {
    struct Loading: Workflow {
      func makeInitialState() -> String { "loading" }
      func render(state: String, context: RenderContext<Loading>) -> String {
        let answer = AsyncOperationWorker(id: "query") { "found" }
        context.awaitResult(for: answer) { found in
          AnyWorkflowAction<Loading> { state in
            state = found
            return nil
          }
        }
        return state
      }
    }
    let host = WorkflowHost(workflow: Loading())
    let (mailbox, post) = AsyncStream.makeStream(of: WorkerOutput.self)
    var tasks: [WorkerID: Task<Void, Never>] = [:]
    for effect in host.takeWorkerEffects() {
      switch effect {
      case .start(let task): tasks[task.id] = Task { await task.run { post.yield($0) } }
      case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
      }
    }
    for await output in mailbox {
      host.deliver(output)
      if output.isLast { break }
    }
    #expect(host.rendering == "found")
  }
}
