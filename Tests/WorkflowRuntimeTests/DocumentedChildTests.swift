import Testing
import WorkflowRuntime

/// Compiles and runs the examples about children and side effects.
@Suite struct DocumentedChildTests {
  struct Editor: Workflow {
    let text: String
    typealias Output = String
    struct Rendering {
      var text: String
      var onEdit: (String) -> Void
    }
    func render(state: Void, context: RenderContext<Editor>) -> Rendering {
      let output = context.makeOutputSink()
      return Rendering(text: text, onEdit: { output.send($0) })
    }
  }

  struct Watcher: Workflow {
    let path: String
    typealias Output = String
    func render(state: Void, context: RenderContext<Watcher>) {
      let sink = context.makeOutputSink()
      context.runSideEffect(key: path) { _ in sink.send("\(path) changed") }
    }
  }

  struct Row: Workflow {
    let id: Int
    func render(state: Void, context: RenderContext<Row>) -> String { "row \(id)" }
  }

  struct Welcome: Workflow {
    func render(state: Void, context: RenderContext<Welcome>) -> Screen { .welcome }
  }

  struct Summary: Workflow {
    func render(state: Void, context: RenderContext<Summary>) -> String { "done" }
  }

  enum Screen {
    case welcome
    case summary(String)
    case editor(Editor.Rendering)

    var editor: Editor.Rendering? {
      if case .editor(let editor) = self { editor } else { nil }
    }
  }

  /// A workflow that renders the same children in each of the documented ways.
  struct Parent: Workflow {
    struct State: Equatable {
      var text = ""
      var path = "a"
      var ids = [1, 2]
    }
    enum Action: WorkflowAction {
      case edited(String)
      typealias WorkflowType = Parent
      func apply(toState state: inout State) -> Never? {
        switch self {
        case .edited(let text): state.text = text
        }
        return nil
      }
    }
    enum Way: CaseIterable { case outputMap, mapOutput, onOutput }

    let way: Way

    func makeInitialState() -> State { State() }

    func render(
      state: State, context: RenderContext<Parent>
    ) -> (editor: Editor.Rendering, rows: [String], preview: Editor.Rendering) {
      let rows = state.ids.map { Row(id: $0).rendered(with: context, key: "\($0)") }
      let preview = Editor(text: "").ignoringOutput().rendered(with: context, key: "preview")
      return (editor(state, context), rows, preview)
    }

    private func editor(_ state: State, _ context: RenderContext<Parent>) -> Editor.Rendering {
      switch way {
      case .outputMap:
        let screen = Editor(text: state.text).rendered(with: context) { Action.edited($0) }
        return screen
      case .mapOutput:
        let screen = Editor(text: state.text)
          .mapOutput { Action.edited($0) }
          .rendered(with: context)
        return screen
      case .onOutput:
        let screen = Editor(text: state.text)
          .onOutput { state, text in
            state.text = text
            return nil
          }
          .rendered(with: context)
        return screen
      }
    }
  }

  @Test(arguments: Parent.Way.allCases)
  func outputsBecomeActions(way: Parent.Way) {
    let host = WorkflowHost(workflow: Parent(way: way))
    host.rendering.editor.onEdit("new")
    host.rendering.preview.onEdit("ignored")
    #expect(host.rendering.editor.text == "new")
    #expect(host.rendering.rows == ["row 1", "row 2"])
  }

  @Test func childrenWithoutRendering() {
    struct Ignoring: Workflow {
      func makeInitialState() -> Parent.State { Parent.State() }
      func render(state: Parent.State, context: RenderContext<Ignoring>) {
        Watcher(path: state.path).ignoringOutput().running(with: context)
      }
    }
    struct Listening: Workflow {
      enum Action: WorkflowAction {
        case changed(String)
        typealias WorkflowType = Listening
        func apply(toState state: inout Parent.State) -> String? {
          switch self {
          case .changed(let text): text
          }
        }
      }
      typealias Output = String
      func makeInitialState() -> Parent.State { Parent.State() }
      func render(state: Parent.State, context: RenderContext<Listening>) {
        Watcher(path: state.path).mapOutput { Action.changed($0) }.running(with: context)
      }
    }
    let host = WorkflowHost(workflow: Listening())
    #expect(host.drainOutputs() == ["a changed"])
    #expect(WorkflowHost(workflow: Ignoring()).debugSnapshot().nodes.count == 2)
  }

  @Test(arguments: [true, false])
  func oneOfSeveralWorkflows(isNew: Bool) {
    let step: AnyWorkflow<Never, Screen> =
      isNew ? Welcome().asAnyWorkflow() : Summary().mapRendering(Screen.summary).asAnyWorkflow()
    if case .welcome = WorkflowHost(workflow: step).rendering {
      #expect(isNew)
    } else {
      #expect(!isNew)
    }
  }

  @Test func mappedWorkflows() {
    typealias Action = Parent.Action
    let saving = Editor(text: "").mapOutput { Action.edited($0) }
    let asScreen = Editor(text: "").mapRendering { Screen.editor($0) }
    let pages = [
      Welcome().mapOutput(to: String.self).asAnyWorkflow(),
      Editor(text: "").mapRendering { Screen.editor($0) }.asAnyWorkflow(),
    ]
    #expect(saving.baseWorkflow is Editor)
    #expect(WorkflowHost(workflow: asScreen.asAnyWorkflow()).rendering.editor?.text == "")
    #expect(pages.map { "\($0.workflowType)" } == ["Welcome", "Editor"])
  }

  /// A source of callbacks that continue until it is closed.
  final class Source {
    private(set) var callback: (() -> Void)?

    func watch(_ path: String, onChange: @escaping () -> Void) -> Source {
      callback = onChange
      return self
    }

    func start(onTick: @escaping () -> Void) -> Source {
      callback = onTick
      return self
    }

    func close() { callback = nil }
    func stop() { callback = nil }
  }

  struct Listener: Workflow {
    let path = "a"
    let disk: Source
    let clock: Source
    enum Action: WorkflowAction {
      case tick, changed
      typealias WorkflowType = Listener
      func apply(toState state: inout Int) -> Never? {
        state += 1
        return nil
      }
    }
    func makeInitialState() -> Int { 0 }
    func render(state: Int, context: RenderContext<Listener>) -> Int {
      let sink = context.makeSink(of: Action.self)
      context.runSideEffect(key: "timer") { lifetime in
        let timer = clock.start { sink.send(.tick) }
        lifetime.onEnded { timer.stop() }
      }
      context.runSideEffect(key: "watch \(path)") { lifetime in
        let watch = disk.watch(path) { sink.send(.changed) }
        lifetime.onEnded { watch.close() }
      }
      return state
    }
  }

  @Test func sideEffects() {
    let (disk, clock) = (Source(), Source())
    do {
      let host = WorkflowHost(workflow: Listener(disk: disk, clock: clock))
      disk.callback?()
      clock.callback?()
      #expect(host.rendering == 2)
    }
    #expect(disk.callback == nil)
    #expect(clock.callback == nil)
  }
}
