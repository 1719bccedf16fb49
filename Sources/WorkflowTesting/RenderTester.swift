import Testing
import WorkflowRuntime

/// Draws one workflow, with its children, workers and side effects made up.
///
/// Everything that the render asks for has to be expected, and everything that is expected has to
/// be asked for. The render runs twice, to see that it asks for the same things each time.
///
/// ```swift
/// Login()
///   .renderTester(initialState: Login.State(name: "Ada", isBusy: true))
///   .expectWorker(LogIn(name: "Ada"), producingOutput: true)
///   .render { screen in #expect(screen.title == "Hello, Ada") }
///   .assert(output: .loggedIn(name: "Ada"))
/// ```
public struct RenderTester<WorkflowType: Workflow> {
  private let workflow: WorkflowType
  private let state: WorkflowType.State
  private var expectations: [Expectation] = []

  init(workflow: WorkflowType, state: WorkflowType.State) {
    self.workflow = workflow
    self.state = state
  }

  // MARK: Expectations

  /// Expects a child, gives it a rendering, and optionally lets it have an output.
  ///
  /// ```swift
  /// tester.expectWorkflow(
  ///   type: Editor.self, key: "title", producingRendering: "field", producingOutput: "new"
  /// ) { editor in #expect(editor.text == "old") }
  /// ```
  ///
  /// - Parameter assertions: called with the child's value.
  public func expectWorkflow<Child: Workflow>(
    type: Child.Type, key: String = "", producingRendering rendering: Child.Rendering,
    producingOutput output: Child.Output? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    assertions: @escaping (Child) -> Void = { _ in }
  ) -> RenderTester {
    expecting(
      ExpectedChild<Child>(
        key: key, rendering: rendering, output: output, inspect: assertions,
        location: sourceLocation))
  }

  /// Expects a child that shows nothing.
  public func expectWorkflow<Child: Workflow>(
    type: Child.Type, key: String = "", producingOutput output: Child.Output? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    assertions: @escaping (Child) -> Void = { _ in }
  ) -> RenderTester where Child.Rendering == Void {
    expectWorkflow(
      type: type, key: key, producingRendering: (), producingOutput: output,
      sourceLocation: sourceLocation, assertions: assertions)
  }

  /// Expects a worker equivalent to this one, and optionally gives its answer.
  public func expectWorker<Work: Worker>(
    _ worker: Work, key: String = "", producingOutput output: Work.Output? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> RenderTester {
    let outputs = output.map { [$0 as any Sendable] } ?? []
    return expecting(
      ExpectedWorker(worker: worker, key: key, outputs: outputs, location: sourceLocation))
  }

  /// Expects a stream worker equivalent to this one, and gives its answers.
  ///
  /// ```swift
  /// tester.expectWorker(Ticks(), producingOutputs: [1, 2])
  /// ```
  public func expectWorker<Work: StreamWorker>(
    _ worker: Work, key: String = "", producingOutputs outputs: [Work.Output] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> RenderTester {
    expecting(
      ExpectedWorker(worker: worker, key: key, outputs: outputs, location: sourceLocation))
  }

  /// Expects a side effect. Its closure is not run.
  public func expectSideEffect(
    key: some Hashable, sourceLocation: SourceLocation = #_sourceLocation
  ) -> RenderTester {
    expecting(
      ExpectedSideEffect<WorkflowType>(
        key: AnyHashable(key), send: nil, location: sourceLocation))
  }

  /// Expects a side effect, and sends an action in its place.
  ///
  /// ```swift
  /// tester.expectSideEffect(key: "watch", producingAction: Page.Action.changed)
  /// ```
  public func expectSideEffect<Action: WorkflowAction>(
    key: some Hashable, producingAction action: Action,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> RenderTester where Action.WorkflowType == WorkflowType {
    expecting(
      ExpectedSideEffect<WorkflowType>(
        key: AnyHashable(key), send: { $0.send(action) }, location: sourceLocation))
  }

  private func expecting(_ expectation: Expectation) -> RenderTester {
    var tester = self
    tester.expectations.append(expectation)
    return tester
  }

  // MARK: Rendering

  /// Draws, and hands the rendering to `assertions`, which may use its sinks.
  ///
  /// The outputs of expected children and workers are applied after that.
  @discardableResult
  public func render(
    sourceLocation: SourceLocation = #_sourceLocation,
    assertions: (WorkflowType.Rendering) throws -> Void
  ) rethrows -> RenderTesterResult<WorkflowType> {
    let stage = Stage<WorkflowType>(expectations: expectations, location: sourceLocation)
    let recorder = ActionRecorder()
    let staged = StagedRender(
      workflow: workflow, state: state, stage: stage, observers: [recorder])
    let rendering = staged.render()
    stage.reportWhatIsMissing()
    let actions = stage.takeActions()
    checkIdempotence(staged, stage, sourceLocation)
    try assertions(rendering)
    for apply in actions { apply(staged) }
    return RenderTesterResult(
      initialState: state, state: staged.state, actions: recorder.actions,
      outputs: staged.outputs)
  }

  /// Draws, and lets the expected children and workers have their outputs.
  @discardableResult
  public func render(
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> RenderTesterResult<WorkflowType> {
    render(sourceLocation: sourceLocation, assertions: { _ in })
  }

  private func checkIdempotence(
    _ staged: StagedRender<WorkflowType>, _ stage: Stage<WorkflowType>, _ location: SourceLocation
  ) {
    let first = stage.requests
    stage.beginRepeating()
    _ = staged.render()
    if stage.requests != first {
      fail(
        """
        \(WorkflowType.self) asks for other things when it is rendered again with the same state: \
        first \(first), then \(stage.requests). A render must depend on its arguments only.
        """, at: location)
    }
  }
}

extension Workflow {
  /// A tester that draws this workflow with a given state.
  public func renderTester(initialState: State) -> RenderTester<Self> {
    RenderTester(workflow: self, state: initialState)
  }

  /// A tester that draws this workflow with its initial state.
  public func renderTester() -> RenderTester<Self> {
    RenderTester(workflow: self, state: makeInitialState())
  }
}

/// Keeps the actions that were applied.
private final class ActionRecorder: WorkflowObserver {
  private(set) var actions: [Any] = []

  func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)? {
    actions.append((action as? AnyWorkflowAction<Action.WorkflowType>)?.base ?? action)
    return nil
  }
}
